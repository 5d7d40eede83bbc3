import BluetoothTypes

/// What a btsnoop file begins with: 16 bytes. Integers in such files are big-endian, unlike those of Bluetooth itself.
package struct BtsnoopHeader: Hashable, Sendable {
  /// What kind of packets the file holds; an open set.
  package struct DataLink: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// HCI without packet indicators; what a packet is, the flags of its record say.
    package static let bareHCI = DataLink(rawValue: 1001)
    /// HCI with H4's packet indicator in front of each packet.
    package static let h4 = DataLink(rawValue: 1002)
  }

  /// The only version that there is.
  package static let version: UInt32 = 1
  /// `btsnoop` and a zero.
  package static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00]

  package var dataLink: DataLink

  package init(dataLink: DataLink) { self.dataLink = dataLink }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    var rest = reader
    let start = rest
    guard try rest.readBytes(Self.magic.count) == Self.magic else { throw start.invalid("no btsnoop file") }
    let beforeVersion = rest
    guard try rest.read(UInt32.self).byteSwapped == Self.version else {
      throw beforeVersion.invalid("a version of btsnoop other than 1")
    }
    dataLink = DataLink(rawValue: try rest.read(UInt32.self).byteSwapped)
    reader = rest
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(Self.magic)
    writer.write(Self.version.byteSwapped)
    writer.write(dataLink.rawValue.byteSwapped)
  }
}
