import BluetoothTypes
import RadioPort

/// Connection parameters in the units of the controller, in the ranges that it takes (Core 5.4, Vol 4, Part E, 7.8.12).
package struct ConnectionParameters: Hashable, Sendable {
  /// In units of 1.25 ms.
  package var intervalMin: UInt16
  /// In units of 1.25 ms.
  package var intervalMax: UInt16
  /// In connection events.
  package var latency: UInt16
  /// In units of 10 ms.
  package var timeout: UInt16

  /// Brings the wishes into range, and the timeout to where the latency allows it.
  package init(_ options: LinkOptions) {
    intervalMin = Self.units(options.interval.lowerBound, of: 1_250_000, in: 6...3200)
    intervalMax = max(intervalMin, Self.units(options.interval.upperBound, of: 1_250_000, in: 6...3200))
    latency = min(options.latency, 499)
    let wished = Self.units(options.supervisionTimeout, of: 10_000_000, in: 10...3200)
    // More than twice the time that the peripheral may be silent, with interval × 1.25 ms and timeout × 10 ms.
    let least = (1 + Int(latency)) * Int(intervalMax) / 4 + 1
    timeout = max(wished, UInt16(clamping: min(least, 3200)))
  }

  /// Takes what a peer asks for, as it is.
  package init(intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, timeout: UInt16) {
    self.intervalMin = intervalMin
    self.intervalMax = intervalMax
    self.latency = latency
    self.timeout = timeout
  }

  /// Whether a controller takes them.
  package var isValid: Bool {
    intervalMin >= 6 && intervalMin <= intervalMax && intervalMax <= 3200 && latency <= 499
      && (10...3200).contains(timeout) && Int(timeout) * 4 > (1 + Int(latency)) * Int(intervalMax)
  }

  private static func units(_ duration: Duration, of size: Int64, in range: ClosedRange<Int64>) -> UInt16 {
    let count = duration.wholeNanoseconds / size
    return UInt16(truncatingIfNeeded: min(max(count, range.lowerBound), range.upperBound))
  }

  /// An interval as time.
  package static func interval(_ units: UInt16) -> Duration { .microseconds(1250) * Int(units) }

  /// A supervision timeout as time.
  package static func timeout(_ units: UInt16) -> Duration { .milliseconds(10) * Int(units) }
}
