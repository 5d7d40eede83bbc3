import BluetoothTypes
import RadioPort
import Synchronization
import Testing

@testable import HCITransport

@Suite("A server for HCI hosts", .timeLimit(.minutes(5)))
struct H4ListenerTests {
  private enum Happening: Sendable, Equatable {
    case accepted(Int)
    case packet(Int, [UInt8])
    case congested(Int, Bool)
    case ended(Int, H4Stream.End)
  }

  /// A server on a loop of its own; connections count from 0.
  private final class Server: Sendable {
    let loop = PollLoop()
    let happenings: AsyncStream<Happening>
    private let source: AsyncStream<Happening>.Continuation
    private let listener: H4Listener
    private let streams = Mutex<[H4Stream]>([])

    init(limits: H4Stream.Limits = H4Stream.Limits()) {
      listener = H4Listener(watcher: loop, limits: limits)
      (happenings, source) = AsyncStream.makeStream()
    }

    func listen(at address: ListenAddress) async -> Result<ListenAddress, H4Listener.Failure> {
      await withCheckedContinuation { continuation in
        loop.submit {
          continuation.resume(
            returning: self.listener.listen(
              at: address,
              accepted: { stream, _ in self.accept(stream) },
              failed: { _ in }
            )
          )
        }
      }
    }

    private func accept(_ stream: H4Stream) {
      let number = streams.withLock { streams in
        streams.append(stream)
        return streams.count - 1
      }
      source.yield(.accepted(number))
      let source = source
      stream.start(
        receive: { source.yield(.packet(number, $0.bytes)) },
        congestionChanged: { source.yield(.congested(number, $0)) },
        ended: { source.yield(.ended(number, $0)) }
      )
    }

    func send(_ packets: [HCIPacket], to number: Int) {
      loop.submit {
        let stream = self.streams.withLock { $0[number] }
        for packet in packets { stream.send(packet) }
      }
    }

    func end() async {
      await withCheckedContinuation { continuation in
        loop.submit {
          self.listener.close()
          for stream in self.streams.withLock({ $0 }) { stream.close() }
          self.loop.stop { continuation.resume() }
        }
      }
    }
  }

  private static let reset: [UInt8] = [1, 3, 12, 0]
  private static let answer = [0x0E, 4, 1, 3, 12, 0] as [UInt8]

  @Test("hosts come by TCP, on a port that was free, and packets go both ways")
  func tcp() async throws {
    let server = Server()
    let place = try await server.listen(at: .tcp(host: "127.0.0.1", port: 0)).get()
    guard case .tcp("127.0.0.1", let port) = place else {
      Issue.record("it listens at \(place)")
      return
    }
    #expect(port != 0)
    let client = connectToLoopback(place)
    transmit(Self.reset, to: client)
    var happenings = server.happenings.makeAsyncIterator()
    #expect(await happenings.next() == .accepted(0))
    #expect(await happenings.next() == .packet(0, Self.reset))
    server.send([HCIPacket(.event, payload: Self.answer)], to: 0)
    #expect(collect(7, from: client) == [4] + Self.answer)
    shut(client)
    #expect(await happenings.next() == .ended(0, .closed(pending: 0)))
    await server.end()
  }

  @Test("hosts come by a socket in the file system, whose file is gone with the server")
  func unix() async throws {
    let server = Server()
    let path = freshSocketPath()
    let place = try await server.listen(at: .unix(path: path)).get()
    let client = connectToLoopback(place)
    transmit(Self.reset, to: client)
    var happenings = server.happenings.makeAsyncIterator()
    #expect(await happenings.next() == .accepted(0))
    #expect(await happenings.next() == .packet(0, Self.reset))
    await server.end()
    #expect(collect(1, from: client) == [])
    shut(client)
    #expect(!exists(path))
  }

  @Test("a place that is taken is refused with the reason; a socket file that was left over is not")
  func taken() async throws {
    let (first, second) = (Server(), Server())
    let path = freshSocketPath()
    let place = try await first.listen(at: .unix(path: path)).get()
    await #expect(throws: H4Listener.Failure.self) { try await second.listen(at: place).get() }
    let port = try await first.listen(at: .tcp(host: "127.0.0.1", port: 0)).get()
    // The first server has moved and taken its file along.
    #expect(!exists(path))
    guard case .failure(let failure) = await second.listen(at: port) else {
      Issue.record("the port was given twice")
      return
    }
    #expect(
      failure.description
        == "Can not listen at \(port): Address already in use. Choose another port, or 0 for any that is free."
    )
    // A socket that nobody closed by way of the listener leaves its file.
    let leftOver = try #require(SocketAddress.unix(path: path))
    try StreamSocket.listen(at: leftOver).get().shut()
    #expect(exists(path))
    #expect(try await second.listen(at: .unix(path: path)).get() == .unix(path: path))
    await first.end()
    await second.end()
  }

  @Test("a folder in the place of a socket is refused with what to do")
  func folder() async throws {
    let server = Server()
    let result = await server.listen(at: .unix(path: "/tmp"))
    guard case .failure(let failure) = result else {
      Issue.record("a folder was listened at")
      return
    }
    #expect(
      failure.description == "Can not listen at unix:/tmp: Address already in use. It is a folder. Name a file in it "
        + "that is not there yet, such as unix:/tmp/air."
    )
    await server.end()
  }

  @Test("garbage ends the connection that it came on, with the reason; others go on")
  func garbage() async throws {
    let server = Server()
    let place = try await server.listen(at: .tcp(host: "127.0.0.1", port: 0)).get()
    var happenings = server.happenings.makeAsyncIterator()
    let good = connectToLoopback(place)
    #expect(await happenings.next() == .accepted(0))
    let bad = connectToLoopback(place)
    #expect(await happenings.next() == .accepted(1))
    transmit(Self.reset + Array("GET / HTTP/1.1\r\n".utf8), to: bad)
    #expect(await happenings.next() == .packet(1, Self.reset))
    let error = H4Error(offset: 4, problem: .unknownIndicator(0x47))
    #expect(await happenings.next() == .ended(1, .garbled(error)))
    #expect(collect(1, from: bad) == [])
    transmit(Self.reset, to: good)
    #expect(await happenings.next() == .packet(0, Self.reset))
    shut(bad)
    shut(good)
    await server.end()
  }

  @Test("a client that asks without reading gets no further, keeps nobody else, and goes on when it reads")
  func clientThatDoesNotRead() async throws {
    let server = Server()
    let place = try await server.listen(at: .tcp(host: "127.0.0.1", port: 0)).get()
    var happenings = server.happenings.makeAsyncIterator()
    let lazy = connectToLoopback(place)
    #expect(await happenings.next() == .accepted(0))
    // Until the kernel's buffers are full as well.
    let packet = HCIPacket(.event, payload: [0xFF, 250] + [UInt8](repeating: 7, count: 250))
    var sent = 0
    var isCongested = false
    while !isCongested, sent < 200_000 {
      server.send(Array(repeating: packet, count: 100), to: 0)
      sent += 100
      // What the lazy one asks shows whether it is still listened to.
      transmit(Self.reset, to: lazy)
      switch await happenings.next() {
      case .congested(0, true): isCongested = true
      default: break
      }
    }
    #expect(isCongested)
    let other = connectToLoopback(place)
    transmit(Self.reset, to: other)
    while let happening = await happenings.next(), happening != .packet(1, Self.reset) {
      if case .ended = happening { Issue.record("\(happening)") }
    }
    let expected = sent * packet.bytes.count
    #expect(collect(expected, from: lazy).count == expected)
    while let happening = await happenings.next(), happening != .congested(0, false) {
      if case .ended = happening { Issue.record("\(happening)") }
    }
    shut(lazy)
    shut(other)
    await server.end()
  }

  @Test("what waits for a client is bounded: a sender that does not mind the congestion loses the connection")
  func bound() async throws {
    let server = Server()
    let place = try await server.listen(at: .tcp(host: "127.0.0.1", port: 0)).get()
    var happenings = server.happenings.makeAsyncIterator()
    let lazy = connectToLoopback(place)
    #expect(await happenings.next() == .accepted(0))
    let packet = HCIPacket(.acl, payload: [0, 0, 0xE8, 0x03] + [UInt8](repeating: 1, count: 1000))
    server.send(Array(repeating: packet, count: 1100), to: 0)
    #expect(await happenings.next() == .congested(0, true))
    guard case .ended(0, .notTaken(let waiting))? = await happenings.next() else {
      Issue.record("the connection was kept")
      return
    }
    #expect(waiting > 1 << 20)
    shut(lazy)
    await server.end()
  }

  @Test("half a packet and the end, and half a packet and silence, end the connection with what had come; others go on")
  func halfOpen() async throws {
    let server = Server(limits: H4Stream.Limits(patience: .milliseconds(200)))
    let place = try await server.listen(at: .tcp(host: "127.0.0.1", port: 0)).get()
    var happenings = server.happenings.makeAsyncIterator()
    let closing = connectToLoopback(place)
    #expect(await happenings.next() == .accepted(0))
    transmit(Self.reset + [1, 3], to: closing)
    shut(closing)
    #expect(await happenings.next() == .packet(0, Self.reset))
    #expect(await happenings.next() == .ended(0, .closed(pending: 2)))

    let silent = connectToLoopback(place)
    #expect(await happenings.next() == .accepted(1))
    let idle = connectToLoopback(place)
    #expect(await happenings.next() == .accepted(2))
    transmit(Self.reset, to: idle)
    #expect(await happenings.next() == .packet(2, Self.reset))
    transmit(Self.reset + [2, 0, 0, 100, 0, 1], to: silent)
    #expect(await happenings.next() == .packet(1, Self.reset))
    let end = H4Stream.End.unfinished(pending: 6, after: .milliseconds(200))
    #expect(await happenings.next() == .ended(1, end))
    #expect(
      end.description == "the other end began a packet, of which 6 bytes came, and then nothing for 0.2 seconds"
    )
    #expect(collect(1, from: silent) == [])
    // Who says nothing between two packets is not in anybody's way.
    transmit(Self.reset, to: idle)
    #expect(await happenings.next() == .packet(2, Self.reset))
    shut(silent)
    shut(idle)
    await server.end()
  }

  @Test("many packets in one read are all delivered, in order")
  func manyAtOnce() async throws {
    let server = Server()
    let place = try await server.listen(at: .tcp(host: "127.0.0.1", port: 0)).get()
    let client = connectToLoopback(place)
    let packets = (0..<1000).map { [1, UInt8($0 & 0xFF), 0xFC, 1, UInt8($0 >> 8)] }
    transmit(packets.flatMap { $0 }, to: client)
    var happenings = server.happenings.makeAsyncIterator()
    #expect(await happenings.next() == .accepted(0))
    for packet in packets { #expect(await happenings.next() == .packet(0, packet)) }
    shut(client)
    await server.end()
  }

  @Test(
    "places to listen at are understood and written back",
    arguments: [
      ("127.0.0.1:7001", ListenAddress.tcp(host: "127.0.0.1", port: 7001), "127.0.0.1:7001"),
      ("tcp:localhost:0", .tcp(host: "localhost", port: 0), "localhost:0"),
      ("[::1]:7001", .tcp(host: "::1", port: 7001), "[::1]:7001"),
      ("unix:/tmp/air", .unix(path: "/tmp/air"), "unix:/tmp/air"),
    ]
  )
  func places(text: String, place: ListenAddress, form: String) throws {
    #expect(try ListenAddress(text) == place)
    #expect(place.description == form)
  }

  @Test(
    "what is no place is refused",
    arguments: [
      "", "7001", ":7001", "localhost", "localhost:", "localhost:x", "localhost:65536", "localhost:-1", "::1:7001",
      "unix:",
      "unix:/\(String(repeating: "x", count: 200))",
    ]
  )
  func nonsense(text: String) {
    #expect(throws: ListenAddressError.self) { try ListenAddress(text) }
  }
}
