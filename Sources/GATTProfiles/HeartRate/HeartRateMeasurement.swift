import BluetoothTypes

/// A heart rate with all that a sensor may send along (Heart Rate Service 1.0, 3.1).
public struct HeartRateMeasurement: Hashable, Sendable {
  /// Whether the sensor touches the skin.
  public enum SensorContact: Hashable, Sendable {
    /// The sensor can not tell.
    case notSupported
    /// No contact, or poor contact.
    case notDetected
    /// Good contact.
    case detected
  }

  /// The heart rate in beats per minute.
  public var beatsPerMinute: UInt16
  /// Whether the sensor touches the skin.
  public var contact: SensorContact
  /// The energy expended since the last reset, in kilojoules; 65535 stands for that and more. `nil` if not sent.
  public var energyExpended: UInt16?
  /// The times between beats since the measurement before, the oldest first.
  public var rrIntervals: [RRInterval]

  /// Makes a measurement.
  public init(
    beatsPerMinute: UInt16,
    contact: SensorContact = .notSupported,
    energyExpended: UInt16? = nil,
    rrIntervals: [RRInterval] = []
  ) {
    self.beatsPerMinute = beatsPerMinute
    self.contact = contact
    self.energyExpended = energyExpended
    self.rrIntervals = rrIntervals
  }
}

/// The time between two beats, counted in 1/1024 of a second.
public struct RRInterval: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The count of 1/1024 s.
  public let rawValue: UInt16

  /// An interval from its count of 1/1024 s.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The nearest interval to a duration; 0 for a negative one, and just under 64 s for longer ones.
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let fraction = (attoseconds &+ Self.attoseconds / 2) / Self.attoseconds
    let isNegative = seconds < 0 || attoseconds < 0
    self.init(rawValue: isNegative ? 0 : UInt16(clamping: min(seconds, 64) &* 1024 &+ fraction))
  }

  /// The interval as a duration, exactly.
  public var duration: Duration {
    Duration(secondsComponent: 0, attosecondsComponent: Self.attoseconds) * Int(rawValue)
  }

  private static let attoseconds: Int64 = 976_562_500_000_000
}

extension HeartRateMeasurement: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let wideRate = Flags(rawValue: 0x01)
    static let contactDetected = Flags(rawValue: 0x02)
    static let contactSupported = Flags(rawValue: 0x04)
    static let energyExpended = Flags(rawValue: 0x08)
    static let rrIntervals = Flags(rawValue: 0x10)
  }

  /// Reads flags, heart rate and the fields that the flags announce.
  public init(reading reader: inout ByteReader) throws {
    let flags = Flags(rawValue: try reader.read())
    beatsPerMinute = flags.contains(.wideRate) ? try reader.read() : UInt16(try reader.read(UInt8.self))
    contact =
      flags.contains(.contactSupported) ? (flags.contains(.contactDetected) ? .detected : .notDetected) : .notSupported
    energyExpended = flags.contains(.energyExpended) ? try reader.read() : nil
    rrIntervals = flags.contains(.rrIntervals) ? try [RRInterval](reading: &reader) : []
  }

  /// Appends the measurement, the heart rate in one byte if it fits.
  public func write(to writer: inout ByteWriter) {
    var flags: Flags = []
    if beatsPerMinute > 0xFF { flags.insert(.wideRate) }
    if contact != .notSupported { flags.insert(.contactSupported) }
    if contact == .detected { flags.insert(.contactDetected) }
    if energyExpended != nil { flags.insert(.energyExpended) }
    if !rrIntervals.isEmpty { flags.insert(.rrIntervals) }
    writer.write(flags.rawValue)
    writer.writeInteger(beatsPerMinute, byteCount: beatsPerMinute > 0xFF ? 2 : 1)
    if let energyExpended { writer.write(energyExpended) }
    rrIntervals.write(to: &writer)
  }
}
