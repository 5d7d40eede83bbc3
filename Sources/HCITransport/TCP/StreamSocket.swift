#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// The system calls of a non-blocking descriptor that HCI goes through, a stream socket for the most part, with results
/// that say what happened instead of `errno`.
struct StreamSocket: Sendable {
  /// What the descriptor leads to.
  enum Kind: Hashable, Sendable {
    /// A stream of bytes.
    case stream
    /// A socket on which each call carries one whole packet.
    case packetSocket
    /// A device file on which each call carries one whole packet.
    case packetDevice
  }

  /// An error number of the system.
  struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: strerror(code)) }

    /// Whether the other end has closed the connection.
    var isOfClosedEnd: Bool { code == EPIPE }
  }

  enum Connecting {
    case connected
    case underWay
  }

  enum Reading {
    /// This many bytes came.
    case count(Int)
    /// Nothing is there at the moment.
    case nothing
    /// The other end has closed.
    case end
  }

  let descriptor: Int32
  var kind = Kind.stream

  /// Opens a socket that fits `address` and begins to connect it.
  static func connect(to address: SocketAddress) -> Result<(StreamSocket, Connecting), SystemError> {
    let descriptor = socket(address.family, SocketAddress.streamType, 0)
    guard descriptor >= 0 else { return .failure(SystemError(code: errno)) }
    prepare(descriptor, family: address.family)
    let status = address.with { connectDescriptor(descriptor, $0, $1) }
    if status == 0 { return .success((StreamSocket(descriptor: descriptor), .connected)) }
    let code = errno
    if code == EINPROGRESS || code == EINTR { return .success((StreamSocket(descriptor: descriptor), .underWay)) }
    _ = close(descriptor)
    return .failure(SystemError(code: code))
  }

  /// Sets what all our sockets have.
  fileprivate static func prepare(_ descriptor: Int32, family: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    // HCI packets are small and wait for each other: none may be held back to fill a segment.
    if family != AF_UNIX { setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY) }
    #if canImport(Darwin)
      setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
    #endif
  }

  private static func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
    var on: Int32 = 1
    _ = setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// What became of connecting.
  func finishConnecting() -> Result<Void, SystemError> {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else {
      return .failure(SystemError(code: errno))
    }
    return code == 0 ? .success(()) : .failure(SystemError(code: code))
  }

  /// Reads into `buffer` what has come.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Result<Reading, SystemError> {
    while true {
      let count =
        kind == .packetDevice
        ? readDescriptor(descriptor, buffer) : recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .success(.count(count)) }
      if count == 0 { return .success(.end) }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .success(.nothing)
      default: return .failure(SystemError(code: errno))
      }
    }
  }

  /// Writes as much of `bytes` as there is room for, and returns how much that was.
  func write(_ bytes: UnsafeRawBufferPointer) -> Result<Int, SystemError> {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    while true {
      let count =
        kind == .packetDevice
        ? writeDescriptor(descriptor, bytes) : send(descriptor, bytes.baseAddress, bytes.count, flags)
      if count >= 0 { return .success(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .success(0)
      // An adapter that its host has switched off has no use for a packet; that does not end the way to it.
      case ENXIO where kind == .packetDevice: return .success(bytes.count)
      default: return .failure(SystemError(code: errno))
      }
    }
  }

  /// Tells the other end that no more comes.
  func finishWriting() {
    if kind == .stream { _ = shutdown(descriptor, Int32(SHUT_WR)) }
  }

  func shut() { _ = close(descriptor) }
}

// MARK: - Listening

extension StreamSocket {
  enum Accepting {
    case connection(StreamSocket, from: SocketAddress?)
    /// Nobody waits at the moment.
    case nothing
    /// The process, or the system, has no descriptor left for who waits.
    case noDescriptor
  }

  /// Opens a socket that listens at `address`.
  static func listen(at address: SocketAddress) -> Result<StreamSocket, SystemError> {
    let descriptor = socket(address.family, SocketAddress.streamType, 0)
    guard descriptor >= 0 else { return .failure(SystemError(code: errno)) }
    prepare(descriptor, family: address.family)
    // A server that starts again must not wait until the connections of the last one are forgotten.
    if address.family != AF_UNIX { setOption(descriptor, SOL_SOCKET, SO_REUSEADDR) }
    guard address.with({ bind(descriptor, $0, $1) }) == 0, listenDescriptor(descriptor, 16) == 0 else {
      let code = errno
      _ = close(descriptor)
      return .failure(SystemError(code: code))
    }
    return .success(StreamSocket(descriptor: descriptor))
  }

  /// The address that the socket has on this side.
  var localAddress: SocketAddress? { SocketAddress.from { getsockname(descriptor, $0, $1) } }

  /// Takes the next connection.
  func accept() -> Result<Accepting, SystemError> {
    while true {
      var accepted: Int32 = -1
      let peer = SocketAddress.from { address, length in
        accepted = acceptDescriptor(descriptor, address, length)
        return accepted
      }
      if accepted >= 0 {
        StreamSocket.prepare(accepted, family: localAddress?.family ?? AF_UNIX)
        return .success(.connection(StreamSocket(descriptor: accepted), from: peer))
      }
      switch errno {
      // Who gave up while waiting is no failure of the socket that listens.
      case EINTR, ECONNABORTED, EPROTO: continue
      case EAGAIN, EWOULDBLOCK: return .success(.nothing)
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .success(.noDescriptor)
      default: return .failure(SystemError(code: errno))
      }
    }
  }
}

// The system's functions whose names are those of our methods.

private func connectDescriptor(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  connect(descriptor, address, length)
}

private func listenDescriptor(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

private func acceptDescriptor(
  _ descriptor: Int32,
  _ address: UnsafeMutablePointer<sockaddr>,
  _ length: UnsafeMutablePointer<socklen_t>
) -> Int32 { accept(descriptor, address, length) }

private func readDescriptor(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

private func writeDescriptor(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
