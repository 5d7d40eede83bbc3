#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Looks at descriptors for a moment longer before the thread sleeps, where that has been of use.
///
/// A controller or a program on the same machine often answers within some ten microseconds. To sleep that long costs more
/// than the whole way of a packet through a host, and on a machine whose idle cores must be woken several times as much,
/// for the one who sleeps and for the one who wakes. So the thread looks again and again, but for no longer than
/// ``length``. Each time that nothing comes meanwhile the next tries are further apart, down to one in ``longestPause``
/// waits: a loop whose answers come at the pace of a radio sleeps, and a loop without work does nothing at all.
package struct Lingering {
  /// For how long, in nanoseconds.
  package static let length: Int64 = 100_000
  /// After how many waits the next try comes at the latest.
  package static let longestPause = 64

  /// With one processor the answer could not come before this thread sleeps.
  private let isOfUse: Bool
  private var pause = 0
  private var waitsToGo = 0

  package init(processors: Int = sysconf(Int32(_SC_NPROCESSORS_ONLN))) { isOfUse = processors > 1 }

  /// Waits, at first without sleep if this is the time for it.
  ///
  /// - Parameters:
  ///   - nanoseconds: For how long in all; `nil` for as long as it takes.
  ///   - hasDescriptors: Whether anything can come but work from other threads.
  ///   - now: The time, in nanoseconds.
  ///   - poll: Polls for so many nanoseconds, and returns how many descriptors are ready.
  package mutating func wait(
    _ nanoseconds: Int64?,
    hasDescriptors: Bool,
    now: () -> Int64 = { SteadyTime.nanoseconds },
    _ poll: (Int64?) -> Int32
  ) -> Int32 {
    guard isOfUse, hasDescriptors, nanoseconds ?? 1 > 0 else { return poll(nanoseconds) }
    guard waitsToGo == 0 else {
      waitsToGo &-= 1
      return poll(nanoseconds)
    }
    let start = now()
    let limit = min(nanoseconds ?? .max, Self.length)
    var passed: Int64 = 0
    repeat {
      let ready = poll(0)
      if ready != 0 {
        pause = 0
        return ready
      }
      passed = now() &- start
    } while passed < limit
    pause = min(max(1, 2 &* pause), Self.longestPause)
    waitsToGo = pause
    guard let nanoseconds else { return poll(nil) }
    return nanoseconds > passed ? poll(nanoseconds &- passed) : 0
  }
}
