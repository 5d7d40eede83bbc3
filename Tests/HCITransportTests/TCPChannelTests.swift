import BluetoothTypes
import HCITransport
import HostStack
import RadioPort
import Testing

@Suite(.timeLimit(.minutes(5))) struct TCPChannelTests {
  private enum Happening: Sendable, Equatable {
    case packet([UInt8])
    case closed(HCIChannelFailure)
  }

  /// A channel on a loop of its own, and what happens to it.
  private final class Client: Sendable {
    let loop = PollLoop()
    let channel: TCPChannel
    let happenings: AsyncStream<Happening>
    private let source: AsyncStream<Happening>.Continuation

    init(
      host: String = "127.0.0.1",
      port: UInt16,
      timeLimit: Duration = TCPChannel.standardTimeLimit,
      patience: Duration = .seconds(60)
    ) {
      channel = TCPChannel(host: host, port: port, watcher: loop, timeLimit: timeLimit, patience: patience)
      (happenings, source) = AsyncStream.makeStream()
    }

    func open() {
      loop.submit { [channel, source] in
        channel.open(receive: { source.yield(.packet($0.bytes)) }, closed: { source.yield(.closed($0)) })
      }
    }

    func send(_ packets: [HCIPacket]) {
      loop.submit { [channel] in for packet in packets { channel.send(packet) } }
    }

    func first() async -> Happening? { await happenings.first { _ in true } }

    func end() async {
      loop.submit { [channel] in channel.close() }
      await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
    }
  }

  @Test("packets go both ways, those sent before the connection is there too")
  func bothWays() async throws {
    let server = try #require(LoopbackServer())
    defer { server.stop() }
    let client = Client(port: server.port)
    client.open()
    client.send([HCIPacket(.command, payload: [3, 12, 0]), HCIPacket(.command, payload: [1, 16, 0])])
    let peer = server.accept()
    defer { shut(peer) }
    #expect(collect(8, from: peer) == [1, 3, 12, 0, 1, 1, 16, 0])
    transmit([4, 0x0E, 4, 1, 3, 12, 0], to: peer)
    #expect(await client.first() == .packet([4, 0x0E, 4, 1, 3, 12, 0]))
    await client.end()
    #expect(collect(1, from: peer) == [])
  }

  @Test("what was sent in the same step before the channel is closed arrives, as the reset of a radio that goes off")
  func sentBeforeClosing() async throws {
    let server = try #require(LoopbackServer())
    defer { server.stop() }
    let client = Client(port: server.port)
    client.open()
    client.send([HCIPacket(.command, payload: [1, 16, 0])])
    let peer = server.accept()
    defer { shut(peer) }
    #expect(collect(4, from: peer) == [1, 1, 16, 0])
    // Something unread is not to make the system throw away what is on its way.
    transmit([4, 0x10, 1, 0], to: peer)
    client.loop.submit { [channel = client.channel] in
      channel.send(HCIPacket(.command, payload: [3, 12, 0]))
      channel.close()
    }
    #expect(collect(100, from: peer) == [1, 3, 12, 0])
    await client.end()
  }

  @Test("a radio that is switched off, or given up, leaves its controller with a reset")
  func radioGoes() async throws {
    for isGivenUp in [false, true] {
      let server = try #require(LoopbackServer())
      defer { server.stop() }
      let loop = PollLoop()
      var radio: HostRadio? = HostRadio(
        executor: loop,
        channel: TCPChannel(host: "127.0.0.1", port: server.port, watcher: loop),
        configuration: HostConfiguration()
      )
      await radio?.powerOn()
      let peer = server.accept()
      defer { shut(peer) }
      #expect(collect(4, from: peer) == [1, 3, 12, 0])
      if !isGivenUp { await radio?.powerOff() }
      radio = nil
      #expect(collect(100, from: peer) == [1, 3, 12, 0])
      await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
    }
  }

  @Test("a name is looked up without holding up the radio")
  func name() async throws {
    let server = try #require(LoopbackServer())
    defer { server.stop() }
    let client = Client(host: "localhost", port: server.port)
    client.open()
    client.send([HCIPacket(.command, payload: [3, 12, 0])])
    let peer = server.accept()
    #expect(collect(4, from: peer) == [1, 3, 12, 0])
    shut(peer)
    await client.end()
  }

  @Test("more than the socket holds is written as there is room, in order and whole")
  func backPressure() async throws {
    let server = try #require(LoopbackServer())
    defer { server.stop() }
    let client = Client(port: server.port)
    client.open()
    let packets = (0..<700).map { number in
      HCIPacket(.acl, payload: [0, 0, 0xE8, 0x03] + [UInt8](repeating: UInt8(number & 0xFF), count: 1_000))
    }
    client.send(packets)
    let peer = server.accept()
    defer { shut(peer) }
    let expected = packets.flatMap(\.bytes)
    #expect(collect(expected.count, from: peer) == expected)
    await client.end()
  }

  @Test("a refused port is told with what, where, why and what to do")
  func refused() async throws {
    let server = try #require(LoopbackServer())
    server.stop()
    let client = Client(port: server.port)
    client.open()
    #expect(
      await client.first()
        == .closed(
          HCIChannelFailure(
            .unreachable,
            reason: "No HCI controller at 127.0.0.1:\(server.port): Connection refused. "
              + "Start a controller there, or check host and port."
          )
        )
    )
    await client.end()
  }

  #if os(Linux)
    @Test("a host that swallows packets is given up after the time limit, with what, where, why and what to do")
    func swallowed() async throws {
      // Linux drops what would be one connection too many to wait for being taken.
      let server = try #require(LoopbackServer(backlog: 0))
      defer { server.stop() }
      var fillers: [Client] = []
      for _ in 0..<4 {
        let filler = Client(port: server.port, timeLimit: .milliseconds(100))
        fillers.append(filler)
        filler.open()
      }
      let client = Client(port: server.port, timeLimit: .milliseconds(100))
      // Once one has got no place, there is none.
      let told = await withTaskGroup(of: Happening?.self) { group in
        for filler in fillers { group.addTask { await filler.first() } }
        defer { group.cancelAll() }
        return await group.next() ?? nil
      }
      client.open()
      let expected = Happening.closed(
        HCIChannelFailure(
          .unreachable,
          reason: "No HCI controller at 127.0.0.1:\(server.port): it did not answer within 0.1 seconds. "
            + "Start a controller there, or check host and port."
        )
      )
      #expect(told == expected)
      #expect(await client.first() == expected)
      for filler in fillers { await filler.end() }
      await client.end()
    }
  #endif

  @Test("a connection that is there in time outlives the time limit")
  func timeLimitEndsWithConnection() async throws {
    let server = try #require(LoopbackServer())
    defer { server.stop() }
    let client = Client(port: server.port, timeLimit: .milliseconds(50))
    client.open()
    let peer = server.accept()
    defer { shut(peer) }
    // Behind the limit in the same queue of timers.
    await withCheckedContinuation { continuation in
      client.loop.submit(after: .milliseconds(100)) { continuation.resume() }
    }
    transmit([4, 0x10, 1, 0], to: peer)
    #expect(await client.first() == .packet([4, 0x10, 1, 0]))
    await client.end()
  }

  @Test("a controller that closes the connection is told, also in the middle of a packet")
  func closedByPeer() async throws {
    let server = try #require(LoopbackServer())
    defer { server.stop() }
    let client = Client(port: server.port)
    for (bytes, words) in [([], "closed the connection."), ([4, 0x0E, 4], "of which 3 bytes had come.")]
      as [([UInt8], String)]
    {
      client.open()
      let peer = server.accept()
      transmit(bytes, to: peer)
      shut(peer)
      guard case .closed(let failure) = await client.first() else {
        Issue.record("the channel was not closed")
        continue
      }
      #expect(failure.kind == .closed)
      #expect(failure.reason.hasSuffix(words))
    }
    await client.end()
  }

  @Test("a controller that sends half a packet and then nothing is given up, with what had come")
  func halfAPacket() async throws {
    let server = try #require(LoopbackServer())
    defer { server.stop() }
    let client = Client(port: server.port, patience: .milliseconds(200))
    client.open()
    let peer = server.accept()
    defer { shut(peer) }
    transmit([4, 0x10, 1, 0, 4, 0x0E, 4], to: peer)
    var happenings = client.happenings.makeAsyncIterator()
    #expect(await happenings.next() == .packet([4, 0x10, 1, 0]))
    let reason = """
      The HCI controller at 127.0.0.1:\(server.port) began a packet, of which 3 bytes came, and then nothing for 0.2 \
      seconds. Restart it.
      """
    #expect(await happenings.next() == .closed(HCIChannelFailure(.closed, reason: reason)))
    #expect(collect(1, from: peer) == [])
    await client.end()
  }

  @Test("garbage on the stream ends the channel with the offset and the byte, after the packets before it")
  func garbage() async throws {
    let server = try #require(LoopbackServer())
    defer { server.stop() }
    let client = Client(port: server.port)
    client.open()
    let peer = server.accept()
    defer { shut(peer) }
    transmit([4, 0x10, 1, 0] + Array("HTTP/1.1 400 Bad Request\r\n".utf8), to: peer)
    var happenings = client.happenings.makeAsyncIterator()
    #expect(await happenings.next() == .packet([4, 0x10, 1, 0]))
    guard case .closed(let failure) = await happenings.next() else {
      Issue.record("the channel was not closed")
      return
    }
    #expect(failure.kind == .garbled)
    #expect(failure.reason.contains("at byte 4 of the stream: 0x48"))
    #expect(collect(1, from: peer) == [])
    await client.end()
  }
}
