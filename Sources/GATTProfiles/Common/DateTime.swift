import BluetoothTypes

/// A date and a time of day as a device's clock has them, without a time zone (GATT Specification Supplement, Date Time).
public struct DateTime: Hashable, Sendable {
  /// The year, 1582 to 9999; 0: not known.
  public var year: UInt16
  /// The month, 1 to 12; 0: not known.
  public var month: UInt8
  /// The day of the month, 1 to 31; 0: not known.
  public var day: UInt8
  /// 0 to 23.
  public var hours: UInt8
  /// 0 to 59.
  public var minutes: UInt8
  /// 0 to 59.
  public var seconds: UInt8

  /// A date and a time from its fields, which are not checked.
  public init(
    year: UInt16,
    month: UInt8,
    day: UInt8,
    hours: UInt8 = 0,
    minutes: UInt8 = 0,
    seconds: UInt8 = 0
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
  }
}

extension DateTime: ByteReadable, ByteWritable {
  /// Reads seven bytes.
  ///
  /// - Throws: `ByteError` if they end too early, or at the first field that is out of its range.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(7)
    let year = reader
    self.year = try reader.read()
    guard self.year == 0 || 1582...9999 ~= self.year else { throw year.invalid("a year is 1582 to 9999, or 0") }
    month = try Self.field(&reader, 0...12, "a month is 1 to 12, or 0")
    day = try Self.field(&reader, 0...31, "a day is 1 to 31, or 0")
    hours = try Self.field(&reader, 0...23, "an hour is 0 to 23")
    minutes = try Self.field(&reader, 0...59, "a minute is 0 to 59")
    seconds = try Self.field(&reader, 0...59, "a second is 0 to 59")
  }

  private static func field(
    _ reader: inout ByteReader,
    _ range: ClosedRange<UInt8>,
    _ reason: StaticReason
  ) throws(ByteError) -> UInt8 {
    let error = reader.invalid(reason)
    let value = try reader.read(UInt8.self)
    guard range ~= value else { throw error }
    return value
  }

  /// Appends seven bytes.
  public func write(to writer: inout ByteWriter) {
    writer.write(year)
    writer.write([month, day, hours, minutes, seconds])
  }
}

extension DateTime: CustomStringConvertible {
  /// For example `2026-11-30 17:05:00`.
  public var description: String {
    func padded(_ number: some BinaryInteger, _ digits: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) "
      + "\(padded(hours, 2)):\(padded(minutes, 2)):\(padded(seconds, 2))"
  }
}
