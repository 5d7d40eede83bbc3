/// Where a server listens for HCI hosts.
package enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// A TCP port; 0 for any that is free.
  case tcp(host: String, port: UInt16)
  /// A socket in the file system.
  case unix(path: String)

  /// Reads `HOST:PORT`, with an IPv6 address in brackets, or `unix:PATH`; also `tcp:HOST:PORT`.
  ///
  /// - Throws: ``ListenAddressError`` with what is wrong.
  package init(_ text: String) throws(ListenAddressError) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard SocketAddress.unix(path: path) != nil else {
        throw ListenAddressError(text, "a path of 1 to about 100 bytes is expected behind “unix:”")
      }
      self = .unix(path: path)
      return
    }
    let rest = text.hasPrefix("tcp:") ? text.dropFirst(4) : text[...]
    guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...]) else {
      throw ListenAddressError(text, "a host and a port of 0 to 65535 are expected, as in 127.0.0.1:7001")
    }
    var host = rest[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw ListenAddressError(text, "an IPv6 address must stand in brackets, as in [::1]:7001")
    }
    guard !host.isEmpty else { throw ListenAddressError(text, "the host is missing, as in 127.0.0.1:7001") }
    self = .tcp(host: String(host), port: port)
  }

  /// The text form.
  package var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}

/// Why a text names no place to listen at.
package struct ListenAddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried and what is expected.
  package let description: String

  init(_ text: String, _ reason: String) { description = "“\(text)” is no address to listen at: \(reason)." }
}
