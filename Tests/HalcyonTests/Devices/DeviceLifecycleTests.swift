import BluetoothTypes
import GATTProfiles
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A device in its world", .reportsWorlds)
struct DeviceLifecycleTests {
  @Test("advertises again after each way to lose a link")
  func advertisesAgain() async throws {
    try await World.simulated(seed: 2) { world in
      let device = world.add(.custom(Echo.description()))
      let central = Central(radio: world.radio)
      try await central.ready()
      func connect() async throws -> Peripheral {
        let peripheral = try await central.scan(for: [Echo.service]).connect()
        #expect(device.isConnected)
        #expect(try await peripheral.read(Echo.value) == [1, 2, 3])
        return peripheral
      }
      let first = try await connect()
      await first.disconnect()
      try await world.run(for: .seconds(1))
      #expect(!device.isConnected)

      let second = try await connect()
      device.disconnect()
      #expect(!device.isConnected)
      try await world.run(for: .seconds(1))
      #expect(!second.state.isReady)

      let third = try await connect()
      device.powerOff()
      #expect(!device.isConnected && !device.isPoweredOn)
      try await world.run(for: .seconds(10))
      #expect(!third.state.isReady)
      device.powerOn()

      let fourth = try await connect()
      device.moveOutOfRange(for: .seconds(20))
      try await world.run(for: .seconds(15))
      #expect(!fourth.state.isReady)
      #expect(!device.isConnected)
      #expect(await bluetoothError { _ = try await central.scan(timeout: .seconds(2)).connect() }?.kind == .timedOut)
      _ = try await connect()

      device.move(to: 1000)
      try await world.run(for: .seconds(15))
      #expect(!device.isConnected)
      device.move(to: 5)
      _ = try await connect()
      #expect(device.problems.isEmpty, "\(device.problems)")
    }
  }

  @Test("the same seed gives the same bytes, whatever else is in the world")
  func repeatable() async throws {
    func run(seed: UInt64, company: Bool) async throws -> ([HeartRateMeasurement], BluetoothAddress) {
      try await World.simulated(seed: seed) { world in
        if company { world.add(.thermometer(name: "Other")) }
        let band = world.add(.heartRateBand(name: "Pulse"))
        let peripheral = try await connect(to: band, in: world)
        var beats: [HeartRateMeasurement] = []
        let name = Characteristic<HeartRateMeasurement>("2A37", in: .heartRate)
        for try await beat in peripheral.values(of: name) {
          beats.append(beat)
          if beats.count == 20 { break }
        }
        return (beats, band.address)
      }
    }
    let first = try await run(seed: 5, company: false)
    let again = try await run(seed: 5, company: false)
    let inCompany = try await run(seed: 5, company: true)
    let other = try await run(seed: 6, company: false)
    #expect(first == again)
    #expect(first.1 == inCompany.1)
    #expect(first.0.map(\.beatsPerMinute) == inCompany.0.map(\.beatsPerMinute))
    #expect(first.0 != other.0)
    #expect(first.1 != other.1)
    #expect(first.1.randomKind == .static)
  }

  @Test("two devices of one name have different addresses, and a device nobody hears takes no time")
  func idle() async throws {
    try await World.simulated(seed: 3) { world in
      let one = world.add(.heartRateBand(name: "Pulse"))
      let two = world.add(.heartRateBand(name: "Pulse"))
      #expect(one.address != two.address)
      try await world.run(for: .seconds(1))
      let packets = world.trace.packetCount
      try await world.run(for: .seconds(20 * 3600))
      #expect(world.trace.packetCount == packets)
      #expect(one.batteryLevel == 20)
      #expect(one.energyExpended > 10_000)
    }
  }

  @Test("what it advertises fits, with a long name in the scan response")
  func advertisement() async throws {
    try await World.simulated(seed: 4) { world in
      var description = VirtualDevice.Description(name: "A lamp with quite a long name of its own")
      description.advertisedServices = [Lamp.service]
      description.manufacturerData = ManufacturerData(.internalUse, [1, 2])
      description.isConnectable = false
      world.add(.custom(description))
      let central = Central(radio: world.radio)
      try await central.ready()
      for try await discovery in central.scan(for: [Lamp.service], timeout: .seconds(5)) {
        // The scan response comes behind the advertisement.
        guard discovery.advertisement.localName != nil else { continue }
        #expect(discovery.advertisement.localName == "A lamp with quite a long name")
        #expect(discovery.advertisement.manufacturerData == ManufacturerData(.internalUse, [1, 2]))
        #expect(!discovery.isConnectable)
        break
      }
    }
  }

  @Test("the device asks for other connection parameters, and gets them")
  func parameters() async throws {
    try await World.simulated(seed: 4) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      device.requestConnectionParameters(interval: .milliseconds(400) ... .milliseconds(500))
      try await world.run(for: .seconds(5))
      #expect(device.problems.isEmpty, "\(device.problems)")
      let start = world.now
      for _ in 0..<4 { _ = try await peripheral.read(Echo.value) }
      #expect(start.duration(to: world.now) > .milliseconds(1200))
    }
  }
}
