#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Where a stream socket can be connected to: an address family and the system's form of the address.
struct SocketAddress: Hashable, Sendable {
  let family: Int32
  let bytes: [UInt8]

  /// Why a host has no address.
  struct ResolutionFailure: Error, Hashable, Sendable {
    /// The system's words.
    let reason: String
  }

  /// The addresses of `host`, in the order in which to try them.
  ///
  /// - Parameters:
  ///   - isNumeric: Take only an address in digits. That returns at once; looking up a name may take long.
  static func resolve(host: String, port: UInt16, isNumeric: Bool) -> Result<[SocketAddress], ResolutionFailure> {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = streamType
    hints.ai_flags = isNumeric ? AI_NUMERICHOST | AI_NUMERICSERV : AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &list)
    guard status == 0 else { return .failure(ResolutionFailure(reason: String(cString: gai_strerror(status)))) }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let address = entry.ai_addr {
        let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
        addresses.append(SocketAddress(family: entry.ai_family, bytes: Array(bytes)))
      }
      next = entry.ai_next
    }
    return addresses.isEmpty ? .failure(ResolutionFailure(reason: "it has no address")) : .success(addresses)
  }

  /// The address of a socket in the file system; `nil` if the path is empty, too long or has a zero byte.
  static func unix(path: String) -> SocketAddress? {
    let bytes = Array(path.utf8)
    var address = sockaddr_un()
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    #if canImport(Darwin)
      address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
    #endif
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return SocketAddress(family: AF_UNIX, bytes: withUnsafeBytes(of: &address) { Array($0) })
  }

  /// Hands the address to a system call.
  func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return -1 }
      return call(base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }

  /// Takes an address from a system call; `nil` if that fails.
  static func from(
    _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
    }
    guard status >= 0 else { return nil }
    let bytes = withUnsafeBytes(of: &storage) { Array($0.prefix(Int(length))) }
    return SocketAddress(family: Int32(storage.ss_family), bytes: bytes)
  }

  /// Host and port in digits; `nil` for an address that has none.
  var hostAndPort: (host: String, port: UInt16)? {
    guard family == AF_INET || family == AF_INET6 else { return nil }
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    let flags = NI_NUMERICHOST | NI_NUMERICSERV
    let (hostRoom, serviceRoom) = (socklen_t(host.count), socklen_t(service.count))
    let status = with { getnameinfo($0, $1, &host, hostRoom, &service, serviceRoom, flags) }
    guard status == 0 else { return nil }
    func text(_ characters: [CChar]) -> String {
      String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    guard let port = UInt16(text(service)) else { return nil }
    return (text(host), port)
  }

  #if canImport(Darwin) || canImport(Musl) || canImport(Android)
    static let streamType = SOCK_STREAM
  #else
    static let streamType = Int32(SOCK_STREAM.rawValue)
  #endif
}
