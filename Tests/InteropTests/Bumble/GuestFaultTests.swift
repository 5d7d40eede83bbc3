import BluetoothTypes
import Foundation
import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

/// What goes wrong on purpose for programs that we did not write: faults in code, on the live air to which they came.
///
/// A fault begins with a packet or when the test says so, and all bounds of time are lower ones: the machine may be slow.
@Suite("Faults of guests: Bumble's host on our air", Bumble.trait, .reportsWorlds, .timeLimit(.minutes(5)))
struct GuestFaultTests {
  /// Bumble has a link with a band of ours.
  private static func withVisitor(
    supervisionTimeout: Duration = .seconds(20),
    _ body: (World, HeartRateBand, Visitor) async throws -> Void
  ) async throws {
    try await withAir { world, port in
      let band = world.add(.heartRateBand(name: "Pulse"))
      try await Visitor.with(port: port, device: "Pulse") { visitor in
        try await visitor.connect(supervisionTimeout: supervisionTimeout)
        try await body(world, band, visitor)
      }
    }
  }

  @Test("F43: its requests are refused, answered late, with garbage or behind a notification; only its own")
  func requests() async throws {
    try await Self.withVisitor { world, band, visitor in
      let guest = PeerID(Visitor.address)
      band.faults.add(.refuse(.all, with: .unlikelyError).onLinks(to: world.radio))
      band.faults.add(
        .refuse(.reads(of: "2A38"), with: .insufficientAuthorization, times: 1).onLinks(to: guest)
      )
      try visitor.tell("read 2A38")
      #expect(try await visitor.line("refused 2A38 ") == "\(ATTErrorCode.insufficientAuthorization.rawValue)")

      band.faults.add(.delay(.reads(of: "2A38"), by: .seconds(1), times: 1).onLinks(to: guest))
      let start = world.now
      try visitor.tell("read 2A38")
      #expect(try await visitor.line("read 2A38 ") == "01")
      #expect(start.duration(to: world.now) >= .seconds(1))

      band.faults.add(.garbage(.reads(of: "2A38"), [0x0B, 0xBA, 0xD0], times: 1))
      try visitor.tell("read 2A38")
      #expect(try await visitor.line("read 2A38 ", count: 2) == "bad0")

      band.faults.add(.notifyBeforeReply([0, 99], times: 1))
      try visitor.tell("listen 2A37")
      _ = try await visitor.line("listening 2A37")
      let news = visitor.program.lines.filter { $0.hasSuffix(" 2A37") || $0.hasPrefix("value 2A37 ") }
      #expect(news.first == "value 2A37 0063")
    }
  }

  @Test("F43: a request that is never answered ends with its link")
  func ignore() async throws {
    try await Self.withVisitor { _, band, visitor in
      band.faults.add(.ignore(.reads(of: "2A29"), times: 1).onLinks(to: PeerID(Visitor.address)))
      band.faults.add(.dropLink(reason: .remoteUserTerminatedConnection, at: .packet(1)))
      try visitor.tell("read 2A29")
      _ = try await visitor.line("failed read 2A29")
      #expect(try await visitor.line("disconnected ") == "\(HCIStatus.remoteUserTerminatedConnection.rawValue)")
      #expect(band.faults.count == 2)
      try await visitor.connect(count: 2)
      try visitor.tell("read 2A29")
      #expect(try await visitor.line("read 2A29 ") == "48616c63796f6e")
    }
  }

  @Test("F43: its link drops at the nth packet, at a time or without a word, from its side and from the device's")
  func drop() async throws {
    try await Self.withVisitor(supervisionTimeout: .seconds(2)) { world, band, visitor in
      let guest = try #require(world.faults(ofProgram: 1))
      #expect(world.faults(ofProgram: 2) == nil)
      // The third packet is the second read's request.
      for (round, isGuests) in [(1, true), (2, false)] {
        let fault = Fault.dropLink(reason: .remoteDeviceTerminatedConnectionPowerOff, at: .packet(3))
        if isGuests { guest.add(fault) } else { band.faults.add(fault.onLinks(to: PeerID(Visitor.address))) }
        try visitor.tell("read 2A38")
        _ = try await visitor.line("read 2A38 ", count: round)
        try visitor.tell("read 2A38")
        _ = try await visitor.line("failed read 2A38", count: round)
        // The reason is what the other end hears.
        let reason: HCIStatus =
          isGuests ? .connectionTerminatedByLocalHost : .remoteDeviceTerminatedConnectionPowerOff
        #expect(try await visitor.line("disconnected ", count: round) == "\(reason.rawValue)")
        try await visitor.connect(count: round + 1, supervisionTimeout: .seconds(2))
      }
      let start = world.now
      guest.add(.dropLink(at: .after(.seconds(1))))
      #expect(try await visitor.line("disconnected ", count: 3) == "\(HCIStatus.connectionTimeout.rawValue)")
      #expect(start.duration(to: world.now) >= .seconds(1))
      #expect(guest.count == 2 && band.faults.count == 1)
      // All of it happens once.
      try await visitor.connect(count: 4)
      try visitor.tell("read 2A38")
      _ = try await visitor.line("read 2A38 ", count: 3)
    }
  }

  @Test("F43: in a window its packets get lost and are sent again, or come late; then all is as before")
  func window() async throws {
    try await Self.withVisitor { world, _, visitor in
      let guest = try #require(world.faults(ofProgram: 1))
      for (number, fault) in [
        Fault.losePackets(1, .received, from: .packet(1), for: .seconds(1)),
        Fault.losePackets(from: .packet(1), for: .seconds(1)),
        Fault.delayPackets(by: .seconds(1), from: .packet(1), for: .seconds(10)),
      ].enumerated() {
        let id = guest.add(fault)
        let start = world.now
        // The request passes, and the response has to wait.
        try visitor.tell("read 2A38")
        #expect(try await visitor.line("read 2A38 ", count: number + 1) == "01")
        #expect(start.duration(to: world.now) >= .seconds(1))
        if let id { guest.remove(id) }
      }
      #expect(guest.count == 3)
      #expect(!visitor.program.lines.contains { $0.hasPrefix("disconnected") })
    }
  }

  @Test("F43: who is out of range loses its link by the time-out, and finds the device when it is back")
  func outOfRange() async throws {
    try await Self.withVisitor(supervisionTimeout: .seconds(2)) { world, _, visitor in
      let guest = try #require(world.faults(ofProgram: 1))
      let away = guest.add(.outOfRange())
      #expect(try await visitor.line("disconnected ") == "\(HCIStatus.connectionTimeout.rawValue)")
      if let away { guest.remove(away) }
      try await visitor.connect(count: 2)
      try visitor.tell("read 2A38")
      _ = try await visitor.line("read 2A38 ")
    }
  }

  @Test("F43: a controller that goes off is unplugged from its program; who comes again has a new one")
  func power() async throws {
    let (events, source) = AsyncStream.makeStream(of: VirtualRadio.ControllerServer.Event.self)
    try await withAir(tell: { source.yield($0) }) { world, port in
      world.add(.heartRateBand(name: "Pulse"))
      try await Visitor.with(port: port, device: "Pulse") { visitor in
        try await visitor.connect()
        world.faults(ofProgram: 1)?.add(.powerOff(at: .packet(1), for: .seconds(2)))
        try visitor.tell("read 2A38")
        _ = try await visitor.line("unplugged")
        let gone = await events.first { if case .detached = $0 { true } else { false } }
        guard case .detached(let guest, let reason)? = gone else { return }
        #expect(guest.number == 1 && reason == "The virtual controller of program 1 was switched off.")
        #expect(world.faults(ofProgram: 1) == nil)
      }
      try await Visitor.with(port: port, device: "Pulse") { visitor in
        try await visitor.connect()
        #expect(world.faults(ofProgram: 2)?.count == 0)
      }
    }
  }

  @Test("F43: a sensor of Bumble's that is not heard any more is found when it is heard again")
  func mute() async throws {
    try await withAir { world, port in
      let bumble = try Bumble.start("on_air.py", ["\(port)", "sensor", "Bumble Heart"])
      let result: Result<Void, any Error>
      do {
        _ = try await bumble.line("advertising")
        let guest = try #require(world.faults(ofProgram: 1))
        let mute = try #require(guest.add(.stopAdvertising()))
        let central = Central(radio: world.radio)
        try await central.ready()
        let scan = central.scan(where: .named("Bumble Heart"), timeout: .seconds(2))
        let error = await #expect(throws: BluetoothError.self) { _ = try await scan.connect() }
        #expect(error?.kind == .timedOut)
        guest.remove(mute)
        let device = try await central.scan(where: .named("Bumble Heart"), timeout: .seconds(60)).connect()
        #expect(try await device.read(.bodySensorLocation) == .wrist)
        guest.add(.dropLink(reason: .remoteUserTerminatedConnection))
        // Our end is the other one here.
        #expect(try await bumble.line("disconnected ") == "\(HCIStatus.connectionTerminatedByLocalHost.rawValue)")
        for await state in device.states where state.isDisconnected { break }
        result = .success(())
      } catch { result = .failure(error) }
      await bumble.end()
      try result.get()
    }
  }

  /// The same from a file, for programs that meet at `halcyon air`.
  private static let scene = """
    { "devices": [
        { "name": "Pulse", "kind": "heartRateBand", "faults": [
          { "refuse": { "kind": "read", "characteristic": "2A38", "error": 8, "times": 1 }, "link": "program 2" },
          { "delay": { "kind": "read", "characteristic": "2A29", "by": 1 }, "link": "program" } ] } ],
      "radios": [
        { "name": "program 1", "faults": [{ "dropLink": { "reason": 21 }, "at": { "packet": 3 } }] },
        { "name": "program 3", "faults": [
          { "delayPackets": 0.2, "for": 3600 }, { "powerOff": true, "at": { "packet": 9 } }] } ] }
    """

  @Test("F43: the faults of a scene strike the programs that come to halcyon air, each its own and at its own link")
  func scene() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "scene-\(UUID().uuidString).json")
    try Self.scene.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let air = try halcyon("air", "--listen", "127.0.0.1:0", "--scene", file.path)
    let result: Result<Void, any Error>
    do {
      let port = try #require(UInt16(try await air.line("air: listening at 127.0.0.1:")))
      try await Visitor.with(port: port, device: "Pulse") { first in
        try first.tell("connect 4000")
        #expect(try await first.line("disconnected ") == "\(HCIStatus.connectionTerminatedByLocalHost.rawValue)")
        _ = try await first.line("failed connect")
        try await Visitor.with(port: port, device: "Pulse") { second in
          try await second.connect(supervisionTimeout: .seconds(4))
          try second.tell("read 2A38")
          #expect(try await second.line("refused 2A38 ") == "8")
          try second.tell("read 2A38")
          #expect(try await second.line("read 2A38 ") == "01")
        }
        // The link of who has gone ends by its time-out, and the band is free again.
        try await first.connect(supervisionTimeout: .seconds(4))
        for uuid in ["2A38", "2A29"] {
          try first.tell("read \(uuid)")
          _ = try await first.line("read \(uuid) ")
        }
      }
      try await Visitor.with(port: port, device: "Pulse") { third in
        try third.tell("connect 4000")
        _ = try await third.line("unplugged")
        let words = try await air.line("air: program 3 ", count: 2)
        #expect(words.hasSuffix("has gone: The virtual controller of program 3 was switched off."))
      }
      result = .success(())
    } catch { result = .failure(error) }
    await air.end()
    try result.get()
  }
}
