import BluetoothTypes

/// The power on a bike with all that a meter may send along (Cycling Power Service 1.1, 3.2).
public struct CyclingPowerMeasurement: Hashable, Sendable {
  /// How the power is shared by the pedals.
  public struct PedalBalance: Hashable, Sendable {
    /// The share in half percents, 0 to 200.
    public var halfPercents: UInt8
    /// Whether it is the share of the left pedal; else nobody knows of which.
    public var isLeft: Bool

    /// Makes a balance.
    public init(halfPercents: UInt8, isLeft: Bool) {
      self.halfPercents = halfPercents
      self.isLeft = isLeft
    }

    /// The share in percent.
    public var percentage: Double { Double(halfPercents) / 2 }
  }

  /// The sum of torques.
  public struct Torque: Hashable, Sendable {
    /// The sum in 1/32 N m; starts again at 0 when it is full.
    public var value: UInt16
    /// Whether it was measured at the crank, not at the wheel.
    public var isFromCrank: Bool

    /// Makes a sum.
    public init(_ value: UInt16, isFromCrank: Bool) {
      self.value = value
      self.isFromCrank = isFromCrank
    }

    /// The sum in newton metres.
    public var newtonMeters: Double { Double(value) / 32 }
  }

  /// The greatest and the least of something in one turn of the crank.
  public struct Extremes: Hashable, Sendable {
    /// The greatest.
    public var maximum: Int16
    /// The least.
    public var minimum: Int16

    /// Makes a pair.
    public init(maximum: Int16, minimum: Int16) {
      self.maximum = maximum
      self.minimum = minimum
    }
  }

  /// The angles of the crank at the greatest and the least force or torque, in degrees, 12 bits each.
  public struct Angles: Hashable, Sendable {
    /// That of the greatest; 0 to 4095, of which up to 359 are angles.
    public let maximum: UInt16
    /// That of the least; 0 to 4095, of which up to 359 are angles.
    public let minimum: UInt16

    /// Makes a pair; bits beyond 12 are cut off.
    public init(maximum: UInt16, minimum: UInt16) {
      self.maximum = maximum & 0xFFF
      self.minimum = minimum & 0xFFF
    }
  }

  /// The power in watts.
  public var power: Int16
  /// How the power is shared by the pedals; `nil` if not sent.
  public var pedalBalance: PedalBalance?
  /// The sum of torques; `nil` if not sent.
  public var torque: Torque?
  /// The wheel, with its time in 1/2048 s; `nil` if not sent.
  public var wheel: WheelRevolutionData?
  /// The crank, with its time in 1/1024 s; `nil` if not sent.
  public var crank: CrankRevolutionData?
  /// The extremes of the force in newtons; `nil` if not sent.
  public var extremeForces: Extremes?
  /// The extremes of the torque in 1/32 N m; `nil` if not sent.
  public var extremeTorques: Extremes?
  /// The angles of the extremes; `nil` if not sent.
  public var extremeAngles: Angles?
  /// The angle at which the crank turns without power near the top, in degrees; `nil` if not sent.
  public var topDeadSpotAngle: UInt16?
  /// The angle at which the crank turns without power near the bottom, in degrees; `nil` if not sent.
  public var bottomDeadSpotAngle: UInt16?
  /// The energy in kilojoules; starts again at 0 when it is full. `nil` if not sent.
  public var energy: UInt16?
  /// Whether the offset is compensated.
  public var isOffsetCompensated = false

  /// A power without any of the optional fields, which can be set then.
  public init(power: Int16) { self.power = power }
}
