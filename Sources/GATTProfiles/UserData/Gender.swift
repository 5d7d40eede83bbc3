import BluetoothTypes

/// The gender of a user (User Data Service 1.0, 3.1): an open set.
public struct Gender: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number.
  public let rawValue: UInt8

  /// A value from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Male.
  public static let male = Gender(rawValue: 0)
  /// Female.
  public static let female = Gender(rawValue: 1)
  /// Not told.
  public static let unspecified = Gender(rawValue: 2)
}

// User Data Service 1.0, 3.1.
extension BluetoothUUID {
  /// 0x2A8C: ``Gender``.
  public static let gender = BluetoothUUID(UInt16(0x2A8C))
}
