import BluetoothTypes

/// An HCI event: its parameters in the order of the specification. Host and virtual controller share these
/// declarations, as they do ``HCICommand``.
///
/// Readers and writers handle what stands behind the event's header; for Low Energy events, behind the subevent code.
package protocol HCIEvent: ByteReadable, ByteWritable, Equatable {
  /// What names the event.
  static var code: HCIEventCode { get }
  /// Its name in words, as in the specification without `HCI`.
  static var name: String { get }
  /// Which Low Energy event it is; `nil` for others.
  static var subevent: LESubevent? { get }
  /// The whole packet: indicator, code, length, parameters.
  var packet: HCIPacket { get }
}

/// A Low Energy event, which has a code of its own inside the LE Meta event.
package protocol LEMetaEvent: HCIEvent {
  static var subeventCode: LESubevent { get }
}

extension HCIEvent {
  package static var subevent: LESubevent? { nil }

  package var packet: HCIPacket { makePacket() }

  /// Writes the whole packet.
  func makePacket() -> HCIPacket {
    var writer = ByteWriter(capacity: 16)
    writer.write(HCIPacket.Kind.event.rawValue)
    writer.write(Self.code.rawValue)
    writer.write(UInt8(0))
    if let subevent = Self.subevent { writer.write(subevent.rawValue) }
    write(to: &writer)
    writer.overwrite(at: 2, with: UInt8(truncatingIfNeeded: writer.count - 3))
    return HCIPacket(.event, whole: writer.bytes)
  }
}

extension LEMetaEvent {
  package static var code: HCIEventCode { .leMeta }
  package static var subevent: LESubevent? { subeventCode }
}

extension AnyHCIEvent {
  /// Reads a whole event packet. What stands behind the known fields is ignored: newer controllers may append some.
  package init(_ packet: HCIPacket) throws(ByteError) {
    guard packet.kind == .event else {
      throw ByteError(offset: 0, problem: .invalid("the packet indicator of an event was expected"))
    }
    var reader = packet.reader
    let code = HCIEventCode(rawValue: try reader.read())
    let length = Int(try reader.read(UInt8.self))
    var parameters = try reader.readSlice(length)
    try reader.requireEnd()
    self = try .parse(code, &parameters)
  }
}
