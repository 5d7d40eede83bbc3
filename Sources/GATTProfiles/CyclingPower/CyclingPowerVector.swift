import BluetoothTypes

/// The forces or torques in one turn of a crank (Cycling Power Service 1.1, 3.4).
public struct CyclingPowerVector: Hashable, Sendable {
  /// In which direction was measured.
  public enum Direction: UInt8, Hashable, Sendable, CaseIterable {
    /// Not known.
    case unknown = 0
    /// Along the circle of the crank.
    case tangential = 1
    /// Along the crank.
    case radial = 2
    /// Across the bike.
    case lateral = 3
  }

  /// What was measured: the oldest value first.
  public enum Magnitudes: Hashable, Sendable {
    /// Forces in newtons.
    case forces([Int16])
    /// Torques in 1/32 N m.
    case torques([Int16])
  }

  /// The crank, with its time in 1/1024 s; `nil` if not sent.
  public var crank: CrankRevolutionData?
  /// The angle of the crank at the first value, in degrees; `nil` if not sent.
  public var firstAngle: UInt16?
  /// What was measured; `nil` if not sent.
  public var magnitudes: Magnitudes?
  /// In which direction was measured.
  public var direction: Direction

  /// Makes a vector.
  public init(
    crank: CrankRevolutionData? = nil,
    firstAngle: UInt16? = nil,
    magnitudes: Magnitudes? = nil,
    direction: Direction = .unknown
  ) {
    self.crank = crank
    self.firstAngle = firstAngle
    self.magnitudes = magnitudes
    self.direction = direction
  }
}

extension CyclingPowerVector: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let crank = Flags(rawValue: 0x01)
    static let firstAngle = Flags(rawValue: 0x02)
    static let forces = Flags(rawValue: 0x04)
    static let torques = Flags(rawValue: 0x08)
  }

  /// Reads flags and the fields that the flags announce; the magnitudes take all the bytes that are left.
  ///
  /// - Throws: `ByteError` if the bytes end too early, or at the flags if they announce forces and torques at once.
  public init(reading reader: inout ByteReader) throws {
    let start = reader
    let flags = Flags(rawValue: try reader.read())
    guard !flags.isSuperset(of: [.forces, .torques]) else {
      throw start.invalid("a vector has forces or torques, not both")
    }
    direction = Direction(rawValue: flags.rawValue &>> 4 & 0x3) ?? .unknown
    crank = flags.contains(.crank) ? try CrankRevolutionData(reading: &reader) : nil
    firstAngle = flags.contains(.firstAngle) ? try reader.read() : nil
    if flags.contains(.forces) {
      magnitudes = .forces(try [Int16](reading: &reader))
    } else if flags.contains(.torques) {
      magnitudes = .torques(try [Int16](reading: &reader))
    }
  }

  /// Appends the vector.
  public func write(to writer: inout ByteWriter) {
    var flags = Flags(rawValue: direction.rawValue &<< 4)
    if crank != nil { flags.insert(.crank) }
    if firstAngle != nil { flags.insert(.firstAngle) }
    switch magnitudes {
    case .forces: flags.insert(.forces)
    case .torques: flags.insert(.torques)
    case nil: break
    }
    writer.write(flags.rawValue)
    crank?.write(to: &writer)
    firstAngle?.write(to: &writer)
    switch magnitudes {
    case .forces(let values), .torques(let values): values.write(to: &writer)
    case nil: break
    }
  }
}
