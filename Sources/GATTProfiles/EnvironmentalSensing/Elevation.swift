import BluetoothTypes

/// A height above sea level (Environmental Sensing Service 1.0, 3.1).
public struct Elevation: RawRepresentable, Hashable, Sendable {
  /// The number as sent, in units of 0.01 metres; 24 bits are sent.
  public let rawValue: Int32

  /// A value from the number that is sent.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value in metres.
  public var meters: Double { Double(rawValue) / 100 }
}

extension Elevation: ByteReadable, ByteWritable {
  /// Reads three bytes.
  public init(reading reader: inout ByteReader) throws {
    let bits = try reader.readInteger(Int32.self, byteCount: 3)
    self.init(rawValue: (bits &<< 8) &>> 8)
  }

  /// Appends three bytes.
  public func write(to writer: inout ByteWriter) { writer.writeInteger(rawValue, byteCount: 3) }
}

extension BluetoothUUID {
  /// 0x2A6C: ``Elevation``.
  public static let elevation = BluetoothUUID(UInt16(0x2A6C))
}
