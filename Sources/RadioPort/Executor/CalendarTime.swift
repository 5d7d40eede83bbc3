#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

extension RadioExecutor {
  /// When the radio's time began, as the time since 1970-01-01 00:00 UTC: for files that give the date of things.
  ///
  /// For a simulated world it is always the beginning of the year 2000, so that equal runs make equal files. Else it is
  /// reckoned from the date that it is now, and so changes if the system's date is set.
  package var unixTimeOfStart: Duration {
    guard !runsAppCode else { return .seconds(946_684_800) }
    var date = timespec()
    clock_gettime(CLOCK_REALTIME, &date)
    return .seconds(Int64(date.tv_sec)) + .nanoseconds(Int64(date.tv_nsec)) - now.sinceStart
  }
}
