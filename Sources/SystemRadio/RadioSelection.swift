/// Which radio a program is told to use, by `HALCYON_RADIO` or on the command line.
package enum RadioSelection: Hashable, Sendable {
  /// `bluez`: the BlueZ daemon, over D-Bus.
  case bluez
  /// `virtual` or `virtual:SCENE`: virtual devices, those of a scene file if one is named, else a heart-rate band, a
  /// thermometer and a lamp.
  case virtual(scene: String?)
  /// `hci:tcp:HOST:PORT`: a controller behind a TCP port, with H4 framing.
  case hciTCP(host: String, port: UInt16)
  /// `hci:unix:PATH`: a controller behind a socket in the file system, with H4 framing.
  case hciUnix(path: String)
  /// `hci:uart:DEVICE,BAUD`: a controller on a serial line.
  case hciUART(device: String, baud: UInt32)
  /// `hci:user:N`: the N-th adapter of the Linux kernel, taken over from it.
  case hciUser(index: UInt16)

  /// Reads the text form.
  package init(_ text: String) throws(RadioSelectionError) {
    let (word, rest) = Self.split(text)
    switch (word, rest) {
    case ("bluez", nil): self = .bluez
    case ("virtual", let scene):
      guard scene != "" else {
        throw RadioSelectionError(text, "the name of a scene file is missing behind “virtual:”")
      }
      self = .virtual(scene: scene)
    case ("hci", let rest?): self = try Self.controller(rest, in: text)
    default: throw RadioSelectionError(text, "“\(word)” is no kind of radio")
    }
  }

  private static func controller(_ text: String, in whole: String) throws(RadioSelectionError) -> RadioSelection {
    let (transport, rest) = split(text)
    switch transport {
    case "tcp": return try tcp(rest ?? "", in: whole)
    case "unix":
      guard let rest, !rest.isEmpty else {
        throw RadioSelectionError(whole, "the path of a socket is expected, as in hci:unix:/tmp/controller")
      }
      return .hciUnix(path: rest)
    case "uart":
      let parts = (rest ?? "").split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, let baud = UInt32(parts[1]), baud > 0 else {
        throw RadioSelectionError(whole, "a device file and a speed are expected, as in hci:uart:/dev/ttyACM0,1000000")
      }
      return .hciUART(device: String(parts[0]), baud: baud)
    case "user":
      guard let index = UInt16(rest ?? "") else {
        throw RadioSelectionError(whole, "the number of an adapter is expected, as in hci:user:0")
      }
      return .hciUser(index: index)
    default: throw RadioSelectionError(whole, "“\(transport)” is no way to a controller")
    }
  }

  /// The port stands behind the last colon; an IPv6 address in brackets has colons of its own.
  private static func tcp(_ text: String, in whole: String) throws(RadioSelectionError) -> RadioSelection {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
      throw RadioSelectionError(whole, "a host and a port of 1 to 65535 are expected, as in hci:tcp:localhost:7001")
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw RadioSelectionError(whole, "an IPv6 address must stand in brackets, as in hci:tcp:[::1]:7001")
    }
    guard !host.isEmpty else { throw RadioSelectionError(whole, "the host is missing, as in hci:tcp:localhost:7001") }
    return .hciTCP(host: String(host), port: port)
  }

  private static func split(_ text: String) -> (String, rest: String?) {
    guard let colon = text.firstIndex(of: ":") else { return (text, nil) }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  /// The forms that this version can open, for messages.
  package static let forms = "hci:tcp:HOST:PORT, hci:unix:PATH, virtual, virtual:SCENE and, on Linux, hci:user:N"
}

/// Why a radio can not be chosen as it was tried.
package struct RadioSelectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried, why it failed and what to do.
  package let description: String

  package init(description: String) { self.description = description }

  /// For text that names no radio.
  init(_ text: String, _ reason: String) {
    description = "“\(text)” does not name a radio: \(reason). This version takes \(RadioSelection.forms)."
  }
}

extension RadioSelection: CustomStringConvertible {
  /// The text form.
  package var description: String {
    switch self {
    case .bluez: "bluez"
    case .virtual(nil): "virtual"
    case .virtual(let scene?): "virtual:\(scene)"
    case .hciTCP(let host, let port): host.contains(":") ? "hci:tcp:[\(host)]:\(port)" : "hci:tcp:\(host):\(port)"
    case .hciUnix(let path): "hci:unix:\(path)"
    case .hciUART(let device, let baud): "hci:uart:\(device),\(baud)"
    case .hciUser(let index): "hci:user:\(index)"
    }
  }
}
