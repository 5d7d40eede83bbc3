#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// How a loop's time follows the system's steady clock.
package struct Pace: Sendable {
  /// What speeds there are.
  package static let speeds: ClosedRange<Double> = 0.01...1000

  /// How many seconds of the loop's time go by in one second.
  package let speed: Double
  private let origin: Int64

  /// - Parameter speed: Brought into ``speeds``; what is no number counts as 1.
  package init(speed: Double = 1) {
    self.speed = speed.isNaN ? 1 : min(max(speed, Self.speeds.lowerBound), Self.speeds.upperBound)
    origin = SteadyTime.nanoseconds
  }

  /// The loop's time.
  var now: RadioInstant {
    let passed = SteadyTime.nanoseconds &- origin
    // Exact where nothing is scaled.
    return RadioInstant(nanoseconds: speed == 1 ? passed : Self.clamped(Double(passed) * speed))
  }

  /// How many nanoseconds to sleep from `now` until `deadline`, at least one.
  func wait(until deadline: RadioInstant, now: RadioInstant) -> Int64 {
    let left = max(0, deadline.nanoseconds.subtractingReportingOverflow(now.nanoseconds).partialValue)
    return max(1, speed == 1 ? left : Self.clamped((Double(left) / speed).rounded(.up)))
  }

  private static func clamped(_ nanoseconds: Double) -> Int64 {
    Int64(exactly: nanoseconds.rounded(.down)) ?? (nanoseconds < 0 ? .min : .max)
  }
}

/// The system's clock that never goes back.
package enum SteadyTime {
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// Waits for descriptors, as exactly as the system can.
///
/// `poll` counts milliseconds, in which a connection event and its reply are over. `ppoll` is exact, but its declaration
/// is not visible from Swift on every system that has it.
enum PreciseWait {
  private typealias ExactPoll =
    @convention(c) (UnsafeMutablePointer<pollfd>?, nfds_t, UnsafePointer<timespec>?, UnsafeRawPointer?) -> Int32

  private static let exactPoll: ExactPoll? = {
    #if os(Linux) && canImport(Glibc)
      guard let program = dlopen(nil, RTLD_NOW), let symbol = dlsym(program, "ppoll") else { return nil }
      return unsafeBitCast(symbol, to: ExactPoll.self)
    #else
      return nil
    #endif
  }()

  /// What `poll` returns, after at most `nanoseconds`; `nil` for as long as it takes.
  static func poll(_ entries: inout [pollfd], _ nanoseconds: Int64?) -> Int32 {
    guard let nanoseconds, let exactPoll else { return roughPoll(&entries, nanoseconds) }
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var time = timespec(tv_sec: numericCast(seconds), tv_nsec: numericCast(rest))
    return entries.withUnsafeMutableBufferPointer { exactPoll($0.baseAddress, nfds_t($0.count), &time, nil) }
  }

  private static func roughPoll(_ entries: inout [pollfd], _ nanoseconds: Int64?) -> Int32 {
    // Rounded up: to wake too early would mean to poll again, without sleep, until the time has come.
    let milliseconds = nanoseconds.map { Int32(clamping: $0 / 1_000_000 &+ ($0 % 1_000_000 > 0 ? 1 : 0)) }
    #if canImport(Darwin)
      return Darwin.poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
    #elseif canImport(Musl)
      return Musl.poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
    #elseif canImport(Android)
      return Android.poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
    #else
      return Glibc.poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
    #endif
  }
}
