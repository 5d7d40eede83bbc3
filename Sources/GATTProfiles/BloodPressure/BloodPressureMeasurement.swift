import BluetoothTypes

/// A blood pressure with all that a monitor may send along (Blood Pressure Service 1.1.1, 3.1).
public struct BloodPressureMeasurement: Hashable, Sendable {
  /// The scale of a pressure.
  public enum Unit: Hashable, Sendable, CaseIterable {
    /// Millimetres of mercury.
    case millimetersOfMercury
    /// Kilopascals.
    case kilopascals
  }

  /// What was noticed while measuring.
  public struct Status: OptionSet, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The bits; those without a name are kept.
    public let rawValue: UInt16

    /// A set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The body moved.
    public static let bodyMovement = Status(rawValue: 0x01)
    /// The cuff is too loose.
    public static let cuffTooLoose = Status(rawValue: 0x02)
    /// The pulse is irregular.
    public static let irregularPulse = Status(rawValue: 0x04)
    /// The pulse rate is above the upper limit; never together with ``pulseRateBelowLimit``.
    public static let pulseRateAboveLimit = Status(rawValue: 0x08)
    /// The pulse rate is below the lower limit.
    public static let pulseRateBelowLimit = Status(rawValue: 0x10)
    /// The body or the limb was in an improper position.
    public static let improperPosition = Status(rawValue: 0x20)
  }

  /// The systolic pressure in ``unit``; in an ``IntermediateCuffPressure`` the pressure of the cuff.
  public var systolic: MedFloat16
  /// The diastolic pressure in ``unit``; not a number in an ``IntermediateCuffPressure``.
  public var diastolic: MedFloat16
  /// The mean arterial pressure in ``unit``; not a number in an ``IntermediateCuffPressure``.
  public var meanArterial: MedFloat16
  /// The scale of the pressures.
  public var unit: Unit
  /// When it was measured, by the monitor's clock; `nil` if not sent.
  public var timestamp: DateTime?
  /// The pulse rate in beats per minute; `nil` if not sent.
  public var pulseRate: MedFloat16?
  /// Whose pressure it is; 255: not known. `nil` if not sent.
  public var userID: UInt8?
  /// What was noticed; `nil` if not sent.
  public var status: Status?

  /// Makes a measurement.
  public init(
    systolic: MedFloat16,
    diastolic: MedFloat16,
    meanArterial: MedFloat16 = .nan,
    unit: Unit = .millimetersOfMercury,
    timestamp: DateTime? = nil,
    pulseRate: MedFloat16? = nil,
    userID: UInt8? = nil,
    status: Status? = nil
  ) {
    self.systolic = systolic
    self.diastolic = diastolic
    self.meanArterial = meanArterial
    self.unit = unit
    self.timestamp = timestamp
    self.pulseRate = pulseRate
    self.userID = userID
    self.status = status
  }
}

/// The pressure of the cuff on the way to the final measurement; it looks the same (Blood Pressure Service 1.1.1, 3.2).
public typealias IntermediateCuffPressure = BloodPressureMeasurement

extension BloodPressureMeasurement: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let kilopascals = Flags(rawValue: 0x01)
    static let timestamp = Flags(rawValue: 0x02)
    static let pulseRate = Flags(rawValue: 0x04)
    static let userID = Flags(rawValue: 0x08)
    static let status = Flags(rawValue: 0x10)
  }

  /// Reads flags, three pressures and the fields that the flags announce.
  public init(reading reader: inout ByteReader) throws {
    let flags = Flags(rawValue: try reader.read())
    unit = flags.contains(.kilopascals) ? .kilopascals : .millimetersOfMercury
    systolic = try MedFloat16(reading: &reader)
    diastolic = try MedFloat16(reading: &reader)
    meanArterial = try MedFloat16(reading: &reader)
    timestamp = flags.contains(.timestamp) ? try DateTime(reading: &reader) : nil
    pulseRate = flags.contains(.pulseRate) ? try MedFloat16(reading: &reader) : nil
    userID = flags.contains(.userID) ? try reader.read() : nil
    status = flags.contains(.status) ? try Status(reading: &reader) : nil
  }

  /// Appends the measurement.
  public func write(to writer: inout ByteWriter) {
    var flags: Flags = []
    if unit == .kilopascals { flags.insert(.kilopascals) }
    if timestamp != nil { flags.insert(.timestamp) }
    if pulseRate != nil { flags.insert(.pulseRate) }
    if userID != nil { flags.insert(.userID) }
    if status != nil { flags.insert(.status) }
    writer.write(flags.rawValue)
    systolic.write(to: &writer)
    diastolic.write(to: &writer)
    meanArterial.write(to: &writer)
    timestamp?.write(to: &writer)
    pulseRate?.write(to: &writer)
    userID?.write(to: &writer)
    status?.write(to: &writer)
  }
}
