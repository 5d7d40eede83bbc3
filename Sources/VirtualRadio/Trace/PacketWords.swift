import BluetoothTypes
import HostStack

extension HCIPacket {
  /// The packet in words: its name, and its fields as they are declared.
  var words: String {
    do {
      switch kind {
      case .command: return try Self.words(of: AnyHCICommand(self))
      case .event: return try Self.words(of: AnyHCIEvent(self))
      case .acl:
        let acl = try ACLPacket(self)
        let line = L2CAPDescription.line(forACL: acl.data, isContinuation: !acl.boundary.isFirst)
        return "ACL 0x\(hexadecimal(acl.connectionHandle, digits: 4)) \(line)"
      case .synchronous, .isochronous: return "\(kind) \(hexadecimal(bytes.dropFirst()))"
      }
    } catch {
      return "\(kind) that can not be read, \(error): \(hexadecimal(bytes.dropFirst()))"
    }
  }

  private static func words(of command: AnyHCICommand) -> String {
    if let known = command.command { return phrase(type(of: known).name, fields(of: known)) }
    guard case .unknown(let opcode, let parameters) = command else { return "Command" }
    return phrase(name(of: opcode), [hexadecimal(parameters)])
  }

  private static func words(of event: AnyHCIEvent) -> String {
    switch event {
    case .commandComplete(let event):
      // The first byte is nearly always a status.
      let status = event.returnParameters.first.map { "\(HCIStatus(rawValue: $0))" } ?? ""
      return phrase(
        "Command Complete",
        [name(of: event.opcode), status, hexadecimal(event.returnParameters.dropFirst())]
      )
    case .commandStatus(let event):
      return phrase("Command Status", [name(of: event.opcode), "\(event.status)"])
    case .unknown(let code, let subevent, let parameters):
      let number = subevent.map { " subevent 0x\(hexadecimal($0.rawValue, digits: 2))" } ?? ""
      return phrase("Event 0x\(hexadecimal(code.rawValue, digits: 2))\(number)", [hexadecimal(parameters)])
    default:
      guard let known = event.event else { return "Event" }
      return phrase(type(of: known).name, fields(of: known))
    }
  }

  private static let commandNames: [HCIOpcode: String] = {
    var names: [HCIOpcode: String] = [:]
    for type in AnyHCICommand.types { names[type.opcode] = type.name }
    return names
  }()

  private static func name(of opcode: HCIOpcode) -> String {
    commandNames[opcode] ?? "Command 0x\(hexadecimal(opcode.rawValue, digits: 4))"
  }

  private static func phrase(_ name: String, _ details: [String]) -> String {
    ([name] + details.filter { !$0.isEmpty }).joined(separator: " ")
  }

  /// The fields of a PDU with their names. By reflection: a trace is read by people and is not in anybody's way.
  private static func fields(of pdu: Any) -> [String] {
    Mirror(reflecting: pdu).children.compactMap { child in
      child.label.map { "\($0)=\(text(of: child.value))" }
    }
  }

  private static func text(of value: Any) -> String {
    switch value {
    case let bytes as [UInt8]: return "[\(hexadecimal(bytes))]"
    case let list as [Any]: return "[\(list.map { text(of: $0) }.joined(separator: ", "))]"
    case let value as any CustomStringConvertible: return value.description
    case let set as any RawRepresentable:
      guard let number = set.rawValue as? any FixedWidthInteger else { return "\(value)" }
      return "0x" + String(number, radix: 16, uppercase: true)
    default:
      let inner = fields(of: value)
      return inner.isEmpty ? "\(value)" : "(\(inner.joined(separator: " ")))"
    }
  }
}
