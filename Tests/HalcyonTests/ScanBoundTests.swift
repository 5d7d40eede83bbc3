import BluetoothTypes
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@testable import Halcyon

@Suite("What a scan keeps, among devices without number", .reportsWorlds)
struct ScanBoundTests {
  private static func peer(_ number: Int) -> PeerID { PeerID(high: 9, low: UInt64(number)) }

  private static func sighting(_ number: Int, _ name: String?, at milliseconds: Int64 = 0) -> Sighting {
    Sighting(
      peer: peer(number),
      address: nil,
      advertisement: AdvertisingData(name.map { [ADStructure(.completeLocalName, Array($0.utf8))] } ?? []),
      rssi: nil,
      isConnectable: true,
      isScanResponse: false,
      time: RadioInstant(nanoseconds: milliseconds * 1_000_000)
    )
  }

  @Test("F44: a scan without end, read slowly, keeps the newest 1,024 devices and forgets the others")
  func endless() async throws {
    try await Scene.run { scene in
      let task = Task {
        var found: [PeerID] = []
        for try await discovery in scene.central.scan(timeout: nil) {
          found.append(discovery.id)
          if found.count == 1 { try await scene.world.clock.sleep(for: .seconds(60)) }
        }
        return found
      }
      try await scene.settle()
      for number in 0..<5000 { await scene.radio.hear(Self.sighting(number, number % 2 == 0 ? "Pulse" : nil)) }
      let scan = try #require(await scene.central.core.scans.values.first)
      #expect(scan.gate.count < 3 * 1024)
      #expect(scan.found.isEmpty)
      try await scene.world.run(for: .seconds(1))
      // Again: each is in the mailbox once.
      for number in 3990..<5000 { await scene.radio.hear(Self.sighting(number, "Pulse 2")) }
      try await scene.world.run(for: .seconds(100))
      await scene.central.stopScan()
      let found = try await task.value
      #expect(found.count == 1025)
      #expect(Set(found).count == 1025)
    }
  }

  @Test("PLX-03: a scan for more devices than are usually kept counts each once, and a slow reader gets them all")
  func limits() async throws {
    try await Scene.run { scene in
      let task = Task {
        var found: [PeerID] = []
        for try await discovery in scene.central.scan(timeout: nil, limit: 3000) {
          found.append(discovery.id)
          if found.count == 1 { try await scene.world.clock.sleep(for: .seconds(60)) }
        }
        return found
      }
      try await scene.settle()
      for number in 0..<2999 {
        await scene.radio.hear(Self.sighting(number, "Pulse"))
        await scene.radio.hear(Self.sighting(number / 2, "Pulse"))
      }
      #expect(await scene.radio.runningScans == 1)
      await scene.radio.hear(Self.sighting(4000, "Pulse"))
      #expect(await scene.radio.runningScans == 0)
      #expect(try await task.value == (0..<2999).map(Self.peer) + [Self.peer(4000)])
    }
  }

  @Test("A merger remembers as many devices as it is to, the last heard, and holds no more back")
  func merger() {
    var merger = SightingMerger(capacity: 10)
    var told = 0
    for number in 0..<1000 { if merger.add(Self.sighting(number, "Pulse")) { told += 1 } }
    #expect(told == 1000)
    #expect(merger.count < 20)
    for number in 990..<1000 {
      let isTold = merger.add(Self.sighting(number, "Pulse"))
      #expect(!isTold)
    }
    let isForgottenTold = merger.add(Self.sighting(0, "Pulse"))
    #expect(isForgottenTold)
    // One that is heard again and again is not forgotten.
    for number in 2000..<2100 {
      _ = merger.add(Self.sighting(number, "Pulse"))
      let isTold = merger.add(Self.sighting(0, "Pulse"))
      #expect(!isTold)
    }
    var early: [PeerID] = []
    for number in 3000..<3015 {
      let isTold = merger.add(Self.sighting(number, nil, at: Int64(number)))
      #expect(!isTold)
      if let sighting = merger.takeOverdue() { early.append(sighting.peer) }
    }
    #expect(early == (3000..<3005).map(Self.peer))
    #expect(merger.deadline == RadioInstant(nanoseconds: 3_105_000_000))
    let due = merger.due(at: RadioInstant(nanoseconds: 3_107_000_000)).map(\.peer)
    #expect(due == (3005..<3008).map(Self.peer))
    let rest = merger.due(at: nil).map(\.peer)
    #expect(rest == (3008..<3015).map(Self.peer))
    #expect(merger.deadline == nil)
  }

  @Test("A mailbox puts what is newer of a device in the place of what was not read, over many sends and reads")
  func mailbox() async throws {
    let mailbox = Mailbox<Int>(limit: .newest(100))
    for number in 0..<1000 {
      mailbox.send(number, about: Self.peer(number % 70))
      if number % 3 == 0 { _ = try await mailbox.next {} }
    }
    for number in 1000..<1070 { mailbox.send(number, about: Self.peer(number % 70)) }
    mailbox.finish()
    var left: [Int] = []
    while let number = try await mailbox.next(onCancel: {}) { left.append(number) }
    #expect(left.sorted() == Array(1000..<1070))
  }

  @Test("F44: what was read from a mailbox is not kept by it")
  func nothingKept() async throws {
    final class Thing: Sendable {}
    let mailbox = Mailbox<Thing>()
    var first: Thing? = Thing()
    weak let gone = first
    if let first { mailbox.send(first) }
    first = nil
    mailbox.send(Thing())
    #expect(gone != nil)
    _ = try await mailbox.next {}
    #expect(gone == nil)
  }
}
