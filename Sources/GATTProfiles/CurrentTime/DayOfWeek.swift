import BluetoothTypes

/// A day of the week (GATT Specification Supplement, Day of Week): an open set.
public struct DayOfWeek: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number.
  public let rawValue: UInt8

  /// A value from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Not known.
  public static let unknown = DayOfWeek(rawValue: 0)
  /// Monday.
  public static let monday = DayOfWeek(rawValue: 1)
  /// Tuesday.
  public static let tuesday = DayOfWeek(rawValue: 2)
  /// Wednesday.
  public static let wednesday = DayOfWeek(rawValue: 3)
  /// Thursday.
  public static let thursday = DayOfWeek(rawValue: 4)
  /// Friday.
  public static let friday = DayOfWeek(rawValue: 5)
  /// Saturday.
  public static let saturday = DayOfWeek(rawValue: 6)
  /// Sunday.
  public static let sunday = DayOfWeek(rawValue: 7)
}
