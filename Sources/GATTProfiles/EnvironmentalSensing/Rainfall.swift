import BluetoothTypes

/// How high the rain stands (Environmental Sensing Service 1.0, 3.1).
public struct Rainfall: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 0.001 metres.
  public let rawValue: UInt16

  /// A value from the number that is sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The value in metres.
  public var meters: Double { Double(rawValue) / 1000 }
}

extension BluetoothUUID {
  /// 0x2A78: ``Rainfall``.
  public static let rainfall = BluetoothUUID(UInt16(0x2A78))
}
