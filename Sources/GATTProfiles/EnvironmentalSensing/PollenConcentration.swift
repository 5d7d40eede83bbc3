import BluetoothTypes

/// How many pollen grains there are in the air (Environmental Sensing Service 1.0, 3.1).
public struct PollenConcentration: RawRepresentable, Hashable, Sendable {
  /// The number as sent, in units of 1 grains per cubic metre; 24 bits are sent.
  public let rawValue: UInt32

  /// A value from the number that is sent.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The value in grains per cubic metre.
  public var grainsPerCubicMeter: Double { Double(rawValue) }
}

extension PollenConcentration: ByteReadable, ByteWritable {
  /// Reads three bytes.
  public init(reading reader: inout ByteReader) throws {
    self.init(rawValue: try reader.readInteger(byteCount: 3))
  }

  /// Appends three bytes.
  public func write(to writer: inout ByteWriter) { writer.writeInteger(rawValue, byteCount: 3) }
}

extension BluetoothUUID {
  /// 0x2A75: ``PollenConcentration``.
  public static let pollenConcentration = BluetoothUUID(UInt16(0x2A75))
}
