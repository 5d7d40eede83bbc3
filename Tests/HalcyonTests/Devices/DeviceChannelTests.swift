import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Channels of virtual devices", .reportsWorlds(packets: 40))
struct DeviceChannelTests {
  private func run(
    _ channels: [VirtualDevice.Channel],
    _ body: @escaping @Sendable (VirtualDevice, Peripheral, World) async throws -> Void
  ) async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(name: "Logger") { $0.channels = channels })
      try await body(device, try await connect(to: device, in: world), world)
      #expect(device.problems.isEmpty, "\(device.problems)")
    }
  }

  @Test("a device echoes, also what is longer than the client takes, and shows what has come")
  func echo() async throws {
    try await run([.echo(0x0080)]) { device, peripheral, world in
      #expect(device.openChannels.isEmpty)
      let channel = try await peripheral.openChannel(psm: 0x0080, options: .init(mtu: 100))
      let open = try #require(device.openChannels.first)
      #expect(open.psm == 0x0080 && open.maximumSendLength == 100)
      try await channel.send([1, 2, 3])
      #expect(try await channel.receive() == [1, 2, 3])
      try await channel.send(pattern(250))
      var echoed: [UInt8] = []
      while echoed.count < 250, let part = try await channel.receive() { echoed += part }
      #expect(echoed == pattern(250))
      #expect(device.messages(on: 0x0080) == [[1, 2, 3], pattern(250)])
      await channel.close()
      try await world.run(for: .seconds(1))
      #expect(device.openChannels.isEmpty)
    }
  }

  @Test("a device that echoes holds back who sends without reading, and loses nothing")
  func heldBack() async throws {
    try await run([.echo(0x0080, options: ChannelOptions(mtu: 100, credits: 4))]) { device, peripheral, world in
      let channel = try await peripheral.openChannel(psm: 0x0080, options: .init(mtu: 100, credits: 3))
      let sender = Task {
        for number in UInt8(0)..<200 { try await channel.send([number] + pattern(99), timeout: .never) }
      }
      try await world.run(for: .seconds(60))
      #expect(device.messages(on: 0x0080).count < 120)
      for number in UInt8(0)..<200 { #expect(try await channel.receive() == [number] + pattern(99)) }
      try await sender.value
    }
  }

  @Test("a device takes all, takes nothing, or answers in its own way; it sends by itself and closes")
  func behaviours() async throws {
    let ends = Tally()
    var clock = VirtualDevice.Channel(0x0083)
    clock.interval = .seconds(1)
    clock.next = { channel in [UInt8(channel.device.world.now.sinceStart.components.seconds)] }
    clock.onEnd = { _, _ in ends.add() }
    let greeter = VirtualDevice.Channel(0x0084) { message, channel in
      channel.send(message.reversed())
      channel.close()
    } onOpen: { channel in
      channel.send(Array("hello".utf8))
    }
    try await run([.discard(0x0081), .ignore(0x0082), clock, greeter]) { device, peripheral, world in
      let discard = try await peripheral.openChannel(psm: 0x0081)
      try await discard.send(inParts: pattern(50_000))
      await discard.close()
      #expect(Array(device.messages(on: 0x0081).joined()) == pattern(50_000))

      let ignore = try await peripheral.openChannel(psm: 0x0082)
      let error = await bluetoothError {
        while true { try await ignore.send(pattern(1000), timeout: .seconds(5)) }
      }
      #expect(error?.kind == .timedOut && device.messages(on: 0x0082).isEmpty)
      try #require(device.openChannels.first).setReading(true)
      try await ignore.send([1], timeout: .seconds(5))

      let ticks = try await peripheral.openChannel(psm: 0x0083)
      let first = try #require(try await ticks.receive()?.first)
      #expect(try await ticks.receive()?.first == first + 1)
      await ticks.close()
      try await world.run(for: .seconds(1))
      #expect(ends.count == 1)

      let greeted = try await peripheral.openChannel(psm: 0x0084)
      try await greeted.send([1, 2, 3])
      var all: [[UInt8]] = []
      for try await message in greeted { all.append(message) }
      #expect(all == [Array("hello".utf8), [3, 2, 1]])
    }
  }

  @Test("F43: faults refuse channels, leave them unanswered, close them and let them stall")
  func faults() async throws {
    try await run([.echo(0x0080), .echo(0x0081)]) { device, peripheral, world in
      device.faults.add(.refuseChannel(to: 0x0080, with: .noResources, times: 1, skipping: 1))
      _ = try await peripheral.openChannel(psm: 0x0080)
      let refused = await bluetoothError { _ = try await peripheral.openChannel(psm: 0x0080) }
      #expect(refused?.channelResult == .noResources)
      #expect(device.faults.history.last?.fault == "refuse channels to PSM 0x0080: PSM 0x0080")
      let channel = try await peripheral.openChannel(psm: 0x0080)

      device.faults.add(.ignoreChannel(to: 0x0081, times: 1))
      let start = world.now
      let ignored = await bluetoothError { _ = try await peripheral.openChannel(psm: 0x0081, timeout: .never) }
      #expect(ignored?.kind == .timedOut && start.duration(to: world.now) == .seconds(30))

      device.faults.add(.stallChannels(for: .seconds(10)))
      let stalled = world.now
      try await channel.send([1])
      #expect(try await channel.receive() == [1])
      #expect(stalled.duration(to: world.now) >= .seconds(10))
      #expect(stalled.duration(to: world.now) < .seconds(11))

      device.faults.add(.closeChannels(at: .after(.seconds(3))))
      #expect(try await channel.receive() == nil)
      #expect(stalled.duration(to: world.now) > .seconds(12))
      #expect(world.faults(of: world.radio)?.add(.closeChannels()) == nil)
    }
  }

  @Test("a device keeps its channels over a restart, with those that were open gone")
  func restart() async throws {
    try await run([.echo(0x0080)]) { device, peripheral, world in
      let channel = try await peripheral.openChannel(psm: 0x0080)
      device.powerOff()
      #expect(device.openChannels.isEmpty)
      device.powerOn()
      let error = await bluetoothError { _ = try await channel.receive() }
      #expect(error?.kind == .disconnected)
      device.faults.add(.changeDatabase(to: [], isAnnounced: false))
      try await world.run(for: .seconds(3))
      let again = try await connect(to: device, in: world).openChannel(psm: 0x0080)
      try await again.send([7])
      #expect(try await again.receive() == [7])
    }
  }

  @Test("a scene gives devices channels, and faults to them")
  func scene() async throws {
    let scene = try VirtualRadio.Scene(
      """
      { "devices": [{ "name": "Logger", "channels": [
          { "psm": 128, "behaviour": "echo", "mtu": 64, "mps": 40, "credits": 2 },
          { "psm": 129, "behaviour": "ignore", "every": 1, "values": ["tick", [1, 2]] },
          { "psm": 130, "behaviour": "discard", "requiresEncryption": true }
        ],
        "faults": [
          { "refuseChannel": { "psm": 128, "result": 4, "times": 1 } }, { "ignoreChannel": { "psm": 131 } },
          { "closeChannels": true, "at": 60 }, { "stallChannels": true, "at": 90, "for": 5 }
        ] }] }
      """
    )
    try await World.simulated(seed: 1) { world in
      let device = try #require(world.load(scene: scene).first)
      let peripheral = try await connect(to: device, in: world)
      let refused = await bluetoothError { _ = try await peripheral.openChannel(psm: 128) }
      #expect(refused?.channelResult == .noResources)
      let echo = try await peripheral.openChannel(psm: 128)
      #expect(echo.maximumSendLength == 64)
      try await echo.send([9])
      #expect(try await echo.receive() == [9])
      let ticks = try await peripheral.openChannel(psm: 129)
      let two = [try await ticks.receive(), try await ticks.receive()]
      #expect(Set(two) == [Array("tick".utf8), [1, 2]])
      let locked = await bluetoothError { _ = try await peripheral.openChannel(psm: 130) }
      #expect(locked?.channelResult == .insufficientAuthentication)
      #expect(try await echo.receive() == nil)
      #expect(world.now.sinceStart >= .seconds(60) && world.now.sinceStart < .seconds(62))
    }
  }
}
