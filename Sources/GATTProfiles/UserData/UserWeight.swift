import BluetoothTypes

/// The weight of a user (User Data Service 1.0, 3.1; GATT Specification Supplement, Weight).
public struct UserWeight: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 5 g.
  public let rawValue: UInt16

  /// A value from the number that is sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The value in kilograms.
  public var kilograms: Double { Double(rawValue) / 200 }
}

// User Data Service 1.0, 3.1.
extension BluetoothUUID {
  /// 0x2A98: ``UserWeight``.
  public static let weight = BluetoothUUID(UInt16(0x2A98))
}
