import BluetoothTypes
import RadioPort

extension PacketTrace: CustomStringConvertible {
  /// All packets that are kept, a line each, and the digest.
  public var description: String { description(last: entries.count) }

  /// The last packets that are kept, a line each, and the digest.
  public func description(last count: Int) -> String {
    let shown = entries.suffix(max(0, count))
    var lines: [String] = []
    if packetCount > shown.count { lines.append("… \(packetCount - shown.count) earlier packets") }
    let width = shown.map(\.controller.count).max() ?? 0
    for entry in shown { lines.append(entry.line(nameWidth: width)) }
    lines.append("\(counted(packetCount, "packet")), digest \(hexadecimal(digest, digits: 16))")
    return lines.joined(separator: "\n")
  }
}

extension PacketTrace.Entry: CustomStringConvertible {
  /// The time in seconds, the controller, the direction (`>` to the controller, `<` to the host) and the packet in words.
  public var description: String { line(nameWidth: 0) }

  func line(nameWidth: Int) -> String {
    let name = controller + String(repeating: " ", count: max(0, nameWidth - controller.count))
    return "\(time.secondsText)  \(name) \(direction == .toController ? ">" : "<") \(packet.words)"
  }
}

extension RadioInstant {
  /// Seconds with six decimal places, right-aligned, so that the lines of a trace stand in columns.
  var secondsText: String {
    let microseconds = nanoseconds / 1000
    let whole = String(microseconds / 1_000_000)
    let part = String(microseconds % 1_000_000)
    return String(repeating: " ", count: max(0, 6 - whole.count)) + whole + "."
      + String(repeating: "0", count: max(0, 6 - part.count)) + part
  }
}
