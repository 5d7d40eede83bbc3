/// When the two ends of a link meet, in the units of HCI.
struct LinkTiming: Hashable, Sendable {
  /// In units of 1.25 ms.
  var interval: UInt16
  /// How many events in a row the peripheral may leave out.
  var latency: UInt16
  /// In units of 10 ms.
  var timeout: UInt16

  /// Nanoseconds between two connection events; never 0.
  var intervalNanoseconds: Int64 { max(1, Int64(interval)) &* 1_250_000 }
  /// Nanoseconds without a packet after which the link is lost.
  var timeoutNanoseconds: Int64 { Int64(timeout) &* 10_000_000 }
  /// From one event that the peripheral must attend to the next.
  var stride: Int64 { Int64(latency) &+ 1 }

  /// Whether the values are in range and go together (Core 5.4, Vol 4, Part E, 7.8.12).
  static func isValid(intervals: ClosedRange<UInt16>, latency: UInt16, timeout: UInt16) -> Bool {
    guard intervals.lowerBound >= 0x0006, intervals.upperBound <= 0x0C80, latency <= 0x01F3 else { return false }
    guard timeout >= 0x000A, timeout <= 0x0C80 else { return false }
    // The link must outlive two intervals with all the events that may be left out.
    return Int64(timeout) &* 10_000 > (Int64(latency) &+ 1) &* Int64(intervals.upperBound) &* 2_500
  }
}

/// How long data packets of one direction may be (Core 5.4, Vol 6, Part B, 4.5.10).
struct PacketLimit: Hashable, Sendable {
  /// Bytes of payload.
  var octets: UInt16
  /// Microseconds on the air.
  var time: UInt16

  /// What every link begins with.
  static let initial = PacketLimit(octets: 27, time: 328)
  /// What our controllers can do at most; the time is that of the longest packet on the Coded PHY.
  static let supported = PacketLimit(octets: 251, time: 17040)

  /// What both can do.
  func limited(by other: PacketLimit) -> PacketLimit {
    PacketLimit(octets: min(octets, other.octets), time: min(time, other.time))
  }
}
