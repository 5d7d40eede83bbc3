/// A moment on a radio's own time line: nanoseconds since the radio began.
public struct RadioInstant: InstantProtocol, Hashable, Sendable {
  /// Nanoseconds since the radio began; 292 years are enough.
  public let nanoseconds: Int64

  /// A moment from its distance to the radio's beginning.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// When the radio began.
  public static let zero = RadioInstant(nanoseconds: 0)
  /// The end of all time lines.
  public static let distantFuture = RadioInstant(nanoseconds: .max)

  /// Time since the radio began.
  public var sinceStart: Duration { .nanoseconds(nanoseconds) }

  /// The moment `duration` later; a sum that is out of range becomes the end or the beginning of time.
  public func advanced(by duration: Duration) -> RadioInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return RadioInstant(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }

  /// Time from here to `other`.
  public func duration(to other: RadioInstant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// Earlier is less.
  @inlinable
  public static func < (left: RadioInstant, right: RadioInstant) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Duration {
  /// The duration in nanoseconds, cut to the range of `Int64`.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowAgain) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || overflowAgain ? (seconds < 0 ? .min : .max) : sum
  }
}
