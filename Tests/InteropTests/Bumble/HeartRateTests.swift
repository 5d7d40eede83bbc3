import Halcyon
import Testing

/// The main job on real input: our host and API at one end, Bumble's controllers, host and services at the other.
///
/// Reported as skipped where `HALCYON_INTEROP_PYTHON` does not name a Python that can import Bumble, because Bumble comes
/// from PyPI and not every machine gets at it.
@Suite(
  "Bumble's heart-rate server",
  Bumble.trait,
  .timeLimit(.minutes(5))
)
struct HeartRateTests {
  private static let services: [BluetoothUUID] = [
    ServiceID.genericAccess, .genericAttribute, .deviceInformation, .battery, .heartRate,
  ].map(\.uuid)

  /// Everything that a program does with a heart-rate device.
  @concurrent
  private static func mainJob(_ peer: ChildProcess, port: UInt16, name: String, manufacturer: String) async throws {
    try await withCentral(port: port) { central, _ in
      try await central.ready(within: .seconds(60))
      let scan = central.scan(for: [.heartRate], where: .named(name), timeout: .seconds(60))
      let discovery = try #require(try await scan.first { _ in true })
      #expect(discovery.isConnectable)
      #expect(discovery.rssi != nil)

      let device = try await central.connect(to: discovery, timeout: .seconds(60))
      #expect(device.name == name)
      let services = try await device.services(timeout: .seconds(60))
      #expect(Set(services.map(\.uuid)) == Set(Self.services))

      #expect(try await device.read(.bodySensorLocation) == .wrist)
      #expect(try await device.read(.batteryLevel) == BatteryLevel(88))
      #expect(try await device.read(.manufacturerName) == manufacturer)
      #expect(try await device.read(.deviceName) == name)
      do {
        #expect((-127...20).contains(try await device.readRSSI()))
      } catch let error as BluetoothError {
        // Bumble's controller has no HCI_Read_RSSI (0.0.236).
        #expect(error.kind == .unsupported)
        #expect(error.message.contains("Unknown HCI command (0x01)"))
      }

      var beats: [HeartRateMeasurement] = []
      for try await beat in device.values(of: .heartRateMeasurement, timeout: .seconds(60)) {
        beats.append(beat)
        if beats.count == 5 { break }
      }
      for (one, next) in zip(beats, beats.dropFirst()) {
        #expect(next.beatsPerMinute == one.beatsPerMinute + 1)
        #expect(next.contact == .detected)
        #expect(next.rrIntervals.map(\.rawValue) == [1024, 512])
      }
      #expect(beats.allSatisfy { ($0.energyExpended ?? 0) > 100 })

      try await device.write(.resetEnergyExpended, to: .heartRateControlPoint)
      _ = try await peer.line("reset")
      let after = try await device.values(of: .heartRateMeasurement, timeout: .seconds(60)).first { _ in true }
      #expect(try #require(after?.energyExpended) < 100)

      await device.disconnect()
      #expect(device.state.isDisconnected)
      _ = try await peer.line("disconnected")
    }
  }

  @Test("LBT-02: our host finds, connects, discovers, reads, streams, writes and disconnects", arguments: [27, 251])
  func mainJob(acl: Int) async throws {
    try await Bumble.withPeer("heart_rate_server.py", ["--acl", "\(acl)"]) { peer, port in
      try await Self.mainJob(peer, port: port, name: "Bumble Heart", manufacturer: "ACME")
    }
  }

  @Test("two radios in one process do the job side by side, each with its own device")
  func sideBySide() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (name, address) in [("Left", "E0:E1:E2:E3:E4:01"), ("Right", "E0:E1:E2:E3:E4:02")] {
        group.addTask {
          // A value that is longer than the packets of a link without an MTU exchange.
          let manufacturer = String(repeating: "\(name) & Sons, ", count: 12)
          try await Bumble.withPeer(
            "heart_rate_server.py",
            ["--name", name, "--address", address, "--manufacturer", manufacturer]
          ) { peer, port in
            try await Self.mainJob(peer, port: port, name: name, manufacturer: manufacturer)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("after a disconnect the same peripheral connects again, discovers anew and streams")
  func again() async throws {
    try await Bumble.withPeer("heart_rate_server.py") { peer, port in
      try await withCentral(port: port) { central, _ in
        try await central.ready(within: .seconds(60))
        let device = try await central.scan(for: [.heartRate], timeout: .seconds(60)).connect(timeout: .seconds(60))
        #expect(try await device.read(.bodySensorLocation) == .wrist)
        for count in 1...3 {
          await device.disconnect()
          _ = try await peer.line("disconnected", count: count)
          try await central.connect(to: device, timeout: .seconds(60))
          #expect(try await device.read(.batteryLevel) == BatteryLevel(88))
          let beat = try await device.values(of: .heartRateMeasurement, timeout: .seconds(60)).first { _ in true }
          #expect(beat?.contact == .detected)
        }
      }
    }
  }

  @Test("F02: when the peer ends the link, what is pending fails with its reason, and the next connection is clean")
  func dropped() async throws {
    try await Bumble.withPeer("heart_rate_server.py") { peer, port in
      try await withCentral(port: port) { central, _ in
        try await central.ready(within: .seconds(60))
        let device = try await central.scan(for: [.heartRate], timeout: .seconds(60)).connect(timeout: .seconds(60))
        var isDropped = false
        let error = await #expect(throws: BluetoothError.self) {
          for try await _ in device.values(of: .heartRateMeasurement, onReconnect: .end, timeout: .seconds(60)) {
            if !isDropped { try peer.tell("drop") }
            isDropped = true
          }
        }
        #expect(error?.kind == .disconnected)
        #expect(
          error?.message.contains("ended: Remote user terminated connection (0x13)") == true,
          "\(error?.message ?? "")"
        )
        try await central.connect(to: device, timeout: .seconds(60))
        #expect(try await device.read(.manufacturerName) == "ACME")
      }
    }
  }

  @Test("a peer that is killed is told as a radio that is off, with the reason")
  func killed() async throws {
    try await Bumble.withPeer("heart_rate_server.py") { peer, port in
      try await withCentral(port: port) { central, _ in
        try await central.ready(within: .seconds(60))
        let device = try await central.scan(for: [.heartRate], timeout: .seconds(60)).connect(timeout: .seconds(60))
        _ = try await device.services()
        await peer.end()
        let error = await #expect(throws: BluetoothError.self) {
          while true { _ = try await device.read(.batteryLevel) }
        }
        #expect([.poweredOff, .notConnected].contains(error?.kind))
        let off = try await bounded("the radio's state") { await central.states.first { $0.power == .poweredOff } }
        #expect(off?.reason?.contains("127.0.0.1:\(port)") == true)
      }
    }
  }
}
