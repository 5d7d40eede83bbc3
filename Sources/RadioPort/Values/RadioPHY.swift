/// A physical layer of Low Energy (Core 5.4, Vol 6, Part A, 3).
public enum RadioPHY: UInt8, Hashable, Sendable, CaseIterable {
  /// One megabit a second; every device has it.
  case le1M = 1
  /// Two megabits a second: more data in the same time, over a little less distance. Nobody is found on it.
  case le2M = 2
  /// An eighth or half of a megabit a second, over several times the distance.
  case leCoded = 3
}
