import BluetoothTypes

/// How the time of a server lies to that of the world (Current Time Service 1.1, 3.2).
public struct LocalTimeInformation: Hashable, Sendable, ByteReadable, ByteWritable {
  /// The offset of the standard time from UTC in quarters of an hour, -48 to 56; -128: not known.
  public var timeZone: Int8
  /// What daylight saving time adds, in quarters of an hour: 0, 2, 4 or 8; 255: not known.
  public var daylightSaving: UInt8

  /// Makes it from its fields.
  public init(timeZone: Int8, daylightSaving: UInt8) {
    self.timeZone = timeZone
    self.daylightSaving = daylightSaving
  }

  /// What to add to UTC for the local time; `nil` if it is not known or makes no sense.
  public var offsetFromUTC: Duration? {
    guard -48...56 ~= timeZone, [0, 2, 4, 8].contains(daylightSaving) else { return nil }
    return .seconds((Int(timeZone) + Int(daylightSaving)) * 900)
  }

  /// Reads 2 bytes.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(2)
    timeZone = try Int8(reading: &reader)
    daylightSaving = try UInt8(reading: &reader)
  }

  /// Appends 2 bytes.
  public func write(to writer: inout ByteWriter) {
    timeZone.write(to: &writer)
    daylightSaving.write(to: &writer)
  }
}
