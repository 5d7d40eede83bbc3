import BluetoothTypes

/// The height of a user (User Data Service 1.0, 3.1; GATT Specification Supplement, Height).
public struct UserHeight: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 0.01 metres.
  public let rawValue: UInt16

  /// A value from the number that is sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The value in metres.
  public var meters: Double { Double(rawValue) / 100 }
}

extension BluetoothUUID {
  /// 0x2A8E: ``UserHeight``.
  public static let height = BluetoothUUID(UInt16(0x2A8E))
}
