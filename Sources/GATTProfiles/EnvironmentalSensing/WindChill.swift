import BluetoothTypes

/// How cold it feels (Environmental Sensing Service 1.0, 3.1).
public struct WindChill: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 1 degrees Celsius.
  public let rawValue: Int8

  /// A value from the number that is sent.
  public init(rawValue: Int8) { self.rawValue = rawValue }

  /// The value in degrees Celsius.
  public var celsius: Double { Double(rawValue) }
}

extension BluetoothUUID {
  /// 0x2A79: ``WindChill``.
  public static let windChill = BluetoothUUID(UInt16(0x2A79))
}
