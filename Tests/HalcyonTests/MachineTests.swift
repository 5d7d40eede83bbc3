import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@testable import Halcyon

@Suite("What ends exactly once", .reportsWorlds)
struct MachineTests {
  @Test("An operation takes its first end only, in any order of reply, time-out and cancellation")
  func operationEndsOnce() async throws {
    try await World.simulated(seed: 1) { world in
      var random = world.randomness(for: "orders")
      for _ in 0..<500 {
        let steps = (0..<3).shuffled(using: &random)
        let ended = EndCounter()
        let result = try? await PendingOperation<Int>.run(
          on: world.executor,
          deadline: steps[0] == 0 ? world.now : nil,
          timeout: { CancellationError() }
        ) { operation in
          for step in steps {
            switch step {
            case 0: operation.finish(.success(1))
            case 1: operation.giveUp(CancellationError())
            default: operation.onEnd { _ in ended.add() }
            }
          }
        }
        let replyCameFirst = (steps.firstIndex(of: 0) ?? 0) < (steps.firstIndex(of: 1) ?? 0)
        #expect(result == (replyCameFirst ? 1 : nil))
        #expect(ended.count == 1)
      }
    }
  }

  @Test("An operation of a cancelled task is not started")
  func cancelledBefore() async throws {
    try await World.simulated(seed: 1) { world in
      let started = EndCounter()
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await PendingOperation<Void>.run(on: world.executor, deadline: nil, timeout: { CancellationError() }) { _ in
          started.add()
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(started.count == 0)
    }
  }

  @Test("A mailbox keeps order and limit over many sends and reads")
  func mailboxOrder() async throws {
    let all = Mailbox<Int>()
    for value in 0..<1000 { all.send(value) }
    for value in 0..<500 { #expect(try await all.next {} == value) }
    for value in 1000..<1500 { all.send(value) }
    all.finish()
    all.send(9999)
    for value in 500..<1500 { #expect(try await all.next {} == value) }
    #expect(try await all.next {} == nil)

    let newest = Mailbox<Int>(limit: .newest(3))
    #expect((0..<10).map { newest.send($0) }.count { $0 == .dropped } == 7)
    newest.finish(CancellationError())
    for value in 7..<10 { #expect(try await newest.next {} == value) }
    await #expect(throws: CancellationError.self) { try await newest.next {} }
    #expect(try await newest.next {} == nil)
  }

  @Test("A scan's merger tells of each device once until it changes, whatever the order of what is heard")
  func merger() {
    var merger = SightingMerger(capacity: 100)
    func sighting(_ name: String?, isScanResponse: Bool = false, at seconds: Int64) -> Sighting {
      Sighting(
        peer: Scene.device,
        address: nil,
        advertisement: AdvertisingData(name.map { [ADStructure(.completeLocalName, Array($0.utf8))] } ?? []),
        rssi: nil,
        isConnectable: true,
        isScanResponse: isScanResponse,
        time: RadioInstant(nanoseconds: seconds * 1_000_000_000)
      )
    }
    let first = merger.add(sighting(nil, at: 0))
    #expect(!first)
    #expect(merger.deadline == RadioInstant(nanoseconds: 100_000_000))
    let early = merger.due(at: .zero)
    let due = merger.due(at: RadioInstant(nanoseconds: 100_000_000))
    #expect(early.isEmpty)
    #expect(due.count == 1)
    #expect(merger.deadline == nil)
    let later = [sighting(nil, at: 1), sighting("Pulse", isScanResponse: true, at: 1), sighting("Pulse", at: 2)]
    let told = later.map { merger.add($0) }
    #expect(told == [false, true, false])
  }
}

private final class EndCounter: Sendable {
  private let value = Mutex(0)
  var count: Int { value.withLock { $0 } }
  func add() { value.withLock { $0 += 1 } }
}
