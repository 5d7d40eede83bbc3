import BluetoothTypes

/// How much stronger gusts are than the mean wind (Environmental Sensing Service 1.0, 3.1).
public struct GustFactor: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 0.1 the mean.
  public let rawValue: UInt8

  /// A value from the number that is sent.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The value in the mean.
  public var ratio: Double { Double(rawValue) / 10 }
}

extension BluetoothUUID {
  /// 0x2A74: ``GustFactor``.
  public static let gustFactor = BluetoothUUID(UInt16(0x2A74))
}
