import BluetoothTypes

/// What a cycling sensor counted (Cycling Speed and Cadence Service 1.0, 3.1). Speed and cadence come from two of them: see ``RevolutionData``.
public struct CSCMeasurement: Hashable, Sendable {
  /// The wheel, with its time in 1/1024 s; `nil` if not sent.
  public var wheel: WheelRevolutionData?
  /// The crank, with its time in 1/1024 s; `nil` if not sent.
  public var crank: CrankRevolutionData?

  /// Makes a measurement.
  public init(wheel: WheelRevolutionData? = nil, crank: CrankRevolutionData? = nil) {
    self.wheel = wheel
    self.crank = crank
  }
}

extension CSCMeasurement: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let wheel = Flags(rawValue: 0x01)
    static let crank = Flags(rawValue: 0x02)
  }

  /// Reads flags and the fields that the flags announce.
  public init(reading reader: inout ByteReader) throws {
    let flags = Flags(rawValue: try reader.read())
    wheel = flags.contains(.wheel) ? try WheelRevolutionData(reading: &reader) : nil
    crank = flags.contains(.crank) ? try CrankRevolutionData(reading: &reader) : nil
  }

  /// Appends the measurement.
  public func write(to writer: inout ByteWriter) {
    var flags: Flags = []
    if wheel != nil { flags.insert(.wheel) }
    if crank != nil { flags.insert(.crank) }
    writer.write(flags.rawValue)
    wheel?.write(to: &writer)
    crank?.write(to: &writer)
  }
}
