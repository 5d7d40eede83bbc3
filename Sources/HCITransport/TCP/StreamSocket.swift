#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// The system calls of a non-blocking stream socket, with results that say what happened instead of `errno`.
struct StreamSocket: Sendable {
  /// An error number of the system.
  struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: strerror(code)) }
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

  /// Opens a socket that fits `address` and begins to connect it.
  static func connect(to address: SocketAddress) -> Result<(StreamSocket, Connecting), SystemError> {
    let descriptor = socket(address.family, SocketAddress.streamType, 0)
    guard descriptor >= 0 else { return .failure(SystemError(code: errno)) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var on: Int32 = 1
    // HCI packets are small and wait for each other: none may be held back to fill a segment.
    _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    let status = address.bytes.withUnsafeBytes { bytes -> Int32 in
      guard let base = bytes.baseAddress else { return -1 }
      #if canImport(Darwin)
        return Darwin.connect(descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      #elseif canImport(Musl)
        return Musl.connect(descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      #elseif canImport(Android)
        return Android.connect(descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      #else
        return Glibc.connect(descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      #endif
    }
    if status == 0 { return .success((StreamSocket(descriptor: descriptor), .connected)) }
    let code = errno
    if code == EINPROGRESS || code == EINTR { return .success((StreamSocket(descriptor: descriptor), .underWay)) }
    _ = close(descriptor)
    return .failure(SystemError(code: code))
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
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
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
      let count = send(descriptor, bytes.baseAddress, bytes.count, flags)
      if count >= 0 { return .success(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .success(0)
      default: return .failure(SystemError(code: errno))
      }
    }
  }

  func shut() { _ = close(descriptor) }
}
