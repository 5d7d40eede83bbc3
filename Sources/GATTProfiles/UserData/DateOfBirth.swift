import BluetoothTypes

/// The day on which a user was born (User Data Service 1.0, 3.1).
public struct DateOfBirth: Hashable, Sendable {
  /// The year, 1582 to 9999; 0: not known.
  public var year: UInt16
  /// The month, 1 to 12; 0: not known.
  public var month: UInt8
  /// The day of the month, 1 to 31; 0: not known.
  public var day: UInt8

  /// A day from its fields, which are not checked.
  public init(year: UInt16, month: UInt8, day: UInt8) {
    self.year = year
    self.month = month
    self.day = day
  }
}

extension DateOfBirth: ByteReadable, ByteWritable {
  /// Reads four bytes.
  ///
  /// - Throws: `ByteError` if they end too early, or at the first field that is out of its range.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(4)
    let start = reader
    self.init(year: try reader.read(), month: try reader.read(), day: try reader.read())
    guard year == 0 || 1582...9999 ~= year else { throw start.invalid("a year is 1582 to 9999, or 0") }
    guard month <= 12 else {
      throw ByteError(offset: start.offset &+ 2, problem: .invalid("a month is 1 to 12, or 0"))
    }
    guard day <= 31 else { throw ByteError(offset: start.offset &+ 3, problem: .invalid("a day is 1 to 31, or 0")) }
  }

  /// Appends four bytes.
  public func write(to writer: inout ByteWriter) {
    writer.write(year)
    writer.write(month)
    writer.write(day)
  }
}

// User Data Service 1.0, 3; names and address are UTF-8 and have no value type but `String`.
extension BluetoothUUID {
  /// 0x2A8A: the first name, a `String`.
  public static let firstName = BluetoothUUID(UInt16(0x2A8A))
  /// 0x2A90: the family name, a `String`.
  public static let lastName = BluetoothUUID(UInt16(0x2A90))
  /// 0x2A87: the address, a `String`.
  public static let emailAddress = BluetoothUUID(UInt16(0x2A87))
  /// 0x2A80: the age in years, a `UInt8`.
  public static let age = BluetoothUUID(UInt16(0x2A80))
  /// 0x2A85: ``DateOfBirth``.
  public static let dateOfBirth = BluetoothUUID(UInt16(0x2A85))
  /// 0x2A99: how often the data were changed, a `UInt32`.
  public static let databaseChangeIncrement = BluetoothUUID(UInt16(0x2A99))
  /// 0x2A9A: which user the data are of, a `UInt8`; 255: not known.
  public static let userIndex = BluetoothUUID(UInt16(0x2A9A))
}
