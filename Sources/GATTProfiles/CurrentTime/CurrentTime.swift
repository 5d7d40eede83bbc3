import BluetoothTypes

/// The time of a server, with why its clock was set (Current Time Service 1.1, 3.1).
public struct CurrentTime: Hashable, Sendable {
  /// Why the clock was set.
  public struct AdjustReason: OptionSet, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The bits; those without a name are kept.
    public let rawValue: UInt8

    /// A set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// By hand.
    public static let manualUpdate = AdjustReason(rawValue: 1 &<< 0)
    /// From another clock.
    public static let externalReference = AdjustReason(rawValue: 1 &<< 1)
    /// The time zone changed.
    public static let timeZoneChange = AdjustReason(rawValue: 1 &<< 2)
    /// Daylight saving time began or ended.
    public static let daylightSavingChange = AdjustReason(rawValue: 1 &<< 3)
  }

  /// Date and time, local to the server.
  public var dateTime: DateTime
  /// The day of the week.
  public var dayOfWeek: DayOfWeek
  /// The part of a second beyond ``dateTime``, in 1/256 s.
  public var fractions256: UInt8
  /// Why the clock was set.
  public var adjustReason: AdjustReason

  /// A time; the day of the week is that of the date where none is given.
  public init(
    _ dateTime: DateTime,
    dayOfWeek: DayOfWeek? = nil,
    fractions256: UInt8 = 0,
    adjustReason: AdjustReason = []
  ) {
    self.dateTime = dateTime
    self.dayOfWeek = dayOfWeek ?? dateTime.dayOfWeek
    self.fractions256 = fractions256
    self.adjustReason = adjustReason
  }

  /// The time from 1970-01-01 00:00:00 in the same time zone, to 1/256 s; `nil` if the date is not known or there is no
  /// such day.
  public var sinceEpoch: Duration? {
    dateTime.secondsSince1970.map {
      Duration(secondsComponent: $0, attosecondsComponent: Int64(fractions256) * Self.attoseconds)
    }
  }

  /// The time that lies so long after 1970-01-01 00:00:00 in the same time zone; what is finer than 1/256 s is cut off.
  ///
  /// - Returns: `nil` if its year is not 1582 to 9999.
  public init?(sinceEpoch: Duration, adjustReason: AdjustReason = []) {
    let (seconds, attoseconds) = sinceEpoch.components
    let whole = attoseconds < 0 ? seconds.subtractingReportingOverflow(1).partialValue : seconds
    guard let dateTime = DateTime(secondsSince1970: whole) else { return nil }
    let rest = attoseconds < 0 ? attoseconds + 1_000_000_000_000_000_000 : attoseconds
    self.init(dateTime, fractions256: UInt8(clamping: rest / Self.attoseconds), adjustReason: adjustReason)
  }

  private static let attoseconds: Int64 = 3_906_250_000_000_000
}

extension CurrentTime: ByteReadable, ByteWritable {
  /// Reads ten bytes.
  ///
  /// - Throws: `ByteError` if they end too early, or at the first field that is out of its range.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(10)
    dateTime = try DateTime(reading: &reader)
    let error = reader.invalid("a day of the week is 1 to 7, or 0")
    dayOfWeek = try DayOfWeek(reading: &reader)
    guard dayOfWeek.rawValue <= 7 else { throw error }
    fractions256 = try reader.read()
    adjustReason = try AdjustReason(reading: &reader)
  }

  /// Appends ten bytes.
  public func write(to writer: inout ByteWriter) {
    dateTime.write(to: &writer)
    dayOfWeek.write(to: &writer)
    writer.write(fractions256)
    adjustReason.write(to: &writer)
  }
}

// Current Time Service 1.1, 3.
extension BluetoothUUID {
  /// 0x2A2B: ``CurrentTime``; read, notified and perhaps written.
  public static let currentTime = BluetoothUUID(UInt16(0x2A2B))
  /// 0x2A0F: ``LocalTimeInformation``; read and perhaps written.
  public static let localTimeInformation = BluetoothUUID(UInt16(0x2A0F))
  /// 0x2A14: ``ReferenceTimeInformation``; read.
  public static let referenceTimeInformation = BluetoothUUID(UInt16(0x2A14))
}
