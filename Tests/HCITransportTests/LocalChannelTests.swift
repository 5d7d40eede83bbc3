import BluetoothTypes
import RadioPort
import Testing

@testable import HCITransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite("The way to a controller of this machine", .timeLimit(.minutes(5)))
struct LocalChannelTests {
  private enum Happening: Sendable, Equatable {
    case packet([UInt8])
    case closed(HCIChannelFailure.Kind, String)
  }

  /// A channel on a loop of its own, and what happens to it.
  private final class Client: Sendable {
    let loop = PollLoop()
    let channel: LocalChannel
    let happenings: AsyncStream<Happening>
    private let source: AsyncStream<Happening>.Continuation

    init(_ place: LocalChannel.Place) {
      channel = LocalChannel(place, watcher: loop)
      (happenings, source) = AsyncStream.makeStream()
    }

    func open() {
      loop.submit { [channel, source] in
        channel.open(
          receive: { source.yield(.packet($0.bytes)) },
          closed: { source.yield(.closed($0.kind, $0.reason)) }
        )
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

  @Test("packets go both ways through a socket in the file system; its end is told, and it can be opened again")
  func unix() async throws {
    let path = freshSocketPath()
    let address = try #require(SocketAddress.unix(path: path))
    let listener = try StreamSocket.listen(at: address).get()
    defer {
      listener.shut()
      unlink(path)
    }
    let client = Client(.unix(path: path))
    for _ in 0..<2 {
      client.open()
      client.send([HCIPacket(.command, payload: [3, 12, 0]), HCIPacket(.command, payload: [1, 16, 0])])
      let peer = try await Self.accept(listener, client.loop)
      #expect(collect(8, from: peer) == [1, 3, 12, 0, 1, 1, 16, 0])
      transmit([4, 0x0E, 4, 1, 3, 12, 0], to: peer)
      #expect(await client.first() == .packet([4, 0x0E, 4, 1, 3, 12, 0]))
      shut(peer)
      #expect(
        await client.first()
          == .closed(.closed, "The HCI controller at \(path) is gone: it was closed by the other end.")
      )
    }
    await client.end()
  }

  /// Waits on the loop until somebody connects; the descriptor that comes back blocks.
  private static func accept(_ listener: StreamSocket, _ loop: PollLoop) async throws -> Int32 {
    let connection: StreamSocket? = await withCheckedContinuation { continuation in
      loop.submit {
        loop.watch(listener.descriptor, for: .readable) { _ in
          loop.unwatch(listener.descriptor)
          guard case .success(.connection(let connection, _)) = listener.accept() else {
            return continuation.resume(returning: nil)
          }
          continuation.resume(returning: connection)
        }
      }
    }
    let descriptor = try #require(connection).descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return descriptor
  }

  @Test("nobody at the socket, and a path that is none, are told with what to do")
  func nobody() async throws {
    for (path, words) in [
      (freshSocketPath(), "Start a controller that listens there"), (String(repeating: "x", count: 200), "too long"),
    ] {
      let client = Client(.unix(path: path))
      client.open()
      guard case .closed(.unreachable, let reason) = await client.first() else {
        Issue.record("no failure")
        continue
      }
      #expect(reason.contains(path))
      #expect(reason.contains(words))
      await client.end()
    }
  }

  @Test("an adapter of the kernel that is not there, or a kernel without Bluetooth, is told with what to do")
  func noAdapter() async {
    let client = Client(.user(index: 0xFFF0))
    client.open()
    guard case .closed(.unreachable, let reason) = await client.first() else {
      Issue.record("no failure")
      return
    }
    #expect(reason.hasPrefix("No HCI controller at hci65520: "))
    await client.end()
  }

  @Test("each cause that keeps from an adapter has advice of its own")
  func advice() {
    let codes = [EPERM, ENODEV, EBUSY, EUSERS, EAFNOSUPPORT, EIO]
    #expect(Set(codes.map { UserChannel.advice(on: $0, index: 3) }).count == codes.count)
    #expect(UserChannel.advice(on: EBUSY, index: 3).contains("hci3"))
  }

  // MARK: One packet a call

  /// Two ends of a socket that keeps the bounds of what is written, as the kernel's devices do.
  private static func pair() throws -> (ours: StreamSocket, kernel: Int32) {
    #if canImport(Glibc)
      let type = Int32(SOCK_SEQPACKET.rawValue)
    #else
      let type = SOCK_SEQPACKET
    #endif
    var descriptors: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, type, 0, &descriptors) == 0)
    _ = fcntl(descriptors[0], F_SETFL, fcntl(descriptors[0], F_GETFL) | O_NONBLOCK)
    return (StreamSocket(descriptor: descriptors[0], kind: .packetDevice), descriptors[1])
  }

  /// What one call reads.
  private static func message(from descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }

  @Test("where each call carries one packet, packets that were sent together go out apart")
  func apart() async throws {
    let (ours, kernel) = try Self.pair()
    let loop = PollLoop()
    let packets = [
      HCIPacket(.command, payload: [3, 12, 0]), HCIPacket(.acl, payload: [0x40, 0, 3, 0, 1, 2, 3]),
      HCIPacket(.command, payload: [1, 12, 2, 9, 9]),
    ]
    loop.submit {
      let stream = H4Stream(ours, side: .host, watcher: loop)
      stream.start(receive: { _ in }, ended: { _ in })
      for packet in packets { stream.send(packet) }
      loop.submit { stream.close() }
    }
    for packet in packets { #expect(Self.message(from: kernel) == packet.bytes) }
    #expect(Self.message(from: kernel) == [])
    shut(kernel)
    await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
  }

  @Test("the kernel's first command is not lost, whether it comes before or after the name of the new adapter")
  func firstCommand() async throws {
    let reset: [UInt8] = [1, 3, 12, 0]
    let name: [UInt8] = [0xFF, 0, 2, 1]
    for messages in [[reset, name], [name, reset]] {
      let (ours, kernel) = try Self.pair()
      for message in messages { transmit(message, to: kernel) }
      let (index, begun) = try VirtualAdapter.create(on: ours).get()
      #expect(index == 0x0102)
      #expect(Self.message(from: kernel) == [0xFF, 0])
      let loop = PollLoop()
      let (received, source) = AsyncStream.makeStream(of: [UInt8].self)
      loop.submit {
        let stream = H4Stream(ours, side: .controller, watcher: loop, begun: begun)
        stream.start(receive: { source.yield($0.bytes) }, ended: { _ in })
        // Kept as long as the stream of the test.
        source.onTermination = { _ in loop.submit { stream.close() } }
      }
      #expect(await received.first { _ in true } == reset)
      source.finish()
      await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
      shut(kernel)
    }
  }

  @Test(
    "a device that makes no adapter is told, whatever it answers",
    arguments: [[], [[0xFF, 0]], [[1, 3, 12, 0]]] as [[[UInt8]]]
  )
  func noAnswer(messages: [[UInt8]]) throws {
    let (ours, kernel) = try Self.pair()
    defer {
      ours.shut()
      shut(kernel)
    }
    for message in messages { transmit(message, to: kernel) }
    #expect(throws: VirtualAdapter.Failure.self) { try VirtualAdapter.create(on: ours).get() }
  }
}
