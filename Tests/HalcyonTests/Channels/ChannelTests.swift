import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("L2CAP channels: messages", .reportsWorlds(packets: 40))
struct ChannelTests {
  @Test("what is sent comes back, message by message, and both ends know what the channel is")
  func echo() async throws {
    let box = Received<String>()
    try await ChannelMeeting.run(publishing: .init(mtu: 300, mps: 60, credits: 5)) { channel in
      #expect(channel.psm == ChannelMeeting.psm && channel.isOpen)
      #expect(channel.maximumReceiveLength == 300 && channel.maximumSendLength == 200)
      await box.add(channel.central.map { "\($0.id == channel.peer)" } ?? "nobody")
      try await ChannelMeeting.echo(channel)
      await box.add("over")
    } _: { meeting in
      let events = meeting.server.events.makeAsyncIterator()
      let channel = try await meeting.open(.init(mtu: 200, mps: 50, credits: 4))
      #expect(channel.maximumSendLength == 300 && channel.maximumReceiveLength == 200 && channel.keepsBoundaries)
      #expect(channel.peer == meeting.peripheral.id && channel.central == nil && channel.isOpen)
      // Of all lengths around a frame, around two, and the longest.
      for length in [1, 47, 48, 49, 98, 99, 100, 199, 200] {
        try await channel.send(pattern(length))
        #expect(try await channel.receive() == pattern(length))
      }
      try await channel.send("text".utf8)
      #expect(try await channel.receive() == Array("text".utf8))
      await channel.close()
      #expect(!channel.isOpen)
      #expect(try await channel.receive() == nil)
      try await meeting.settle()
      #expect(await box.all == ["true", "over"])
      #expect(try await Self.told(events, 2) == ["opened PSM 0x0081", "closed PSM 0x0081"])
    }
  }

  private static func told(_ events: Updates<PeripheralServer.Event>.Iterator, _ count: Int) async throws -> [String] {
    var events = events
    var told: [String] = []
    while told.count < count, let event = await events.next() {
      switch event {
      case .channelOpened(_, let psm): told.append("opened \(psm)")
      case .channelClosed(_, let psm, let error): told.append("closed \(psm)\(error.map { " \($0)" } ?? "")")
      default: break
      }
    }
    return told
  }

  @Test("much goes each way at once, whole and in order")
  func bulk() async throws {
    let count = 150_000
    try await ChannelMeeting.run(publishing: .init(mtu: 1000, mps: 200, credits: 9)) { channel in
      try await Self.exchange(channel, count)
    } _: { meeting in
      let channel = try await meeting.open(.init(mtu: 500, mps: 100, credits: 20))
      try await Self.exchange(channel, count)
      await channel.close()
      #expect(meeting.world.now.sinceStart < .seconds(60))
    }
  }

  private static func exchange(_ channel: L2CAPChannel, _ count: Int) async throws {
    async let sent: Void = channel.send(inParts: pattern(count))
    var received: [UInt8] = []
    while received.count < count, let message = try await channel.receive() { received += message }
    try await sent
    #expect(received == pattern(count))
  }

  @Test("F34: who reads slowly holds the other end up, keeps little, and loses nothing")
  func slowReader() async throws {
    let sent = Tally()
    try await ChannelMeeting.run { channel in
      for number in 0..<400 {
        try await channel.send([UInt8(number & 0xFF)] + pattern(99), timeout: .never)
        sent.add()
      }
    } _: { meeting in
      let channel = try await meeting.open(.init(mtu: 100, mps: 50, credits: 8))
      try await meeting.world.run(for: .seconds(60))
      let stopped = sent.count
      #expect(stopped > 2 && stopped < 120)
      try await meeting.world.run(for: .seconds(600))
      #expect(sent.count == stopped)
      var count = 0
      for try await message in channel {
        #expect(message == [UInt8(count & 0xFF)] + pattern(99))
        count += 1
        try await meeting.world.run(for: .milliseconds(50))
      }
      #expect(count == 400)
    }
  }

  @Test("F28: a send for which no room comes ends at its limit; the channel is good after that")
  func sendTimesOut() async throws {
    let box = ChannelBox()
    try await ChannelMeeting.run(publishing: .init(mtu: 100, mps: 50, credits: 2)) { channel in
      try await box.keep(channel)
    } _: { meeting in
      let channel = try await meeting.open()
      var count = 0
      let error = await bluetoothError {
        while true {
          try await channel.send([UInt8(count)] + pattern(99), timeout: .seconds(3))
          count += 1
        }
      }
      #expect(error?.kind == .timedOut && error?.operation == .sendOnChannel)
      #expect(error?.message.contains("on the channel PSM 0x0081 to \"Pulse\"") == true)
      let other = try box.last()
      // What was given up is not among what comes.
      for number in 0..<count { #expect(try await other.receive()?.first == UInt8(number)) }
      try await channel.send([0xFF], timeout: .seconds(3))
      #expect(try await other.receive() == [0xFF])
      box.letGo()
    }
  }

  @Test("what is too long or empty is refused before anything is sent; parts carry any length")
  func lengths() async throws {
    try await ChannelMeeting.run(publishing: .init(mtu: 100)) { channel in
      try await ChannelMeeting.echo(channel)
    } _: { meeting in
      let channel = try await meeting.open()
      let error = await bluetoothError { try await channel.send(pattern(101)) }
      #expect(error?.kind == .tooLong && error?.psm == ChannelMeeting.psm)
      #expect(
        error?.message.contains("the message has 101 bytes and 100 is the most. Send it with send(inParts:)") == true
      )
      await expectError(.empty) { try await channel.send([] as [UInt8]) }
      await expectError(.empty) { try await channel.send(inParts: []) }
      try await channel.send(inParts: pattern(250))
      var lengths: [Int] = []
      for try await message in channel.prefix(3) { lengths.append(message.count) }
      #expect(lengths == [100, 100, 50])
      await channel.close()
    }
  }

  @Test("readers share the messages, and a reader that leaves or is cancelled takes none with it")
  func readers() async throws {
    let box = ChannelBox()
    try await ChannelMeeting.run { channel in
      try await box.keep(channel)
    } _: { meeting in
      let channel = try await meeting.open()
      let waits = (0..<3).map { _ in Task { try await channel.receive() } }
      try await meeting.settle()
      waits[1].cancel()
      await #expect(throws: CancellationError.self) { try await waits[1].value }
      let other = try box.last()
      for number in UInt8(1)...6 { try await other.send([number]) }
      #expect(try await waits[0].value == [1])
      #expect(try await waits[2].value == [2])
      for try await message in channel {
        #expect(message == [3])
        break
      }
      let cancelled = Task { try await channel.receive() }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      #expect(try await channel.map { $0[0] }.prefix(3).reduce(into: []) { $0.append($1) } == [4, 5, 6])
      let error = await bluetoothError { try await channel.receive(timeout: .seconds(2)) }
      #expect(error?.kind == .timedOut && error?.operation == .receiveOnChannel)
      try await other.send([7])
      #expect(try await channel.receive(timeout: .seconds(2)) == [7])
      box.letGo()
    }
  }

  @Test("sends that wait go out in the order of the calls, also of many tasks")
  func order() async throws {
    let box = ChannelBox()
    try await ChannelMeeting.run(publishing: .init(mtu: 100, mps: 50, credits: 2)) { channel in
      try await box.keep(channel)
    } _: { meeting in
      let channel = try await meeting.open()
      var sends: [Task<Void, any Error>] = []
      for number in UInt8(0)..<150 {
        sends.append(Task { try await channel.send([number] + pattern(99), timeout: .never) })
        if number % 50 == 0 { try await meeting.settle() }
      }
      // In the middle of those that wait.
      sends[140].cancel()
      await #expect(throws: CancellationError.self) { try await sends[140].value }
      let other = try box.last()
      for number in UInt8(0)..<150 where number != 140 {
        #expect(try await other.receive() == [number] + pattern(99))
      }
      for (number, send) in sends.enumerated() where number != 140 { try await send.value }
      box.letGo()
    }
  }

  @Test("several channels of one connection are apart, and attributes work beside them")
  func several() async throws {
    try await ChannelMeeting.run { channel in
      try await ChannelMeeting.echo(channel)
    } _: { meeting in
      var channels: [L2CAPChannel] = []
      for _ in 0..<5 { channels.append(try await meeting.open()) }
      for (number, channel) in channels.enumerated() { try await channel.send([UInt8(number)]) }
      #expect(try await meeting.peripheral.read(.note) == [1])
      for (number, channel) in channels.enumerated().reversed() {
        #expect(try await channel.receive() == [UInt8(number)])
      }
      await channels[2].close()
      try await channels[3].send([9])
      #expect(try await channels[3].receive() == [9])
    }
  }

  @Test("a device tells its PSM with a characteristic of its own")
  func psmCharacteristic() async throws {
    try await Meeting.run { _ in
      Service(.notes) { Readable(.l2capPSM(in: .notes), value: 0) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let psm = try await meeting.server.publishChannel { try await ChannelMeeting.echo($0) }
      #expect(psm.isDynamic)
      try await meeting.server.setValue(psm, of: .l2capPSM(in: .notes))
      let channel = try await peripheral.openChannel(psm: try await peripheral.read(.l2capPSM(in: .notes)))
      try await channel.send([1, 2])
      #expect(try await channel.receive() == [1, 2])
    }
  }
}
