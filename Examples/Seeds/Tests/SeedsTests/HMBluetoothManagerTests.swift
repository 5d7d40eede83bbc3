import Halcyon
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@testable import Seeds

@Suite("The tool class for one device", .reportsWorlds)
struct HMBluetoothManagerTests {
  private func withBand(
    _ body: @escaping @Sendable (BandManager, Central, VirtualDevice) async throws -> Void
  ) async throws {
    try await World.simulated(seed: 1) { world in
      let band = world.add(.band())
      world.add(.lamp(name: "Lamp"))
      let central = Central(radio: world.radio)
      try await body(BandManager(sendingTo: "FF02", central: central), central, band)
    }
  }

  private func find(_ manager: BandManager, in world: World) async throws -> Discovery {
    let sightings = Mutex(0)
    let scanning = Task { try await manager.scan { _ in sightings.withLock { $0 += 1 } } }
    try await world.run(for: .seconds(3))
    scanning.cancel()
    #expect(sightings.withLock { $0 } > 10)
    let found = await manager.found
    #expect(found.count == 2)
    return try #require(found.first { $0.name == "Band" })
  }

  @Test("HM-01, HM-02: a scan that is begun too early starts by itself, and a list has each device once")
  func scanning() async throws {
    try await World.simulated(seed: 1) { world in
      world.add(.band())
      world.add(.lamp(name: "Lamp"))
      let radio = world.makeRadio()
      let manager = BandManager(sendingTo: "FF02", central: Central(radio: radio))
      #expect(!manager.availability.isAvailable)
      #expect(manager.availability.reason.hasPrefix("It is not known yet"))
      _ = try await find(manager, in: world)
      #expect(manager.availability == (true, "Bluetooth is on."))
      world.radioPower(false, of: radio)
      try await world.run(for: .seconds(1))
      #expect(!manager.availability.isAvailable)
      #expect(manager.availability.reason.hasPrefix("Bluetooth is off"))
    }
  }

  @Test("HM-03, HM-04, HM-06: a connect has an outcome, everything comes in one place, and data is sent to it")
  func using() async throws {
    try await withBand { manager, central, band in
      let discovery = try await find(manager, in: band.world)
      guard case .connected(let device) = await manager.connect(to: discovery) else {
        Issue.record("it was not connected")
        return
      }
      guard case .alreadyConnected = await manager.connect(to: discovery) else {
        Issue.record("it was connected twice")
        return
      }
      #expect(central.connected == [device.peripheral])
      var steps: [UInt8] = []
      var battery: [UInt8] = []
      for try await value in device {
        if value.characteristic.uuid == "FF01" { steps += value.bytes }
        if value.characteristic.uuid == "2A19" { battery += value.bytes }
        if steps.count >= 4 { break }
      }
      #expect(steps.prefix(2) == [10, 10] || steps.prefix(2) == [10, 11])
      #expect(Set(battery) == [90])
      for command: UInt8 in 1...3 { try await manager.send([command]) }
      try await band.world.run(for: .seconds(1))
      #expect(band.written(to: "FF02") == [[1], [2], [3]])
      #expect(band.device.written.allSatisfy { !$0.withResponse })
    }
  }

  @Test("HM-03: a failure is an outcome")
  func failure() async throws {
    try await withBand { manager, _, band in
      let discovery = try await find(manager, in: band.world)
      band.world.radioPower(false)
      try await band.world.run(for: .seconds(1))
      guard case .failed(let error as BluetoothError) = await manager.connect(to: discovery) else {
        Issue.record("it was connected")
        return
      }
      #expect(error.kind == .poweredOff)
    }
  }

  @Test("HM-05: that a device is gone is told, and it leaves the list")
  func gone() async throws {
    try await withBand { manager, central, band in
      let discovery = try await find(manager, in: band.world)
      guard case .connected = await manager.connect(to: discovery) else { return }
      let gone = Task {
        for await event in central.connectionEvents {
          if case .disconnected(let peripheral, let error) = event { return (peripheral.id, error?.kind) }
        }
        return (Peripheral.ID(band.address), nil)
      }
      try await band.world.settle()
      band.disconnect()
      #expect(await gone.value == (discovery.id, .disconnected))
      #expect(central.connected.isEmpty)
    }
  }
}
