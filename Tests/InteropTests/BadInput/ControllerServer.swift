import BluetoothTypes
import HCITransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Serves a ``ModelController`` on a loopback port, one connection after the other, with faults where a test wants them.
final class ControllerServer: Sendable {
  /// What becomes of one packet of the host.
  enum Fault: Sendable {
    /// The controller answers as it should.
    case none
    /// The controller takes the packet and says nothing.
    case silence
    /// These bytes go to the host instead of the answer.
    case bytes([UInt8])
    /// These bytes go to the host, and the connection is closed.
    case close(after: [UInt8] = [])
  }

  /// How the server behaves on one connection.
  struct Behaviour: Sendable {
    /// What the host gets before it has said anything.
    var greeting: [UInt8] = []
    /// How many bytes go out at once; `nil` for whole packets.
    var pieces: Int?
    /// What becomes of each packet of the host.
    var fault: @Sendable (HCIPacket) -> Fault = { _ in .none }
  }

  let port: UInt16
  private let listener: Int32

  /// - Parameters:
  ///   - behaviours: One for each connection, in order.
  ///   - rest: For every connection after those, since a host that was refused comes again by itself; `nil` takes none.
  init(_ behaviours: [Behaviour] = [Behaviour()], then rest: Behaviour? = nil) throws {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let length = size
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 4) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard listener >= 0, isBound else { throw NoPort() }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    let started = SystemThread.start(name: "test-server") {
      var behaviours = behaviours[...]
      while let behaviour = behaviours.popFirst() ?? rest {
        let peer = accept(listener, nil, nil)
        guard peer >= 0 else { return }
        Connection(peer, behaviour).serve()
      }
    }
    guard started else { throw NoPort() }
  }

  struct NoPort: Error {}

  /// A server that treats every connection alike.
  static func always(_ behaviour: Behaviour) throws -> ControllerServer { try ControllerServer([], then: behaviour) }

  /// Refuses connections from now on.
  func stop() {
    // What waits in `accept` is woken by this, and not by closing.
    _ = shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// One host that has connected.
  private struct Connection {
    let peer: Int32
    let behaviour: Behaviour
    var controller = ModelController()
    var framer = H4Framer(side: .controller)

    init(_ peer: Int32, _ behaviour: Behaviour) {
      self.peer = peer
      self.behaviour = behaviour
      var on: Int32 = 1
      _ = setsockopt(peer, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    func serve() {
      var copy = self
      copy.run()
      close(peer)
    }

    private mutating func run() {
      send(behaviour.greeting)
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let count = recv(peer, &buffer, buffer.count, 0), count > 0 {
        framer.append(buffer[..<count])
        while let packet = try? framer.next() {
          switch behaviour.fault(packet) {
          case .none: for reply in controller.replies(to: packet) { send(reply.bytes) }
          case .silence: break
          case .bytes(let bytes): send(bytes)
          case .close(let bytes):
            send(bytes)
            return
          }
        }
      }
    }

    private func send(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(behaviour.pieces ?? rest.count))
        #if canImport(Darwin)
          let flags: Int32 = 0
        #else
          let flags = Int32(MSG_NOSIGNAL)
        #endif
        let count = Platform.send(peer, piece, piece.count, flags)
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
        if behaviour.pieces != nil { sched_yield() }
      }
    }
  }
}

/// The system's calls that a method here has the name of.
private enum Platform {
  static func send(_ descriptor: Int32, _ bytes: [UInt8], _ count: Int, _ flags: Int32) -> Int {
    #if canImport(Darwin)
      Darwin.send(descriptor, bytes, count, flags)
    #elseif canImport(Musl)
      Musl.send(descriptor, bytes, count, flags)
    #else
      Glibc.send(descriptor, bytes, count, flags)
    #endif
  }
}
