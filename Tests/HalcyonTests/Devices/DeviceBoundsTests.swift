import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A device among peers that ask without end", .reportsWorlds)
struct DeviceBoundsTests {
  @Test("what waits for its time when a device starts again is not taken for what comes after")
  func lateAnswers() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let central = Central(radio: world.radio)
      try await central.ready()
      device.faults.add(.delay(.kind(.writeCommand), by: .seconds(60)))
      let first = try await central.connect(to: PeerID(device.address))
      _ = try await first.services()
      for number in UInt8(0)..<40 { try await first.write([1, number], to: Echo.value, type: .withoutResponse) }
      try await world.run(for: .seconds(1))
      device.faults.add(.changeAddress(to: device.address))
      for await state in first.states where state.isDisconnected { break }
      let second = try await central.connect(to: PeerID(device.address))
      _ = try await second.services()
      let start = world.now
      for number in UInt8(0)..<40 { try await second.write([2, number], to: Echo.value, type: .withoutResponse) }
      #expect(start < .zero.advanced(by: .seconds(50)))
      try await world.run(for: .seconds(90))
      #expect(device.written.map(\.value) == (0..<40).map { [2, $0] })
      #expect(device.written.allSatisfy { $0.time >= start.advanced(by: .seconds(60)) })
    }
  }

  @Test("of the writes, the problems and the history of faults the last are kept, and all are counted")
  func logs() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      _ = try await peripheral.services()
      let count = 10_200
      for number in 0..<count {
        try await peripheral.write(
          [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)],
          to: Echo.value,
          type: .withoutResponse
        )
      }
      try await world.run(for: .seconds(5))
      #expect(device.writeCount == count && device.written.count == 10_000)
      #expect(device.written.last?.value == [UInt8((count - 1) & 0xFF), UInt8((count - 1) >> 8)])
      device.faults.add(.refuse(.reads, with: .readNotPermitted))
      for _ in 0..<1200 { _ = try? await peripheral.read(Echo.value) }
      #expect(device.faults.history.count == 1000)
      let first = Task { try await peripheral.values(of: Echo.value).first { _ in true } }
      try await world.run(for: .seconds(1))
      // Each is longer than the link takes.
      let long = [UInt8](repeating: 1, count: 300)
      for _ in 0..<150 { try device.notify(long, of: Echo.uuid) }
      #expect(device.problemCount == 150 && device.problems.count == 100)
      try device.notify([1], of: Echo.uuid)
      #expect(try await first.value == [1])
    }
  }

  @Test("F19: a client that is slower than the interval of a value gets the newest, and what it did not get is counted")
  func slowSubscriber() async throws {
    try await World.simulated(seed: 1) { world in
      let fast = VirtualDevice.Characteristic(Echo.uuid, .notify, every: .microseconds(200)) { device in
        let nanoseconds = device.world.now.nanoseconds
        return (0..<8).map { UInt8(truncatingIfNeeded: nanoseconds >> (8 * $0)) }
      }
      let device = world.add(
        .custom(name: "Fast") { $0.services = [VirtualDevice.Service(Echo.service, characteristics: [fast])] }
      )
      let peripheral = try await connect(to: device, in: world)
      var ages: [Duration] = []
      for try await value in peripheral.values(of: Echo.value).prefix(1000) {
        let sent = value.enumerated().reduce(Int64(0)) { $0 | Int64($1.element) << (8 * $1.offset) }
        ages.append(.nanoseconds(world.now.nanoseconds - sent))
      }
      #expect(device.droppedValueCount > 100)
      // No more than what the controller holds, and the host behind it, is older than the newest.
      #expect(ages.allSatisfy { $0 < .seconds(2) }, "\(String(describing: ages.max()))")
      #expect(device.problems.isEmpty, "\(device.problems)")
    }
  }

  @Test("nothing that is given to devices and faults can trap, however far out of range")
  func arguments() async throws {
    try await World.simulated(seed: 1) { world in
      let wild: [Duration] = [
        .zero, .seconds(-1), .nanoseconds(Int64.min), .nanoseconds(Int64.max), .seconds(Int64.max), .seconds(Int64.min),
      ]
      let device = world.add(.custom(Echo.description(mtu: .min)))
      let peripheral = try await connect(to: device, in: world)
      _ = try await peripheral.services()
      for number in [Int.min, -1, 0, Int.max] {
        for skipping in [Int.min, -1, Int.max] {
          device.faults.add(.answer(.reads, with: .error(.readNotPermitted), times: number, skipping: skipping))
          device.faults.add(.refuse(.reads, with: .readNotPermitted, times: number, skipping: skipping))
        }
        device.faults.removeAll()
        if number > 0 { device.faults.add(.dropLink(at: .packet(number))) }
        var odd = Echo.description(name: "Odd \(number)", mtu: number)
        odd.advertisingInterval = .seconds(number)
        odd.transmitPower = .min
        world.add(.custom(odd))
      }
      device.faults.add(.refuse(.reads, with: .readNotPermitted, skipping: .min))
      #expect(await bluetoothError { _ = try await peripheral.read(Echo.value) }?.attCode == .readNotPermitted)
      device.faults.removeAll()
      for duration in wild {
        let delay = device.faults.add(.delayPackets(by: duration, for: .milliseconds(1)))
        if let delay { device.faults.remove(delay) }
        device.faults.add(.losePackets(.nan, from: .after(duration), for: duration))
        device.faults.add(.outOfRange(from: .at(.zero.advanced(by: duration)), for: .zero))
        device.faults.removeAll()
        device.faults.add(.delay(.kind(.writeCommand), by: duration, times: 1))
        device.requestConnectionParameters(interval: min(duration, .zero)...max(duration, .zero), latency: .max)
        try device.setInterval(duration, of: Echo.uuid)
        device.moveOutOfRange(for: duration)
        device.moveIntoRange()
        device.move(
          along: Movement([.pause(duration), .walk(to: RadioPosition(x: .infinity), speed: .nan)], repeats: true)
        )
      }
      device.move(to: .nan)
      device.move(to: .infinity)
      device.move(to: 1)
      device.faults.removeAll()
      device.sendRaw([])
      device.sendRaw([UInt8](repeating: 0x1B, count: 70_000))
      device.onRequest { $0.kind == .read ? .raw([UInt8](repeating: 0, count: 70_000)) : .normal }
      try await world.run(for: .seconds(1))
      for bytes in [513, 70_000] {
        let value = [UInt8](repeating: 1, count: bytes)
        #expect(throws: DeviceError.self) { try device.set(value, of: Echo.uuid) }
        let error = #expect(throws: DeviceError.self) { try device.notify(value, of: Echo.uuid) }
        #expect(error?.kind == .tooLong)
      }
      let band = world.add(.heartRateBand(name: "Band"))
      for beats in [Int.min, 0, Int.max] { band.setBeatsPerMinute(beats) }
      let thermometer = world.add(.thermometer(name: "T", interval: MeasurementInterval(seconds: .max)))
      for celsius in [Double.nan, .infinity, -1e300] { thermometer.setTemperature(celsius) }
      try await world.run(for: .seconds(2))
    }
  }

  @Test("what a description asks for and can not be is told among the problems; the device has the rest")
  func obstacles() async throws {
    try await World.simulated(seed: 1) { world in
      let many = (0..<33_000).map { _ in VirtualDevice.Characteristic("2A19", [.read]) }
      let device = world.add(
        .custom(name: "Impossible") {
          $0.advertisedServices = [Echo.service, "E0E00000-0000-4000-8000-000000000002"]
          $0.manufacturerData = ManufacturerData(.internalUse, [UInt8](repeating: 1, count: 20))
          var deaf = VirtualDevice.Characteristic(Echo.uuid, [.read], value: [1, 2, 3])
          deaf.interval = .seconds(1)
          $0.services = [
            VirtualDevice.Service(Echo.service, characteristics: [deaf]),
            VirtualDevice.Service("180F", characteristics: many),
            VirtualDevice.Service(
              "180A",
              characteristics: [.init("2A29", [.read], value: [UInt8](repeating: 1, count: 513))]
            ),
          ]
        }
      )
      let problems = device.problems.joined(separator: "\n")
      for words in ["no room to advertise", "enough handles for the service", "nobody can subscribe", "513 bytes"] {
        #expect(problems.contains(words), "\(problems)")
      }
      let peripheral = try await connect(to: device, in: world)
      #expect(try await peripheral.read(Echo.value) == [1, 2, 3])
      #expect(try await peripheral.services().allSatisfy { $0.uuid != "180F" })
      device.faults.add(.changeDatabase(to: [VirtualDevice.Service("180F", characteristics: many)]))
      #expect(device.problems.last?.contains("enough handles") == true)
    }
  }
}
