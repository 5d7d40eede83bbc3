import BluetoothTypes

/// The temperature at which water begins to condense (Environmental Sensing Service 1.0, 3.1).
public struct DewPoint: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 1 degrees Celsius.
  public let rawValue: Int8

  /// A value from the number that is sent.
  public init(rawValue: Int8) { self.rawValue = rawValue }

  /// The value in degrees Celsius.
  public var celsius: Double { Double(rawValue) }
}

extension BluetoothUUID {
  /// 0x2A7B: ``DewPoint``.
  public static let dewPoint = BluetoothUUID(UInt16(0x2A7B))
}
