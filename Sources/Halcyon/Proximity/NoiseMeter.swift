/// Learns from the levels how noisy they are, whether the device moves or not.
struct NoiseMeter: Sendable {
  /// Levels in a block: long enough for shadowing that stays for a second to show, short enough for a walk to look like
  /// a straight line over three.
  static let block = 16
  /// Of how many levels, and of how many blocks, it remembers about as much as it forgets.
  private static let levelMemory = 256.0
  private static let blockMemory = 32.0
  /// Estimates have errors themselves: up to here they do not count as worse than expected.
  private static let deviationTolerance = 1.2
  private static let correlationTolerance = 2.5

  private let expected: Double
  private var variance: Double
  private var last: Double?
  private var blocks: (Double, Double) = (0, 0)
  private var blockCount = 0
  private var ratio = 1.0

  init(expected: Double) {
    self.expected = expected
    variance = expected * expected
  }

  /// The standard deviation of single levels, in dB; never less than expected.
  var deviation: Double {
    let measured = variance.squareRoot()
    return measured < Self.deviationTolerance * expected ? expected : measured
  }

  /// How many levels it takes to say as much as one that is independent of all others; 1 where they all are.
  var correlation: Double { ratio < Self.correlationTolerance ? 1 : ratio }

  /// Takes in one level, and the mean of the last block where the level ends it.
  mutating func add(_ level: Double, blockMean: Double?) {
    if let last {
      // Half the square of the difference between neighbours is the variance, whatever moves slowly.
      let difference = level - last
      variance += (difference * difference / 2 - variance) / Self.levelMemory
    }
    last = level
    guard let blockMean else { return }
    blockCount &+= 1
    if blockCount >= 3 {
      // The second difference of three means is zero on a straight line; else its variance is six times that of a mean,
      // which is less than that of a level by their number only if they are independent.
      let bend = blockMean - 2 * blocks.1 + blocks.0
      let measured = min(bend * bend / 6 * Double(Self.block) / (deviation * deviation), 8)
      ratio += (measured - ratio) / min(Self.blockMemory, Double(blockCount) + 4)
    }
    blocks = (blocks.1, blockMean)
  }
}
