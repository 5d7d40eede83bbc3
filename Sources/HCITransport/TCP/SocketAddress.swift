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
  /// - Parameter isNumeric: Take only an address in digits. That returns at once; looking up a name may take long.
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

  #if canImport(Darwin) || canImport(Musl) || canImport(Android)
    static let streamType = SOCK_STREAM
  #else
    static let streamType = Int32(SOCK_STREAM.rawValue)
  #endif
}
