import BluetoothTypes
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Connecting from a scan", .reportsWorlds)
struct ConnectEachTests {
  @Test("PLX-10: from one endless scan every device is connected, a service discovered, all its values read")
  func readmeFlow() async throws {
    try await World.simulated(seed: 10) { world in
      for number in 1...4 { world.add(.counting(name: "Counter \(number)")) }
      let central = Central(radio: world.radio)
      try await central.ready()
      var collected: [PeerID: Int] = [:]
      for try await peripheral in central.scan(for: ["FFF0"], timeout: .never).connectEach() {
        for service in try await peripheral.services(["FFF0"]) {
          for characteristic in service.characteristics where characteristic.properties?.contains(.read) == true {
            collected[peripheral.id, default: 0] += try await peripheral.read(characteristic).count
          }
        }
        // The scan goes on meanwhile.
        #expect(central.activity.contains(.scanning))
        await peripheral.disconnect()
        if collected.count == 4 { break }
      }
      #expect(collected.values.allSatisfy { $0 > 0 })
      try await world.run(for: .milliseconds(200))
      #expect(world.activity(of: world.radio) == ControllerActivity.none)
    }
  }

  @Test("LBT-03: connecting from a scan stops it; connecting to each lets it go on, up to the number that is wanted")
  func stopsOrGoesOn() async throws {
    try await Scene.run { scene in
      let first = Task { try await scene.central.scan().connect() }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      await (try first.value).disconnect()
      #expect(await scene.radio.runningScans == 0)

      let each = Task {
        var names: [String] = []
        for try await peripheral in scene.central.scan().connectEach(max: 2) { names.append(peripheral.name ?? "") }
        return names
      }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      await scene.radio.hear(Scene.device, "Pulse")
      try await scene.settle()
      #expect(await scene.radio.runningScans == 1)
      await scene.radio.hear(Scene.other, "Lamp")
      #expect(try await each.value == ["Pulse", "Lamp"])
      try await scene.settle()
      #expect(await scene.radio.runningScans == 0)
    }
  }

  @Test("OK-19: a device that can not be connected holds nobody up, and its place goes to the next")
  func failing() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.held = [.connect] }
      let each = Task {
        var ids: [PeerID] = []
        for try await peripheral in scene.central.scan(timeout: nil).connectEach(max: 1, timeout: .seconds(5)) {
          ids.append(peripheral.id)
        }
        return ids
      }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      await scene.radio.hear(Scene.other, "Lamp")
      try await scene.settle()
      #expect(await scene.radio.openClaims == 1)
      try await scene.world.run(for: .seconds(6))
      #expect(await scene.radio.count(.connect(Scene.other)) == 1)
      await scene.radio.letGo(.connect)
      #expect(try await each.value == [Scene.other])
    }
  }

  @Test("F04, F05: leaving the iteration, or cancelling its task, stops the scan and the connects under way")
  func left() async throws {
    try await Scene.run { scene in
      for isCancelled in [true, false] {
        await scene.radio.set { $0.held = [] }
        let each = Task {
          for try await _ in scene.central.scan(timeout: nil).connectEach(timeout: nil) where !isCancelled { break }
        }
        try await scene.settle()
        await scene.radio.set { $0.held = [.connect] }
        await scene.radio.hear(Scene.other, "Lamp")
        try await scene.settle()
        await scene.radio.set { $0.held = [] }
        await scene.radio.hear(Scene.device, "Pulse")
        try await scene.settle()
        if isCancelled {
          #expect(await scene.radio.openClaims >= 1)
          each.cancel()
          await #expect(throws: CancellationError.self) { try await each.value }
        } else {
          try await each.value
        }
        try await scene.settle()
        #expect(await scene.radio.runningScans == 0)
        #expect(await scene.radio.openClaims == 0)
      }
    }
  }

  @Test("F01: when Bluetooth goes off, connecting to each ends with that error")
  func powerLoss() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.held = [.connect] }
      let each = Task { await bluetoothError { for try await _ in scene.central.scan().connectEach() {} } }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      try await scene.settle()
      await scene.radio.setPower(.poweredOff)
      #expect(await each.value?.kind == .poweredOff)
      #expect(await scene.radio.openClaims == 0)
    }
  }

  @Test("LBT-04: connecting from a discovery, an identifier, a known peripheral, with the same options everywhere")
  func ways() async throws {
    try await World.simulated(seed: 12) { world in
      let device = world.add(.counting())
      let central = Central(radio: world.radio)
      try await central.ready()
      let runs = Tally()
      let setUp: ConnectionSetUp = { _ in runs.add() }
      let first = try await central.scan(for: ["FFF0"]).connect(reconnect: .never, setUp: setUp)
      await first.disconnect()
      let discovery = try #require(try await central.scan(for: ["FFF0"]).collect(1).first)
      await (try central.connect(to: discovery, setUp: setUp)).disconnect()
      await (try central.connect(to: device.id, setUp: setUp)).disconnect()
      try await central.connect(to: first)
      #expect(runs.count == 4)
      await first.disconnect()
    }
  }
}
