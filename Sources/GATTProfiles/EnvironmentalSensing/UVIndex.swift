import BluetoothTypes

/// The strength of ultraviolet light (Environmental Sensing Service 1.0, 3.1).
public struct UVIndex: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 1 the index.
  public let rawValue: UInt8

  /// A value from the number that is sent.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The value in the index.
  public var index: Double { Double(rawValue) }
}

extension BluetoothUUID {
  /// 0x2A76: ``UVIndex``.
  public static let uvIndex = BluetoothUUID(UInt16(0x2A76))
}
