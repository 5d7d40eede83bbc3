import RadioPort

/// The newest levels, so that the mean of any number of them is had at once.
struct RecentLevels: Sendable {
  static let capacity = 128
  private static let mask = 255

  // The sum of all levels up to each; a difference of two is the sum of what lies between.
  private var sums = [Double](repeating: 0, count: RecentLevels.mask + 1)
  private var times = [RadioInstant](repeating: .zero, count: RecentLevels.mask + 1)
  private(set) var count = 0

  mutating func add(_ level: Double, at time: RadioInstant) {
    let before = sums[count & Self.mask]
    count &+= 1
    sums[count & Self.mask] = before + level
    times[count & Self.mask] = time
  }

  /// The mean of the newest `number` levels, of which there are as many.
  func mean(of number: Int) -> Double {
    (sums[count & Self.mask] - sums[(count &- number) & Self.mask]) / Double(number)
  }

  /// When the oldest of the newest `number` levels was measured.
  func time(of number: Int) -> RadioInstant { times[(count &- number &+ 1) & Self.mask] }
}
