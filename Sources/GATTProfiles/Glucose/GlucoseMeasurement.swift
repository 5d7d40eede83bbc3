import BluetoothTypes

/// One record of a glucose meter (Glucose Service 1.0.1, 3.1).
public struct GlucoseMeasurement: Hashable, Sendable {
  /// A concentration of glucose and the sample it was found in.
  public struct Concentration: Hashable, Sendable {
    /// The scale of a concentration.
    public enum Unit: Hashable, Sendable, CaseIterable {
      /// Kilograms in a litre.
      case kilogramsPerLiter
      /// Moles in a litre.
      case molesPerLiter
    }

    /// The concentration in ``unit``.
    public var value: MedFloat16
    /// The scale of the concentration.
    public var unit: Unit
    /// What was sampled.
    public var type: GlucoseSampleType
    /// Where the sample was taken.
    public var location: GlucoseSampleLocation

    /// Makes a concentration.
    public init(_ value: MedFloat16, unit: Unit, type: GlucoseSampleType, location: GlucoseSampleLocation) {
      self.value = value
      self.unit = unit
      self.type = type
      self.location = location
    }

    /// Milligrams in a decilitre; `nil` if the concentration is in moles.
    public var milligramsPerDeciliter: Double? { unit == .kilogramsPerLiter ? value.double * 100_000 : nil }
    /// Millimoles in a litre; `nil` if the concentration is in kilograms.
    public var millimolesPerLiter: Double? { unit == .molesPerLiter ? value.double * 1000 : nil }
  }

  /// What the meter noticed.
  public struct Status: OptionSet, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The bits; those without a name are kept.
    public let rawValue: UInt16

    /// A set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The battery was low.
    public static let batteryLow = Status(rawValue: 1 &<< 0)
    /// The sensor failed.
    public static let sensorMalfunction = Status(rawValue: 1 &<< 1)
    /// The sample was too small.
    public static let sampleTooSmall = Status(rawValue: 1 &<< 2)
    /// The strip was not put in well.
    public static let stripInsertionError = Status(rawValue: 1 &<< 3)
    /// The strip was a wrong one.
    public static let stripTypeIncorrect = Status(rawValue: 1 &<< 4)
    /// The result is more than can be processed.
    public static let resultTooHigh = Status(rawValue: 1 &<< 5)
    /// The result is less than can be processed.
    public static let resultTooLow = Status(rawValue: 1 &<< 6)
    /// It was too warm.
    public static let temperatureTooHigh = Status(rawValue: 1 &<< 7)
    /// It was too cold.
    public static let temperatureTooLow = Status(rawValue: 1 &<< 8)
    /// The strip was pulled too soon.
    public static let readInterrupted = Status(rawValue: 1 &<< 9)
    /// A general fault.
    public static let generalFault = Status(rawValue: 1 &<< 10)
    /// The clock may be wrong.
    public static let timeFault = Status(rawValue: 1 &<< 11)
  }

  /// The number of the record.
  public var sequenceNumber: UInt16
  /// When it was measured, by the meter's own clock, which the user can not set.
  public var baseTime: DateTime
  /// The minutes to add to ``baseTime`` for the time that the user sees; 32767: overrun, -32768: underrun. `nil` if
  /// not sent.
  public var timeOffset: Int16?
  /// What was found; `nil` if not sent.
  public var concentration: Concentration?
  /// What the meter noticed; `nil` if not sent.
  public var status: Status?
  /// Whether a ``GlucoseMeasurementContext`` with the same number follows.
  public var contextFollows: Bool

  /// Makes a record.
  public init(
    sequenceNumber: UInt16,
    baseTime: DateTime,
    timeOffset: Int16? = nil,
    concentration: Concentration? = nil,
    status: Status? = nil,
    contextFollows: Bool = false
  ) {
    self.sequenceNumber = sequenceNumber
    self.baseTime = baseTime
    self.timeOffset = timeOffset
    self.concentration = concentration
    self.status = status
    self.contextFollows = contextFollows
  }
}

extension GlucoseMeasurement.Concentration: ByteWritable {
  init(reading reader: inout ByteReader, unit: Unit) throws {
    value = try MedFloat16(reading: &reader)
    self.unit = unit
    let sample = try reader.read(UInt8.self)
    type = GlucoseSampleType(rawValue: sample & 0xF)
    location = GlucoseSampleLocation(rawValue: sample &>> 4)
  }

  /// Appends the value and the sample; the unit is told by the flags of the record.
  public func write(to writer: inout ByteWriter) {
    value.write(to: &writer)
    writer.write(location.rawValue &<< 4 | type.rawValue & 0xF)
  }
}

extension GlucoseMeasurement: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let timeOffset = Flags(rawValue: 0x01)
    static let concentration = Flags(rawValue: 0x02)
    static let moles = Flags(rawValue: 0x04)
    static let status = Flags(rawValue: 0x08)
    static let contextFollows = Flags(rawValue: 0x10)
  }

  /// Reads flags, number, time and the fields that the flags announce.
  public init(reading reader: inout ByteReader) throws {
    let flags = Flags(rawValue: try reader.read())
    sequenceNumber = try reader.read()
    baseTime = try DateTime(reading: &reader)
    timeOffset = flags.contains(.timeOffset) ? try reader.read() : nil
    let unit: Concentration.Unit = flags.contains(.moles) ? .molesPerLiter : .kilogramsPerLiter
    concentration = flags.contains(.concentration) ? try Concentration(reading: &reader, unit: unit) : nil
    status = flags.contains(.status) ? try Status(reading: &reader) : nil
    contextFollows = flags.contains(.contextFollows)
  }

  /// Appends the record.
  public func write(to writer: inout ByteWriter) {
    var flags: Flags = []
    if timeOffset != nil { flags.insert(.timeOffset) }
    if concentration != nil { flags.insert(.concentration) }
    if concentration?.unit == .molesPerLiter { flags.insert(.moles) }
    if status != nil { flags.insert(.status) }
    if contextFollows { flags.insert(.contextFollows) }
    writer.write(flags.rawValue)
    writer.write(sequenceNumber)
    baseTime.write(to: &writer)
    timeOffset?.write(to: &writer)
    concentration?.write(to: &writer)
    status?.write(to: &writer)
  }
}
