import BluetoothTypes

/// Puts an HCI packet into a line for packet traces, for example
/// `host → LE Set Scan Enable: le scan enable true, filter duplicates false`.
package enum HCIPacketDescription {
  /// Describes a whole packet; what can not be read is shown as bytes with the reason.
  ///
  /// - Parameters:
  ///   - isFromHost: Which way the packet goes.
  ///   - payload: Describes the L2CAP frame that begins in an ACL packet, which may be cut off by fragmentation.
  package static func line(
    for packet: HCIPacket,
    isFromHost: Bool,
    payload: ([UInt8]) -> String = { L2CAPDescription.line(for: $0) }
  ) -> String {
    "\(isFromHost ? "host" : "controller") → \(contents(of: packet, payload))"
  }

  private static func contents(of packet: HCIPacket, _ payload: ([UInt8]) -> String) -> String {
    do {
      switch packet.kind {
      case .command: return try line(for: AnyHCICommand(packet))
      case .event: return try line(for: AnyHCIEvent(packet))
      case .acl: return line(for: try ACLPacket(packet), payload)
      case .synchronous, .isochronous: return "\(packet.kind) data \(hexadecimal(packet.bytes.dropFirst()))"
      }
    } catch {
      return "\(packet.kind) that can not be read, \(error): \(hexadecimal(packet.bytes))"
    }
  }

  private static func line(for command: AnyHCICommand) -> String {
    switch (command, command.command) {
    case (_, let known?): titled(type(of: known).name, fields(of: known))
    case (.unknown(let opcode, let parameters), _):
      "command 0x\(hexadecimal(opcode.rawValue, digits: 4)) \(hexadecimal(parameters))"
    default: "command"
    }
  }

  private static func line(for event: AnyHCIEvent) -> String {
    switch (event, event.event) {
    case (.commandComplete(let complete), _):
      "Command Complete for \(name(of: complete.opcode)): \(returned(by: complete))"
    case (.commandStatus(let status), _): "Command Status for \(name(of: status.opcode)): \(status.status)"
    case (_, let known?): titled(type(of: known).name, fields(of: known))
    case (.unknown(let code, let subevent, let parameters), _):
      "event 0x\(hexadecimal(subevent?.rawValue ?? code.rawValue, digits: 2)) \(hexadecimal(parameters))"
    default: "event"
    }
  }

  private static func line(for acl: ACLPacket, _ payload: ([UInt8]) -> String) -> String {
    let handle = "0x" + hexadecimal(acl.connectionHandle, digits: 4)
    return acl.boundary.isFirst
      ? "ACL \(handle) \(payload(acl.data))" : "ACL \(handle) continued, \(acl.data.count) bytes"
  }

  private static func name(of opcode: HCIOpcode) -> String {
    AnyHCICommand.types.first { $0.opcode == opcode }?.name ?? "0x\(hexadecimal(opcode.rawValue, digits: 4))"
  }

  private static func returned(by complete: CommandComplete) -> String {
    func read<Command: HCICommand>(_ type: Command.Type) -> String? {
      (try? complete.returned(by: type)).map { fields(of: $0) }
    }
    let type = AnyHCICommand.types.first { $0.opcode == complete.opcode }
    return type.flatMap { read($0) } ?? hexadecimal(complete.returnParameters)
  }

  private static func titled(_ name: String, _ fields: String) -> String {
    fields.isEmpty ? name : "\(name): \(fields)"
  }

  /// The stored properties by name: the declarations have the names of the specification, so nothing is said twice.
  private static func fields(of value: Any) -> String {
    Mirror(reflecting: value).children
      .map { "\(words($0.label ?? "")) \(text($0.value, isHandle: $0.label?.hasSuffix("Handle") == true))" }
      .joined(separator: ", ")
  }

  private static func text(_ value: Any, isHandle: Bool) -> String {
    switch value {
    case let handle as UInt16 where isHandle: "0x" + hexadecimal(handle, digits: 4)
    case let bytes as [UInt8]: bytes.isEmpty ? "empty" : hexadecimal(bytes)
    case let code as any HCICode: "\(code.rawValue)"
    case let status as HCIStatus: "\(status)"
    case let address as BluetoothAddress: "\(address) (\(address.kind))"
    case let list as [LEAdvertisingReport.Report]: list.map { fields(of: $0) }.joined(separator: "; ")
    case let list as [CompletedPackets]: list.map { fields(of: $0) }.joined(separator: "; ")
    default: "\(value)"
    }
  }

  /// `connectionHandle` as `connection handle`.
  private static func words(_ label: String) -> String {
    var result = ""
    var wasLower = false
    for character in label {
      if character.isUppercase, wasLower { result.append(" ") }
      wasLower = character.isLowercase || character.isNumber
      result.append(contentsOf: character.lowercased())
    }
    return result
  }
}
