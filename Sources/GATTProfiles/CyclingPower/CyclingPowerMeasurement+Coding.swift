import BluetoothTypes

extension CyclingPowerMeasurement.Extremes: ByteReadable, ByteWritable {
  /// Reads four bytes.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(4)
    self.init(maximum: try reader.read(), minimum: try reader.read())
  }

  /// Appends four bytes.
  public func write(to writer: inout ByteWriter) {
    writer.write(maximum)
    writer.write(minimum)
  }
}

extension CyclingPowerMeasurement.Angles: ByteReadable, ByteWritable {
  /// Reads three bytes.
  public init(reading reader: inout ByteReader) throws {
    let both = try reader.readInteger(UInt32.self, byteCount: 3)
    self.init(maximum: UInt16(truncatingIfNeeded: both), minimum: UInt16(truncatingIfNeeded: both &>> 12))
  }

  /// Appends three bytes.
  public func write(to writer: inout ByteWriter) {
    writer.writeInteger(UInt32(minimum) &<< 12 | UInt32(maximum), byteCount: 3)
  }
}

extension CyclingPowerMeasurement: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt16
    static let pedalBalance = Flags(rawValue: 0x0001)
    static let leftReference = Flags(rawValue: 0x0002)
    static let torque = Flags(rawValue: 0x0004)
    static let crankTorque = Flags(rawValue: 0x0008)
    static let wheel = Flags(rawValue: 0x0010)
    static let crank = Flags(rawValue: 0x0020)
    static let extremeForces = Flags(rawValue: 0x0040)
    static let extremeTorques = Flags(rawValue: 0x0080)
    static let extremeAngles = Flags(rawValue: 0x0100)
    static let topDeadSpotAngle = Flags(rawValue: 0x0200)
    static let bottomDeadSpotAngle = Flags(rawValue: 0x0400)
    static let energy = Flags(rawValue: 0x0800)
    static let offsetCompensated = Flags(rawValue: 0x1000)
  }

  /// Reads flags, power and the fields that the flags announce.
  public init(reading reader: inout ByteReader) throws {
    let flags = Flags(rawValue: try reader.read())
    self.init(power: try reader.read())
    if flags.contains(.pedalBalance) {
      pedalBalance = PedalBalance(halfPercents: try reader.read(), isLeft: flags.contains(.leftReference))
    }
    if flags.contains(.torque) { torque = Torque(try reader.read(), isFromCrank: flags.contains(.crankTorque)) }
    if flags.contains(.wheel) { wheel = try WheelRevolutionData(reading: &reader) }
    if flags.contains(.crank) { crank = try CrankRevolutionData(reading: &reader) }
    if flags.contains(.extremeForces) { extremeForces = try Extremes(reading: &reader) }
    if flags.contains(.extremeTorques) { extremeTorques = try Extremes(reading: &reader) }
    if flags.contains(.extremeAngles) { extremeAngles = try Angles(reading: &reader) }
    if flags.contains(.topDeadSpotAngle) { topDeadSpotAngle = try reader.read() }
    if flags.contains(.bottomDeadSpotAngle) { bottomDeadSpotAngle = try reader.read() }
    if flags.contains(.energy) { energy = try reader.read() }
    isOffsetCompensated = flags.contains(.offsetCompensated)
  }

  /// Appends the measurement.
  public func write(to writer: inout ByteWriter) {
    flags.rawValue.write(to: &writer)
    writer.write(power)
    pedalBalance?.halfPercents.write(to: &writer)
    torque?.value.write(to: &writer)
    wheel?.write(to: &writer)
    crank?.write(to: &writer)
    extremeForces?.write(to: &writer)
    extremeTorques?.write(to: &writer)
    extremeAngles?.write(to: &writer)
    topDeadSpotAngle?.write(to: &writer)
    bottomDeadSpotAngle?.write(to: &writer)
    energy?.write(to: &writer)
  }

  private var flags: Flags {
    var flags: Flags = []
    if pedalBalance != nil { flags.insert(.pedalBalance) }
    if pedalBalance?.isLeft == true { flags.insert(.leftReference) }
    if torque != nil { flags.insert(.torque) }
    if torque?.isFromCrank == true { flags.insert(.crankTorque) }
    if wheel != nil { flags.insert(.wheel) }
    if crank != nil { flags.insert(.crank) }
    if extremeForces != nil { flags.insert(.extremeForces) }
    if extremeTorques != nil { flags.insert(.extremeTorques) }
    if extremeAngles != nil { flags.insert(.extremeAngles) }
    if topDeadSpotAngle != nil { flags.insert(.topDeadSpotAngle) }
    if bottomDeadSpotAngle != nil { flags.insert(.bottomDeadSpotAngle) }
    if energy != nil { flags.insert(.energy) }
    if isOffsetCompensated { flags.insert(.offsetCompensated) }
    return flags
  }
}
