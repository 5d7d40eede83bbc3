import BluetoothTypes
import CoreBluetooth
import CoreBluetoothRadio
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("L2CAP channels: refusals and ends", .reportsWorlds(packets: 40))
struct ChannelEndTests {
  // MARK: Refusals

  @Test("a refusal says what was tried, on what, why and what to do")
  func refused() async throws {
    try await ChannelMeeting.run(publishing: nil) { _ in
    } _: { meeting in
      let error = await bluetoothError { try await meeting.peripheral.openChannel(psm: 0x0099) }
      #expect(error?.kind == .refused && error?.channelResult == .spsmNotSupported && error?.psm == 0x0099)
      let id = meeting.peripheral.id
      #expect(
        error?.message == """
          Could not open the channel PSM 0x0099 to "Pulse" (\(id)): the other device refused (the peer refused a \
          channel to PSM 0x0099: PSM not supported (0x0002)). Check the PSM, and that the device publishes it now.
          """
      )
      #expect(error?.message(in: .simplifiedChinese).contains("无法打开通往“Pulse”（\(id)）的通道 PSM 0x0099") == true)
      await expectError(.invalidArgument) { try await meeting.peripheral.openChannel(psm: 0x0100) }

      try await meeting.server.publishChannel(psm: 0x0025, requiresEncryption: true) { _ in }
      let open = await bluetoothError { try await meeting.peripheral.openChannel(psm: 0x0025) }
      #expect(open?.channelResult == .insufficientAuthentication)
      #expect(open?.message.contains("Pair with the device first") == true)

      await meeting.peripheral.disconnect()
      await expectError(.notConnected) { try await meeting.peripheral.openChannel(psm: 0x0099) }
    }
  }

  @Test("a PSM is published once, by a server that runs, and until it is taken back; channels that are open stay")
  func publishing() async throws {
    try await ChannelMeeting.run { channel in
      try await ChannelMeeting.echo(channel)
    } _: { meeting in
      let server = meeting.server
      let twice = await bluetoothError { try await server.publishChannel(psm: ChannelMeeting.psm) { _ in } }
      #expect(twice?.kind == .busy)
      #expect(twice?.message.hasPrefix("Could not publish the channel PSM 0x0081: ") == true)
      let bad = await bluetoothError { try await server.publishChannel(psm: 0x1001) { _ in } }
      #expect(bad?.kind == .invalidArgument)
      let channel = try await meeting.open()
      await server.unpublishChannel(ChannelMeeting.psm)
      await expectError(.refused) { try await meeting.open() }
      try await channel.send([1])
      #expect(try await channel.receive() == [1])
      try await server.publishChannel(psm: ChannelMeeting.psm) { try await ChannelMeeting.echo($0) }
      _ = try await meeting.open()

      await server.stop()
      let stopped = await bluetoothError { try await server.publishChannel { _ in } }
      #expect(stopped?.kind == .stopped)
      // Its PSMs are free again.
      try await server.start()
      try await server.publishChannel(psm: ChannelMeeting.psm) { _ in }
    }
  }

  @Test("a radio that chooses the PSM itself says so where one is asked for, and publishes one of its own")
  func chosenPSM() async throws {
    try await Meeting.run(through: { radio in
      CoreBluetoothRadio(executor: radio.executor, queue: nil, options: [CBManagerOptionRadioKey: radio])
    }) { _ in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      _ = try await meeting.connected()
      let error = await bluetoothError { try await meeting.server.publishChannel(psm: 0x0081) { _ in } }
      #expect(error?.kind == .unsupported && error?.message.contains("publish without one") == true)
      #expect(try await meeting.server.publishChannel { _ in }.isDynamic)
    }
  }

  // MARK: Closing

  @Test("who closes sees to it that all that was sent goes out; the other end reads it all, then the end")
  func closing() async throws {
    let box = ChannelBox()
    try await ChannelMeeting.run(publishing: .init(mtu: 1000, mps: 50, credits: 2)) { channel in
      try await box.keep(channel)
    } _: { meeting in
      let channel = try await meeting.open()
      for number in UInt8(0)..<8 { try await channel.send([number] + pattern(999)) }
      let closing = Task { await channel.close() }
      try await meeting.settle()
      await expectError(.closed) { try await channel.send([1]) }
      let error = await bluetoothError { try await channel.send([1]) }
      #expect(error?.message.contains("this program closed the channel. Open another one") == true)
      #expect(try await channel.receive() == nil)
      let other = try box.last()
      for number in UInt8(0)..<8 { #expect(try await other.receive() == [number] + pattern(999)) }
      await closing.value
      #expect(try await other.receive() == nil && !other.isOpen)
      let there = await bluetoothError { try await other.send([1]) }
      #expect(there?.message.contains("the other end closed the channel") == true)
      box.letGo()
    }
  }

  @Test("a close for which the other end takes nothing ends at its limit, with or without a word")
  func closeTimesOut() async throws {
    let box = ChannelBox()
    try await ChannelMeeting.run(publishing: .init(mtu: 1000, mps: 50, credits: 2)) { channel in
      try await box.keep(channel)
    } _: { meeting in
      for isTold in [true, false] {
        let channel = try await meeting.open()
        for _ in 0..<3 { try await channel.send(pattern(1000)) }
        let start = meeting.world.now
        if isTold {
          let error = await bluetoothError { try await channel.close(timeout: .seconds(5)) }
          #expect(error?.kind == .timedOut && error?.operation == .closeChannel)
          #expect(start.duration(to: meeting.world.now) == .seconds(5))
        } else {
          await channel.close()
          #expect(start.duration(to: meeting.world.now) == .seconds(30))
        }
        try await meeting.settle()
        // The first was let in whole; the rest was dropped.
        #expect(try await box.last().receive() == pattern(1000))
        #expect(try await box.last().receive() == nil)
        await channel.close()
        box.letGo()
      }
    }
  }

  @Test("both ends close at once, and each is done at once")
  func bothClose() async throws {
    let box = ChannelBox()
    try await ChannelMeeting.run { channel in
      try await box.keep(channel)
    } _: { meeting in
      let channel = try await meeting.open()
      let other = try box.last()
      let start = meeting.world.now
      async let here: Void = channel.close()
      async let there: Void = other.close()
      _ = await (here, there)
      #expect(start.duration(to: meeting.world.now) < .seconds(1))
      box.letGo()
    }
  }

  @Test("the channel is closed when its last reference goes, and the connection with it where nobody else holds that")
  func dropped() async throws {
    let ends = Received<String>()
    try await ChannelMeeting.run { channel in
      let first = try await channel.receive()
      let second = try await channel.receive()
      #expect(first == [1] && second == nil)
      await ends.add("end")
    } _: { meeting in
      do {
        let channel = try await meeting.open()
        try await channel.send([1])
        try await meeting.settle()
      }
      try await meeting.settle()
      #expect(await ends.all == ["end"])
      #expect(meeting.peripheral.state.isReady)
    }
    // A channel alone holds the connection.
    try await Meeting.run { _ in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      try await meeting.server.start()
      try await meeting.server.publishChannel(psm: ChannelMeeting.psm) { try await ChannelMeeting.echo($0) }
      let id = try #require(try await meeting.found()).id
      do {
        let channel = try await meeting.central.connect(to: id).openChannel(psm: ChannelMeeting.psm)
        try await meeting.settle()
        try await channel.send([5])
        #expect(try await channel.receive() == [5])
        #expect(meeting.server.connectedCentrals.count == 1)
      }
      try await meeting.settle()
      #expect(meeting.server.connectedCentrals.isEmpty)
    }
  }

  @Test("a handler that throws closes its channel at once, which an event tells")
  func handlerFails() async throws {
    struct Failure: Error {}
    try await ChannelMeeting.run { channel in
      _ = try await channel.receive()
      throw Failure()
    } _: { meeting in
      let channel = try await meeting.open()
      var events = meeting.server.events.makeAsyncIterator()
      try await channel.send([1])
      #expect(try await channel.receive() == nil)
      while let event = await events.next() {
        guard case .channelClosed(_, ChannelMeeting.psm, let error) = event else { continue }
        #expect(error is Failure)
        break
      }
    }
  }

  // MARK: Losses

  /// All that can wait on a channel, while the other end takes and sends nothing.
  struct Waiting {
    let receive: Task<[UInt8]?, any Error>
    let send: Task<Void, any Error>

    init(_ channel: L2CAPChannel) {
      receive = Task { try await channel.receive() }
      send = Task { while true { try await channel.send(pattern(500), timeout: .never) } }
    }

    func errors() async -> [BluetoothError?] {
      [await bluetoothError { try await receive.value }, await bluetoothError { try await send.value }]
    }
  }

  enum Loss: CaseIterable, Sendable { case range, power, disconnect, server, otherPower }

  @Test("F02: what waits ends with the cause when the connection goes, in whichever way", arguments: Loss.allCases)
  func losses(_ loss: Loss) async throws {
    let box = ChannelBox()
    try await ChannelMeeting.run(publishing: .init(credits: 3)) { channel in
      try await box.keep(channel)
    } _: { meeting in
      let channel = try await meeting.open()
      let waiting = Waiting(channel)
      try await meeting.settle()
      let start = meeting.world.now
      switch loss {
      case .range: meeting.world.move(meeting.world.radio, to: RadioPosition(x: 100_000))
      case .power: meeting.world.radioPower(false)
      case .disconnect: await meeting.peripheral.disconnect()
      case .server: try await meeting.server.disconnect(meeting.meeting.onlyCentral())
      case .otherPower: meeting.world.radioPower(false, of: meeting.meeting.serverRadio)
      }
      let kind: BluetoothError.Kind = loss == .power ? .poweredOff : .disconnected
      let errors = await waiting.errors()
      #expect(errors.map(\.?.kind) == [kind, kind])
      #expect(errors.map(\.?.operation) == [.receiveOnChannel, .sendOnChannel])
      #expect(start.duration(to: meeting.world.now) < .seconds(4))
      #expect(errors[0]?.message.contains("on the channel PSM 0x0081 from \"Pulse\"") == true)
      #expect((errors[0]?.message.contains("this program ended the connection") == true) == (loss == .disconnect))
      // It stays so.
      await expectError(kind) { try await channel.receive() }
      await expectError(kind) { try await channel.send([1]) }
      await channel.close()
      #expect(!channel.isOpen)
      let other = try box.last()
      try await meeting.world.run(for: .seconds(3))
      #expect(!other.isOpen)
      box.letGo()
    }
  }

  @Test("what came before a loss is still read, then the cause is thrown")
  func lateReader() async throws {
    let box = ChannelBox()
    try await ChannelMeeting.run { channel in
      for number in UInt8(0)..<5 { try await channel.send([number]) }
      try await box.keep(channel)
    } _: { meeting in
      let channel = try await meeting.open()
      try await meeting.settle()
      await meeting.peripheral.disconnect()
      var numbers: [UInt8] = []
      let error = await bluetoothError { for try await message in channel { numbers += message } }
      #expect(numbers == [0, 1, 2, 3, 4])
      #expect(error?.kind == .disconnected)
      box.letGo()
    }
  }

  @Test("a central that shares the link ends its own channels when it disconnects, and nobody else's")
  func sharedLink() async throws {
    try await ChannelMeeting.run { channel in
      try await ChannelMeeting.echo(channel)
    } _: { meeting in
      let other = Central(radio: meeting.world.radio)
      try await other.ready()
      let same = try await other.connect(to: meeting.peripheral.id)
      let mine = try await meeting.open()
      let theirs = try await same.openChannel(psm: ChannelMeeting.psm)
      await meeting.peripheral.disconnect()
      await expectError(.disconnected) { try await mine.send([1]) }
      try await theirs.send([2])
      #expect(try await theirs.receive() == [2])
    }
  }

  @Test("a server that stops ends its channels, and cancels their handlers")
  func serverStops() async throws {
    let ends = Received<String>()
    try await ChannelMeeting.run { channel in
      do { _ = try await channel.receive() } catch let error as BluetoothError {
        await ends.add("\(error.kind)")
        throw error
      } catch {
        await ends.add("cancelled")
        throw error
      }
    } _: { meeting in
      let channel = try await meeting.open()
      try await meeting.settle()
      await meeting.server.stop()
      try await meeting.settle()
      #expect(await ends.all == ["stopped"])
      let error = await bluetoothError { if try await channel.receive() != nil { try await channel.send([1]) } }
      #expect(error == nil || error?.kind == .disconnected)
      #expect(!channel.isOpen)
    }
  }

  // MARK: Cancellation

  @Test("each wait is cancelled at once, and the channel is good after that")
  func cancellation() async throws {
    let box = ChannelBox()
    try await ChannelMeeting.run(publishing: .init(mtu: 100, mps: 50, credits: 2)) { channel in
      try await box.keep(channel)
    } _: { meeting in
      let channel = try await meeting.open()
      let waiting = Waiting2(channel)
      try await meeting.settle()
      let start = meeting.world.now
      waiting.receive.cancel()
      waiting.send.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.receive.value }
      await #expect(throws: CancellationError.self) { try await waiting.send.value }
      #expect(start == meeting.world.now)

      let other = try box.last()
      try await other.send([3])
      #expect(try await channel.receive() == [3])
      // Only what was taken before comes.
      var last: UInt8 = 0
      while let message = try? await other.receive(timeout: .seconds(2)) { last = message[0] }
      try await channel.send([0xFF])
      #expect(try await other.receive() == [0xFF] && last == waiting.sent.count - 1)

      // A close that is cancelled closes at once.
      for number in UInt8(0)..<20 { try await channel.send([number] + pattern(99)) }
      let close = Task { try await channel.close(timeout: .never) }
      try await meeting.settle()
      let before = meeting.world.now
      close.cancel()
      await #expect(throws: CancellationError.self) { try await close.value }
      #expect(before == meeting.world.now)
      try await meeting.settle()
      #expect(!other.isOpen)
      box.letGo()
    }
  }

  /// The same with short messages that tell their numbers.
  struct Waiting2 {
    let receive: Task<[UInt8]?, any Error>
    let send: Task<Void, any Error>
    let sent = Tally()

    init(_ channel: L2CAPChannel) {
      let sent = sent
      receive = Task { try await channel.receive() }
      send = Task {
        while true {
          try await channel.send([UInt8(sent.count & 0xFF)] + pattern(99), timeout: .never)
          sent.add()
        }
      }
    }
  }

  @Test("F14: an open that is cancelled, not answered or overtaken by the loss of the link ends at once, and once")
  func opening() async throws {
    try await Stage.run({ $0.channels = [.echo(0x0080)] }) { stage in
      let device = stage.device
      device.faults.add(.ignoreChannel(times: 4))
      let peripheral = try await stage.connected()
      let cancelled = Task { try await peripheral.openChannel(psm: 0x0080) }
      try await stage.settle()
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }

      let start = stage.world.now
      let error = await bluetoothError { try await peripheral.openChannel(psm: 0x0080, timeout: .seconds(4)) }
      #expect(error?.kind == .timedOut && start.duration(to: stage.world.now) == .seconds(4))
      let protocolError = await bluetoothError { try await peripheral.openChannel(psm: 0x0080, timeout: .never) }
      #expect(protocolError?.kind == .timedOut)

      let lost = Task { try await peripheral.openChannel(psm: 0x0080, timeout: .never) }
      try await stage.settle()
      device.disconnect()
      await expectError(.disconnected) { try await lost.value }
      try await stage.central.connect(to: peripheral)
      let channel = try await peripheral.openChannel(psm: 0x0080)
      try await channel.send([1])
      #expect(try await channel.receive() == [1])
    }
  }
}
