extension DateTime {
  /// The seconds from 1970-01-01 00:00:00 to this time in the same time zone, without leap seconds, in the Gregorian
  /// calendar; `nil` if the date is not known or there is no such day.
  public var secondsSince1970: Int64? {
    guard let days = daysSince1970, hours < 24, minutes < 60, seconds < 60 else { return nil }
    return Int64(days) * 86_400 + Int64(hours) * 3600 + Int64(minutes) * 60 + Int64(seconds)
  }

  /// The time that lies so many seconds after 1970-01-01 00:00:00 in the same time zone, without leap seconds.
  ///
  /// - Returns: `nil` if its year is not 1582 to 9999.
  public init?(secondsSince1970 total: Int64) {
    // From 1582-01-01 to the end of 9999; what lies in it can not overflow below.
    guard -12_244_089_600..<253_402_300_800 ~= total else { return nil }
    let time = total - Self.floor(total, 86_400) * 86_400
    // Years are counted from March on, so that the leap day is the last one; 400 of them have 146097 days.
    let day = Self.floor(total, 86_400) + Self.daysFromMarchOfYear0
    let era = Self.floor(day, 146_097)
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      year: UInt16(clamping: era * 400 + yearOfEra + (month <= 2 ? 1 : 0)),
      month: UInt8(clamping: month),
      day: UInt8(clamping: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1),
      hours: UInt8(clamping: time / 3600),
      minutes: UInt8(clamping: time / 60 % 60),
      seconds: UInt8(clamping: time % 60)
    )
  }

  /// The day of the week; ``DayOfWeek/unknown`` if the date is not known or there is no such day.
  public var dayOfWeek: DayOfWeek {
    // 1970-01-01 was a Thursday.
    guard let days = daysSince1970 else { return .unknown }
    return DayOfWeek(rawValue: UInt8(clamping: days + 3 - Self.floor(days + 3, 7) * 7 + 1))
  }

  private var daysSince1970: Int64? {
    guard year != 0, 1...12 ~= month, 1...Self.days(inMonth: month, of: year) ~= day else { return nil }
    let marchYear = Int64(year) - (month <= 2 ? 1 : 0)
    let monthFromMarch = (Int64(month) + 9) % 12
    let leapDays = Self.floor(marchYear, 4) - Self.floor(marchYear, 100) + Self.floor(marchYear, 400)
    return marchYear * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + Int64(day) - 1 - Self.daysFromMarchOfYear0
  }

  /// From 0000-03-01 to 1970-01-01.
  private static let daysFromMarchOfYear0: Int64 = 719_468

  private static func days(inMonth month: UInt8, of year: UInt16) -> UInt8 {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    number / divisor - (number % divisor < 0 ? 1 : 0)
  }
}
