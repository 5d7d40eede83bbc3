import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Faults on one link, at one moment, in one direction", .reportsWorlds)
struct FaultLinkTests {
  /// A device with two centrals.
  private struct Three: Sendable {
    let world: World
    let device: VirtualDevice
    let radio: any Radio
    let first: Peripheral
    let second: Peripheral

    func read(_ peripheral: Peripheral) async -> BluetoothError? {
      await bluetoothError { _ = try await peripheral.read(Echo.value, timeout: .never) }
    }
  }

  private func withThree(_ body: @escaping @Sendable (Three) async throws -> Void) async throws {
    try await World.simulated(seed: 1) { world in
      var description = Echo.description()
      description.advertisesWhileConnected = true
      let device = world.add(.custom(description))
      let radio = world.makeRadio()
      let first = try await connect(to: device, in: world)
      let second = try await Central(radio: radio).connect(to: PeerID(device.address))
      _ = try await first.services()
      _ = try await second.services()
      try await world.run(for: .seconds(1))
      try await body(Three(world: world, device: device, radio: radio, first: first, second: second))
    }
  }

  @Test("F43: one of two links drops; at the nth packet of that link", arguments: [true, false])
  func drop(byAddress: Bool) async throws {
    try await withThree { three in
      // What the world's own radio is known by at the device.
      let own = BluetoothAddress(0x0248_414C_0001, .public)
      let fault = Fault.dropLink(reason: .remoteUserTerminatedConnection, at: .packet(5))
      three.device.faults.add(
        byAddress ? fault.onLinks(to: PeerID(own)) : fault.onLinks(to: three.world.radio)
      )
      for _ in 0..<4 { #expect(await three.read(three.second) == nil) }
      #expect(await three.read(three.first) == nil)
      let error = await bluetoothError { while true { _ = try await three.first.read(Echo.value) } }
      #expect(error?.kind == .disconnected)
      #expect(await three.read(three.second) == nil)
      #expect(three.device.connectionCount == 1)
    }
  }

  @Test("F43: packets get lost on one of two links, or come late, or the two do not hear each other")
  func trouble() async throws {
    try await withThree { three in
      let delay = three.device.faults.add(.delayPackets(by: .seconds(2)).onLinks(to: three.radio))
      var start = three.world.now
      #expect(await three.read(three.first) == nil)
      #expect(start.duration(to: three.world.now) < .seconds(1))
      start = three.world.now
      #expect(await three.read(three.second) == nil)
      #expect(start.duration(to: three.world.now) >= .seconds(4))
      if let delay { three.device.faults.remove(delay) }
      // The same from the other side.
      let loss = three.world.faults(of: three.radio)?.add(.losePackets().onLinks(to: three.device))
      #expect(loss != nil)
      #expect(await three.read(three.second)?.kind == .disconnected)
      #expect(await three.read(three.first) == nil)
      three.world.faults(of: three.radio)?.removeAll()
      three.device.faults.add(.outOfRange(for: .seconds(60)).onLinks(to: three.radio))
      let central = Central(radio: three.radio)
      let error = await bluetoothError {
        _ = try await central.connect(to: PeerID(three.device.address), timeout: .seconds(30))
      }
      #expect(error?.kind == .timedOut)
      #expect(await three.read(three.first) == nil)
      _ = try await central.connect(to: PeerID(three.device.address), timeout: .seconds(60))
    }
  }

  @Test("requests of one of two centrals get another answer")
  func requests() async throws {
    try await withThree { three in
      three.device.faults.add(.refuse(.reads, with: .insufficientAuthorization, times: 2).onLinks(to: three.radio))
      for _ in 0..<3 { #expect(await three.read(three.first) == nil) }
      for _ in 0..<2 { #expect(await three.read(three.second)?.attCode == .insufficientAuthorization) }
      #expect(await three.read(three.second) == nil)
      #expect(three.device.faults.history.count == 2)
    }
  }

  @Test("a fault that strikes more than links, or names nobody of this world, is not taken")
  func refused() async throws {
    let stranger = try await World.simulated(seed: 2) { world in world.makeRadio() }
    try await withThree { three in
      let faults = three.device.faults
      for fault in [
        Fault.powerOff(), .stopAdvertising(), .changeAddress(), .changeDatabase(to: []),
      ] { #expect(faults.add(fault.onLinks(to: three.radio)) == nil) }
      #expect(faults.add(.dropLink().onLinks(to: stranger)) == nil)
      #expect(faults.add(.dropLink().onLinks(to: PeerID(high: 1, low: 2))) == nil)
      #expect(three.device.connectionCount == 2 && three.device.isPoweredOn)
    }
  }

  @Test("a link that comes up while packets get lost loses them too")
  func newLinks() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      device.faults.add(.losePackets(1, .sent))
      let central = Central(radio: world.radio)
      try await central.ready()
      let error = await bluetoothError {
        let peripheral = try await central.connect(to: PeerID(device.address), timeout: .seconds(20))
        _ = try await peripheral.read(Echo.value)
      }
      #expect(error != nil)
      device.faults.removeAll()
      let peripheral = try await central.connect(to: PeerID(device.address), timeout: .seconds(20))
      #expect(try await peripheral.read(Echo.value) == [1, 2, 3])
    }
  }

  // MARK: Moments, directions, radios

  @Test("F43: a fault begins at its moment; one whose moment is over begins at once")
  func moments() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      device.faults.add(.powerOff(at: .at(.zero.advanced(by: .seconds(40))), for: .seconds(5)))
      try await world.run(for: .milliseconds(39_999))
      #expect(device.isPoweredOn)
      try await world.run(for: .milliseconds(2))
      #expect(!device.isPoweredOn)
      try await world.run(for: .seconds(6))
      #expect(device.isPoweredOn)
      device.faults.add(.powerOff(at: .at(.zero.advanced(by: .seconds(1)))))
      #expect(!device.isPoweredOn)
    }
  }

  @Test("F43: what a device sends gets lost, what it should hear does not", arguments: [true, false])
  func directions(isSent: Bool) async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      _ = try await peripheral.services()
      try await world.run(for: .seconds(1))
      device.faults.add(.losePackets(1, isSent ? .sent : .received))
      try await peripheral.write([9], to: Echo.value, type: .withoutResponse)
      try await world.run(for: .seconds(2))
      #expect(device.written.map(\.value) == (isSent ? [[9]] : []))
      for await state in peripheral.states where state.isDisconnected { break }
    }
  }

  @Test("changeAddress gives the address that is named")
  func address() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      for address in [BluetoothAddress(0xC000_0000_0099, .random), BluetoothAddress(0x0011_2233_4455, .public)] {
        device.faults.add(.changeAddress(to: address))
        #expect(device.address == address)
        let peripheral = try await connect(to: device, in: world)
        #expect(peripheral.id == PeerID(address))
        #expect(try await peripheral.read(Echo.value) == [1, 2, 3])
        await peripheral.disconnect()
      }
    }
  }

  @Test("packets of a radio come late on all its links")
  func delayOfRadio() async throws {
    try await World.simulated(seed: 1) { world in
      let devices = (0..<2).map { world.add(.custom(Echo.description(name: "Echo \($0)"))) }
      var peripherals: [Peripheral] = []
      for device in devices { peripherals.append(try await connect(to: device, in: world)) }
      for peripheral in peripherals { _ = try await peripheral.services() }
      world.faults(of: world.radio)?.add(.delayPackets(by: .seconds(1)))
      for peripheral in peripherals {
        let start = world.now
        #expect(try await peripheral.read(Echo.value) == [1, 2, 3])
        #expect(start.duration(to: world.now) >= .seconds(2))
      }
    }
  }

  @Test("a script answers a request by ending the link")
  func disconnect() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      device.faults.add(.answer(.writes(to: Echo.uuid), with: .disconnect, times: 1))
      #expect(try await peripheral.read(Echo.value) == [1, 2, 3])
      let error = await bluetoothError { try await peripheral.write([1], to: Echo.value) }
      #expect(error?.kind == .disconnected)
      let again = try await connect(to: device, in: world)
      try await again.write([2], to: Echo.value)
      #expect(device.written(to: Echo.uuid) == [[2]])
    }
  }
}
