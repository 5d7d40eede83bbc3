import BluetoothTypes

/// A pressure, such as that of the air (Environmental Sensing Service 1.0, 3.1).
public struct Pressure: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 0.1 pascals.
  public let rawValue: UInt32

  /// A value from the number that is sent.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The value in pascals.
  public var pascals: Double { Double(rawValue) / 10 }
}

extension BluetoothUUID {
  /// 0x2A6D: ``Pressure``.
  public static let pressure = BluetoothUUID(UInt16(0x2A6D))
}
