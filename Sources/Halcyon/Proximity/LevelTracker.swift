/// The most likely level of the moment: a Kalman filter whose state is the level and how fast it changes.
struct LevelTracker: Sendable {
  /// How fast the change changes: the variance that a second adds to it, in (dB/s)². A walker who sets off at 3 m
  /// changes the level by 4 dB a second.
  private static let agility = 1.0

  private(set) var level: Double?
  private var slope = 0.0
  private var levelVariance = 0.0
  private var covariance = 0.0
  private var slopeVariance = 0.0

  /// Takes in a level that was measured `seconds` after the one before.
  mutating func add(_ measured: Double, after seconds: Double, deviation: Double) {
    guard let before = level else {
      level = measured
      levelVariance = deviation * deviation
      slopeVariance = 4
      return
    }
    let noise = Self.agility * seconds
    let predicted = before + slope * seconds
    levelVariance += seconds * (2 * covariance + seconds * slopeVariance) + noise * seconds * seconds / 3
    covariance += seconds * slopeVariance + noise * seconds / 2
    slopeVariance += noise
    let total = levelVariance + deviation * deviation
    let gain = levelVariance / total
    let slopeGain = covariance / total
    level = predicted + gain * (measured - predicted)
    slope += slopeGain * (measured - predicted)
    slopeVariance -= slopeGain * covariance
    levelVariance *= 1 - gain
    covariance *= 1 - gain
  }
}
