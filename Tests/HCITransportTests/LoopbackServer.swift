#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A TCP port of this machine that a test serves by hand.
struct LoopbackServer {
  let port: UInt16
  private let listener: Int32

  /// - Parameter backlog: How many connections may wait to be taken.
  init?(backlog: Int32 = 4) {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    listener = socket(AF_INET, type, 0)
    guard listener >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (listener, length) = (listener, size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, backlog) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isBound else { return nil }
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Takes the next connection; the caller waits for one that it knows to come.
  func accept() -> Int32 {
    #if canImport(Darwin)
      Darwin.accept(listener, nil, nil)
    #elseif canImport(Musl)
      Musl.accept(listener, nil, nil)
    #else
      Glibc.accept(listener, nil, nil)
    #endif
  }

  func stop() { close(listener) }
}

/// Writes all of `bytes`.
func transmit(_ bytes: [UInt8], to descriptor: Int32) {
  var start = 0
  while start < bytes.count {
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + start }, bytes.count - start) }
    guard count > 0 else { return }
    start += count
  }
}

/// Reads until `count` bytes have come or the other end closes.
func collect(_ count: Int, from descriptor: Int32) -> [UInt8] {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while bytes.count < count {
    let got = read(descriptor, &buffer, min(buffer.count, count - bytes.count))
    guard got > 0 else { break }
    bytes += buffer[..<got]
  }
  return bytes
}

/// Closes a descriptor.
func shut(_ descriptor: Int32) { close(descriptor) }
