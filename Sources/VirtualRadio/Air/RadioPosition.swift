/// A place in a virtual world, in metres.
public struct RadioPosition: Hashable, Sendable {
  /// Metres to the east.
  public var x: Double
  /// Metres to the north.
  public var y: Double
  /// Metres up.
  public var z: Double

  /// A place; what is not a finite number counts as 0.
  public init(x: Double = 0, y: Double = 0, z: Double = 0) {
    self.x = x.isFinite ? x : 0
    self.y = y.isFinite ? y : 0
    self.z = z.isFinite ? z : 0
  }

  /// Where the world's own radio is at first.
  public static let origin = RadioPosition()

  /// The straight way between two places, in metres.
  public func distance(to other: RadioPosition) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return (dx * dx + dy * dy + dz * dz).squareRoot()
  }
}
