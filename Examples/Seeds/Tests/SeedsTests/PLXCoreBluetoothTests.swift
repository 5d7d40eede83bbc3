import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@testable import Seeds

@Suite("The README of PLXCoreBluetooth", .reportsWorlds)
struct PLXCoreBluetoothTests {
  private func withMeters(
    _ count: Int = 3,
    _ body: @escaping @Sendable (Central, [VirtualDevice]) async throws -> Void
  ) async throws {
    try await World.simulated(seed: 1) { world in
      let devices = (1...count).map { world.add(.meter(name: "Meter \($0)", level: UInt8(10 * $0))) }
      try await body(PLXCoreBluetooth.waitingCentral(on: world.radio), devices)
    }
  }

  @Test("PLX-10: from one endless scan each device is connected to, and all values of a service are collected")
  func example() async throws {
    try await withMeters { central, devices in
      let collected = try await PLXCoreBluetooth.readAll(of: PLXCoreBluetooth.special, from: 3, central: central)
      let expected = devices.enumerated().map { (Peripheral.ID($1.address), [[UInt8(10 * ($0 + 1))], [90]]) }
      #expect(collected == Dictionary(uniqueKeysWithValues: expected))
      try await devices[0].world.run(for: .seconds(1))
      #expect(central.activity.isEmpty)
      #expect(devices.allSatisfy { !$0.isConnected })
    }
  }

  @Test("PLX-01, PLX-05: operations wait for Bluetooth, and whether it is on is a stream")
  func waiting() async throws {
    try await withMeters(1) { central, devices in
      let world = devices[0].world
      world.radioPower(false)
      try await world.run(for: .seconds(1))
      async let states = PLXCoreBluetooth.poweredOn(central: central, changes: 2)
      async let found = PLXCoreBluetooth.scanForCount(1, central: central)
      try await world.run(for: .seconds(20))
      world.radioPower(true)
      #expect(try await found.count == 1)
      #expect(await states == [false, true])
    }
  }

  @Test("PLX-03, PLX-04: scans end by their count or by a stop; connecting and disconnecting are awaited")
  func central() async throws {
    try await withMeters { central, devices in
      #expect(try await PLXCoreBluetooth.scanForCount(2, central: central).count == 2)
      #expect(try await PLXCoreBluetooth.scanUntilStopped(central: central).count == 3)
      try await PLXCoreBluetooth.connectAndDisconnect(central: central)
      #expect(devices.allSatisfy { !$0.isConnected })
    }
  }

  @Test("PLX-06 to PLX-09: names, discovery, reading, writing, updates, and changes of services")
  func peripheral() async throws {
    try await withMeters(1) { central, devices in
      let meter = try await central.scan(for: [PLXCoreBluetooth.special]).connect()
      let service = try #require(try await PLXCoreBluetooth.discover(meter).first)
      #expect(service.includedServices.map(\.uuid) == ["FFF8"])
      #expect(service.characteristics.map(\.uuid) == ["FFF1", "FFF2"])
      #expect(Set(service.characteristics[1].descriptors.map(\.uuid)) == ["2901", "FFFA"])
      let read = try await PLXCoreBluetooth.read(meter)
      #expect(read.rssi < 0)
      #expect(read.level == 10)
      #expect(read.description == "limit")
      try await PLXCoreBluetooth.write(meter)
      #expect(devices[0].written(to: "FFF2") == [[80], [85]])
      let updates = try await PLXCoreBluetooth.update(meter)
      #expect(updates == ([10, 10], 2, 2))
      try await devices[0].world.run(for: .seconds(1))
      #expect(devices[0].subscriberCount(of: "FFF1") == 0)
      async let change = PLXCoreBluetooth.serviceChange(of: meter)
      try await devices[0].world.settle()
      devices[0].faults.add(.changeDatabase(to: []))
      #expect(await change?.invalidated.map(\.uuid).contains("FFF0") == true)
    }
  }
}
