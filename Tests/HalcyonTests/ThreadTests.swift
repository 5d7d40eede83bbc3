import BluetoothTypes
import Foundation
import RadioPort
import Testing
import VirtualRadioTesting

@testable import Halcyon

@Suite("A live radio, with callers on other threads", .reportsWorlds)
struct ThreadTests {
  @Test("Reads that are answered, cancelled and cut off from many threads each end once, and leave nothing behind")
  func manyThreads() async throws {
    let loop = PollLoop()
    let radio = ScriptedRadio(loop)
    await radio.set { $0.services = Table.services }
    await radio.set { $0.values = [Table.level: [80]] }
    let central = Central(radio: radio)
    try await central.ready()
    for round in 0..<20 {
      let peripheral = try await central.connect(to: Scene.device)
      if round % 2 == 0 { await radio.set { $0.held = [.request, .discover] } }
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<40 {
          group.addTask {
            let read = Task { try await peripheral.read(.level) }
            if index % 3 == 0 { read.cancel() }
            if index % 7 == 1 { await Task.yield() }
            if index % 3 == 1 { read.cancel() }
            switch await read.result {
            case .success(let value): #expect(value == 80)
            case .failure(let error as BluetoothError):
              #expect([.disconnected, .notConnected].contains(error.kind))
            case .failure(let error): #expect(error is CancellationError)
            }
          }
        }
        group.addTask {
          await radio.letGo(.discover)
          if round % 4 == 0 { await radio.loseLinks() } else { await radio.letGo(.request) }
          await peripheral.disconnect()
        }
      }
      await radio.set { $0.held = [] }
      #expect(await peripheral.core.running.isEmpty)
      #expect(await peripheral.core.discoveries.isEmpty)
      #expect(await radio.openClaims == 0)
    }
    await withCheckedContinuation { done in loop.stop { done.resume() } }
  }

  /// Runs `body` with a radio on a thread of its own, as a live one.
  private func live(_ body: (ScriptedRadio, Central) async throws -> Void) async throws {
    let loop = PollLoop()
    let radio = ScriptedRadio(loop)
    await radio.set { $0.services = Table.services }
    try await body(radio, Central(radio: radio))
    await withCheckedContinuation { done in loop.stop { done.resume() } }
  }

  /// Cancels a task on another thread while the radio's thread stands still here: what is to be undone comes behind what
  /// the radio does next.
  private static func cancelElsewhere(_ cancel: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      cancel()
      done.signal()
    }
    done.wait()
  }

  @Test("F05, F06: a connect that is cancelled on another thread just before its link comes up leaves no link behind")
  func cancelledAsTheLinkComesUp() async throws {
    try await live { radio, central in
      // Who holds the device would hold the link.
      let peripheral = await central.core.peripheral(Scene.device)
      for others in 0...1 {
        await radio.set { $0.held = [.connect] }
        let task = Task { try await central.connect(to: Scene.device, timeout: nil) }
        while await peripheral.core.connectWaiters.isEmpty { await Task.yield() }
        let other = Task { if others > 0 { _ = try await central.connect(to: Scene.device, timeout: nil) } }
        while await peripheral.core.connectWaiters.count <= others { await Task.yield() }
        await radio.set { radio in
          Self.cancelElsewhere { task.cancel() }
          radio.letGo(.connect)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await other.value
        // With others the link is theirs.
        #expect(await radio.openClaims == others)
        #expect(peripheral.state.isReady == (others > 0))
        #expect(await peripheral.core.connectWaiters.isEmpty)
      }
      await peripheral.disconnect()
      #expect(await radio.openClaims == 0)
      #expect(try await central.connect(to: Scene.device).state.isReady)
    }
  }

  @Test("F05: connects that are cancelled on other threads at any moment end once, and own a link or leave none")
  func cancelledConnects() async throws {
    try await live { radio, central in
      let peripheral = await central.core.peripheral(Scene.device)
      for round in 0..<300 {
        await radio.set { $0.held = [.connect] }
        let connects = (0...round % 3).map { _ in Task { try await central.connect(to: Scene.device, timeout: nil) } }
        let answer = Task {
          for _ in 0..<round % 11 { await Task.yield() }
          await radio.letGo(.connect)
        }
        for _ in 0..<round % 7 { await Task.yield() }
        for connect in connects { connect.cancel() }
        var owners = 0
        for connect in connects {
          switch await connect.result {
          case .success: owners += 1
          case .failure(let error): #expect(error is CancellationError)
          }
        }
        await answer.value
        #expect(await radio.openClaims == (owners > 0 ? 1 : 0), "round \(round)")
        #expect(await peripheral.core.connectWaiters.isEmpty)
        await peripheral.disconnect()
        #expect(await radio.openClaims == 0)
      }
    }
  }

  @Test("What is cancelled on another thread just before its answer ends as cancelled, and leaves nothing behind")
  func cancelledAsTheAnswerComes() async throws {
    try await live { radio, central in
      let peripheral = try await central.connect(to: Scene.device)
      let operations: [(ScriptedRadio.Kind, @Sendable () async throws -> Void)] = [
        (.discover, { _ = try await peripheral.services() }),
        (.request, { _ = try await peripheral.read(.level) }),
        (.request, { _ = try await peripheral.readRSSI() }),
        (.request, { try await peripheral.write([1], to: .control) }),
        (.writeWithoutResponse, { try await peripheral.write([1], to: .command) }),
        (.subscribe, { for try await _ in peripheral.values(of: .measurement) {} }),
      ]
      for (kind, operation) in operations {
        await radio.set { $0.held = [kind] }
        let task = Task(operation: operation)
        while await radio.heldCount == 0 { await Task.yield() }
        await radio.set { radio in
          Self.cancelElsewhere { task.cancel() }
          radio.letGo(kind)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await peripheral.core.running.isEmpty)
        #expect(await peripheral.core.discoveries.isEmpty)
        #expect(await peripheral.core.feeds.isEmpty)
        #expect(await radio.openSubscriptions == 0)
      }
      #expect(try await peripheral.services().count == Table.services.count)
    }
  }

  @Test("Streams and scans that are left from many threads leave nothing at the radio")
  func streams() async throws {
    let loop = PollLoop()
    let radio = ScriptedRadio(loop)
    await radio.set { $0.services = Table.services }
    let central = Central(radio: radio)
    let peripheral = try await central.connect(to: Scene.device)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<50 {
        group.addTask {
          let values = Task { for try await _ in peripheral.values(of: .measurement) { if index % 2 == 0 { break } } }
          let scan = Task { for try await _ in central.scan(timeout: nil) { if index % 2 == 0 { break } } }
          for _ in 0..<index { await Task.yield() }
          await radio.notify(Table.measurement, [1])
          await radio.hear(Scene.other, "Lamp")
          values.cancel()
          scan.cancel()
          _ = await (values.result, scan.result)
        }
      }
    }
    // What was left is submitted to the loop before this call.
    #expect(await radio.openSubscriptions == 0)
    #expect(await radio.runningScans == 0)
    await withCheckedContinuation { done in loop.stop { done.resume() } }
  }
}
