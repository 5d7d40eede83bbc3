import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A device of one's own description", .reportsWorlds)
struct CustomDeviceTests {
  private static let service = ServiceID("F00D")
  private static let battery = ServiceID("180F")

  @Test("F35, F36: the same UUIDs twice, secondary and included services are all there and kept apart")
  func twice() async throws {
    try await World.simulated(seed: 1) { world in
      let one = VirtualDevice.Characteristic("BEEF", [.read, .notify], value: [1])
      let two = VirtualDevice.Characteristic("BEEF", [.read, .notify], value: [2], userDescription: "second")
      let three = VirtualDevice.Characteristic("BEEF", [.read, .notify], value: [3])
      let secondary = VirtualDevice.Service(Self.battery, isPrimary: false, characteristics: [one])
      let device = world.add(
        .custom(name: "Twice") {
          $0.services = [
            VirtualDevice.Service(Self.service, includes: [secondary], characteristics: [two]),
            VirtualDevice.Service(Self.service, includes: [secondary], characteristics: [three]),
          ]
        }
      )
      let handles = device.handles(of: "BEEF")
      #expect(
        handles == [try #require(device.handle(of: one)), try #require(device.handle(of: two))]
          + [try #require(device.handle(of: three))]
      )
      #expect(throws: DeviceError.self) { try device.set([1], of: "BEEF") }
      #expect(throws: DeviceError.self) { try device.set([1], of: "DEAD") }
      #expect(throws: DeviceError.self) { try device.set([1], of: AttributeHandle(1)) }

      let peripheral = try await connect(to: device, in: world)
      let found = try await peripheral.services().filter { $0.uuid == Self.service.uuid }
      #expect(found.count == 2)
      #expect(found.allSatisfy { $0.includedServices.map(\.uuid) == [Self.battery.uuid] })
      let characteristics = found.flatMap(\.characteristics)
      #expect(characteristics.map(\.handle) == Array(handles.dropFirst()))
      for (characteristic, value) in zip(characteristics, [UInt8(2), 3]) {
        #expect(try await peripheral.read(characteristic) == [value])
      }
    }
  }

  @Test("handlers answer reads and judge writes; values go out in time while somebody has subscribed")
  func handlers() async throws {
    try await World.simulated(seed: 1) { world in
      let time = VirtualDevice.Characteristic(
        "0001",
        [.read, .write],
        onRead: { device in [UInt8(clamping: device.world.now.sinceStart.components.seconds)] },
        onWrite: { (value, _) throws(ATTErrorCode) in if value == [0] { throw .outOfRange } }
      )
      let refusing = VirtualDevice.Characteristic(
        "0002",
        .read,
        onRead: { (_) throws(ATTErrorCode) in throw .insufficientAuthorization }
      )
      let ticking = VirtualDevice.Characteristic("0003", every: .milliseconds(500)) { device in
        [UInt8(truncatingIfNeeded: device.written.count)]
      }
      let device = world.add(
        .custom(name: "Handlers") {
          $0.services = [VirtualDevice.Service(Self.service, characteristics: [time, refusing, ticking])]
        }
      )
      let peripheral = try await connect(to: device, in: world)
      func name(_ uuid: BluetoothUUID) -> Characteristic<[UInt8]> { Characteristic(uuid, in: Self.service) }
      try await world.run(for: .seconds(42 - world.now.sinceStart.components.seconds))
      #expect(try await peripheral.read(name("0001")) == [42])
      #expect(
        await bluetoothError { _ = try await peripheral.read(name("0002")) }?.attCode == .insufficientAuthorization
      )
      try await peripheral.write([5], to: name("0001"))
      #expect(await bluetoothError { try await peripheral.write([0], to: name("0001")) }?.attCode == .outOfRange)
      #expect(device.written(to: "0001") == [[5]])
      #expect(try device.value(of: "0001") == [5])

      let start = world.now
      var count = 0
      for try await value in peripheral.values(of: name("0003")) {
        #expect(value == [1])
        count += 1
        if count == 10 { break }
      }
      let passed = start.duration(to: world.now)
      #expect(passed > .seconds(5) && passed < .milliseconds(5500))
    }
  }

  @Test("F30: more notifications than there is room for wait, and all come in order")
  func floods() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      let received = Task {
        var values: [[UInt8]] = []
        for try await value in peripheral.values(of: Echo.value) {
          values.append(value)
          if values.count == 250 { break }
        }
        return values
      }
      try await world.run(for: .seconds(2))
      for number in 0..<250 { try device.notify([UInt8(number)], of: Echo.uuid) }
      #expect(try await received.value == (0..<250).map { [UInt8($0)] })
      #expect(device.problems.isEmpty, "\(device.problems)")
    }
  }
}
