import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A fault script", .reportsWorlds)
struct FaultScriptTests {
  @Test("F43: a link drops at the nth packet, and everything that waits ends with it", arguments: [1, 5, 9])
  func dropAtPacket(number: Int) async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      _ = try await peripheral.services()
      // Until the link is silent, so that each packet is one of a read.
      _ = try await peripheral.read(Echo.value)
      try await world.run(for: .seconds(1))
      device.faults.add(.dropLink(reason: .remoteUserTerminatedConnection, at: .packet(number)))
      var reads = 0
      let error = await bluetoothError {
        while true {
          _ = try await peripheral.read(Echo.value)
          reads += 1
        }
      }
      #expect(error?.kind == .disconnected)
      // A read is two packets.
      #expect(reads <= number / 2 && reads >= number / 2 - 1)
      #expect(device.faults.history.count == 1)
      try await world.run(for: .seconds(1))
      #expect(!device.isConnected)
    }
  }

  @Test("F43: a link drops at a time, with a reason or without a word")
  func dropAtTime() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      for reason in [HCIStatus.remoteUserTerminatedConnection, nil] {
        let peripheral = try await connect(to: device, in: world)
        let start = world.now
        device.faults.add(.dropLink(reason: reason, at: .after(.seconds(3))))
        for await state in peripheral.states where state.isDisconnected { break }
        let life = start.duration(to: world.now)
        #expect(life >= .seconds(3))
        #expect((life < .milliseconds(3001)) == (reason != nil))
        try await world.run(for: .seconds(30))
        #expect(!device.isConnected)
      }
    }
  }

  @Test("F43: packets that get lost are only late; when all are lost for too long the link ends by its timeout")
  func lose() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      _ = try await peripheral.services()
      let start = world.now
      for _ in 0..<5 { #expect(try await peripheral.read(Echo.value) == [1, 2, 3]) }
      let normal = start.duration(to: world.now)
      let loss = device.faults.add(.losePackets(0.6))
      let later = world.now
      for number in UInt8(0)..<5 { try await peripheral.write([number], to: Echo.value) }
      for _ in 0..<5 { #expect(try await peripheral.read(Echo.value) == [4]) }
      #expect(later.duration(to: world.now) > normal * 2)
      #expect(device.written(to: Echo.uuid) == (0..<5).map { [UInt8($0)] })
      if let loss { device.faults.remove(loss) }
      device.faults.add(.losePackets(for: .milliseconds(500)))
      #expect(try await peripheral.read(Echo.value) == [4])
      world.faults(of: world.radio)?.add(.losePackets(1, .received))
      let error = await bluetoothError { _ = try await peripheral.read(Echo.value) }
      #expect(error?.kind == .disconnected)
    }
  }

  @Test("F43: packets that come late come in order, and the news of the end behind them")
  func delay() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      let values = Task {
        var values: [[UInt8]] = []
        for try await value in peripheral.values(of: Echo.value).prefix(6) { values.append(value) }
        return values
      }
      try await world.run(for: .seconds(2))
      #expect(device.subscriberCount(of: Echo.uuid) == 1)
      device.faults.add(.delayPackets(by: .seconds(2), for: .seconds(1)))
      let start = world.now
      for number in UInt8(0)..<5 { try device.notify([number], of: Echo.uuid) }
      try await world.run(for: .seconds(1))
      try device.notify([5], of: Echo.uuid)
      #expect(try await values.value == (0...5).map { [UInt8($0)] })
      let passed = start.duration(to: world.now)
      #expect(passed > .seconds(2) && passed < .milliseconds(2300))
    }
  }

  @Test("requests are refused, delayed, answered with garbage or never, as many and as often as the script says")
  func requests() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      _ = try await peripheral.services()
      device.faults.add(.refuse(.reads(of: Echo.uuid), with: .insufficientAuthorization, times: 2, skipping: 1))
      #expect(try await peripheral.read(Echo.value) == [1, 2, 3])
      for _ in 0..<2 {
        let error = await bluetoothError { _ = try await peripheral.read(Echo.value) }
        #expect(error?.attCode == .insufficientAuthorization)
      }
      #expect(try await peripheral.read(Echo.value) == [1, 2, 3])
      device.faults.removeAll()
      device.faults.add(.delay(.writes, by: .seconds(5), times: 1))
      let start = world.now
      try await peripheral.write([9], to: Echo.value, type: .withResponse)
      #expect(start.duration(to: world.now) >= .seconds(5))
      device.faults.add(.garbage(.reads, [0x0B] + [UInt8](repeating: 1, count: 600), times: 1))
      #expect(await bluetoothError { _ = try await peripheral.read(Echo.value) } != nil)
      #expect(try await peripheral.read(Echo.value) == [9])
      device.faults.add(.ignore(.reads))
      let error = await bluetoothError { _ = try await peripheral.read(Echo.value, timeout: .never) }
      #expect(error?.kind == .timedOut)
      #expect(device.faults.history.count == 5)
    }
  }

  @Test("F16: a script that notifies before the reply to the subscription loses no value")
  func notifyFirst() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      device.faults.add(.notifyBeforeReply([7]))
      let peripheral = try await connect(to: device, in: world)
      var values = peripheral.values(of: Echo.value).makeAsyncIterator()
      #expect(try await values.next() == [7])
    }
  }

  @Test("F43: the adapter, and a device, goes off and on again by itself")
  func power() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let central = Central(radio: world.radio)
      try await central.ready()
      let peripheral = try await central.connect(to: PeerID(device.address))
      world.faults(of: world.radio)?.add(.powerOff(at: .after(.seconds(1)), for: .seconds(5)))
      for await state in central.states where state != .poweredOn { break }
      for await state in peripheral.states where state.isDisconnected { break }
      try await central.ready()
      let again = try await central.connect(to: PeerID(device.address), timeout: .seconds(40))
      device.faults.add(.powerOff(for: .seconds(5)))
      #expect(!device.isPoweredOn)
      for await state in again.states where state.isDisconnected { break }
      _ = try await central.connect(to: PeerID(device.address), timeout: .seconds(40))
      #expect(device.isPoweredOn && device.isConnected)
    }
  }

  @Test("a device that stops advertising is not found for that long, and one that changes its address is another one")
  func advertising() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let central = Central(radio: world.radio)
      try await central.ready()
      device.faults.add(.stopAdvertising(for: .seconds(20)))
      let error = await bluetoothError { for try await _ in central.scan(timeout: .seconds(10)) { break } }
      #expect(error?.kind == .timedOut)
      try await world.run(for: .seconds(10))
      let before = device.address
      for try await found in central.scan(timeout: .seconds(10)) {
        #expect(found.peripheral.id == PeerID(before))
        break
      }
      device.faults.add(.changeAddress())
      #expect(device.address != before)
      for try await found in central.scan(timeout: .seconds(10)) {
        #expect(found.peripheral.id == PeerID(device.address))
        break
      }
      let old = await bluetoothError { _ = try await central.connect(to: PeerID(before), timeout: .seconds(5)) }
      #expect(old?.kind == .timedOut)
    }
  }

  @Test(
    "F37, F38: after the database changed, announced or not, there are the new services, once",
    arguments: [true, false]
  )
  func database(isAnnounced: Bool) async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let central = Central(radio: world.radio)
      try await central.ready()
      var peripheral = try await central.connect(to: PeerID(device.address))
      let before = try await peripheral.services().map(\.uuid)
      #expect(try await peripheral.read(Echo.value) == [1, 2, 3])
      // Until the central has subscribed to such changes.
      try await world.run(for: .seconds(1))
      let other = VirtualDevice.Service(
        "E0E00000-0000-4000-8000-0000000000FF",
        characteristics: [.init("E0E00001-0000-4000-8000-0000000000FF", [.read], value: [4])]
      )
      let moved = VirtualDevice.Service(Echo.service, characteristics: [.init(Echo.uuid, [.read], value: [5])])
      device.faults.add(.changeDatabase(to: [other, moved], isAnnounced: isAnnounced))
      if !isAnnounced {
        for await state in peripheral.states where state.isDisconnected { break }
        peripheral = try await central.connect(to: PeerID(device.address))
      } else {
        try await world.run(for: .seconds(2))
      }
      let after = try await peripheral.services().map(\.uuid)
      #expect(after.count == before.count + 1 && after.contains(other.uuid))
      #expect(Set(after).count == after.count)
      #expect(try await peripheral.read(Echo.value) == [5])
      #expect(device.isConnected)
    }
  }

  @Test("F36: one service twice on a device whose database changed: both work, a name alone is ambiguous")
  func twice() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let one = VirtualDevice.Service(Echo.service, characteristics: [.init(Echo.uuid, [.read, .notify], value: [1])])
      let two = VirtualDevice.Service(Echo.service, characteristics: [.init(Echo.uuid, [.read, .notify], value: [2])])
      device.faults.add(.changeDatabase(to: [one, two], isAnnounced: false))
      let peripheral = try await connect(to: device, in: world)
      let error = await bluetoothError { _ = try await peripheral.read(Echo.value) }
      #expect(error?.kind == .ambiguous)
      let services = try await peripheral.services().filter { $0.uuid == Echo.service.uuid }
      #expect(services.count == 2)
      try await expectApart(services.flatMap(\.characteristics), on: peripheral, of: device, in: world)
    }
  }

  @Test("F36: one characteristic twice in one service: both are read and heard of, a name alone is ambiguous")
  func twiceInOne() async throws {
    try await World.simulated(seed: 1) { world in
      let both = [UInt8(1), 2].map { VirtualDevice.Characteristic(Echo.uuid, [.read, .notify], value: [$0]) }
      let device = world.add(
        .custom(name: "Twice") { $0.services = [VirtualDevice.Service(Echo.service, characteristics: both)] }
      )
      let peripheral = try await connect(to: device, in: world)
      let error = await bluetoothError { _ = try await peripheral.read(Echo.value) }
      #expect(error?.kind == .ambiguous)
      let service = try #require(try await peripheral.services().first { $0.uuid == Echo.service.uuid })
      try await expectApart(service.characteristics, on: peripheral, of: device, in: world)
    }
  }

  /// Both have their own values, [1] and [2], and their own notifications.
  private func expectApart(
    _ characteristics: [Characteristic<[UInt8]>],
    on peripheral: Peripheral,
    of device: VirtualDevice,
    in world: World
  ) async throws {
    let handles = device.handles(of: Echo.uuid)
    #expect(characteristics.map(\.handle) == handles)
    try #require(handles.count == 2 && characteristics.count == 2)
    for (characteristic, value) in zip(characteristics, [UInt8(1), 2]) {
      #expect(try await peripheral.read(characteristic) == [value])
    }
    let heard = characteristics.map { characteristic in
      Task {
        var values: [[UInt8]] = []
        for try await value in peripheral.values(of: characteristic).prefix(3) { values.append(value) }
        return values
      }
    }
    try await world.run(for: .seconds(2))
    #expect(handles.map { device.subscriberCount(of: $0) } == [1, 1])
    for number in UInt8(0)..<3 {
      for (handle, kind) in zip(handles, [UInt8(10), 20]) { try device.notify([kind + number], of: handle) }
    }
    #expect(try await heard[0].value == [[10], [11], [12]])
    #expect(try await heard[1].value == [[20], [21], [22]])
    for (characteristic, value) in zip(characteristics, [UInt8(12), 22]) {
      #expect(try await peripheral.read(characteristic) == [value])
    }
  }

  @Test("a radio takes no faults of servers; out of range is for both")
  func ofRadios() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let faults = try #require(world.faults(of: world.radio))
      #expect(faults.add(.refuse(.reads, with: .readNotPermitted)) == nil)
      #expect(faults.add(.changeAddress()) == nil)
      let peripheral = try await connect(to: device, in: world)
      faults.add(.outOfRange(for: .seconds(60)))
      for await state in peripheral.states where state.isDisconnected { break }
      let again = try await Central(radio: world.radio).connect(to: PeerID(device.address), timeout: .never)
      #expect(world.now.sinceStart > .seconds(60))
      #expect(try await again.read(Echo.value) == [1, 2, 3])
    }
  }
}
