import BluetoothTypes

/// How a value of the surroundings is measured: the value of a descriptor of its characteristic (Environmental Sensing
/// Service 1.0, 3.1.2.1).
public struct EnvironmentalSensingMeasurement: Hashable, Sendable {
  /// How one value is made of many: an open set.
  public struct Sampling: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Not told.
    public static let unspecified = Sampling(rawValue: 0)
    /// The value of the moment.
    public static let instantaneous = Sampling(rawValue: 1)
    /// The mean.
    public static let arithmeticMean = Sampling(rawValue: 2)
    /// The root of the mean of the squares.
    public static let rootMeanSquare = Sampling(rawValue: 3)
    /// The greatest.
    public static let maximum = Sampling(rawValue: 4)
    /// The least.
    public static let minimum = Sampling(rawValue: 5)
    /// The sum.
    public static let accumulated = Sampling(rawValue: 6)
    /// How many there were.
    public static let count = Sampling(rawValue: 7)
  }

  /// What is measured where: an open set.
  public struct Application: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Not told.
    public static let unspecified = Application(rawValue: 0x00)
    /// Air.
    public static let air = Application(rawValue: 0x01)
    /// Water.
    public static let water = Application(rawValue: 0x02)
    /// By the pressure of the air.
    public static let barometric = Application(rawValue: 0x03)
    /// Soil.
    public static let soil = Application(rawValue: 0x04)
    /// By infrared light.
    public static let infrared = Application(rawValue: 0x05)
    /// Out of doors.
    public static let outdoor = Application(rawValue: 0x13)
    /// Indoors.
    public static let indoor = Application(rawValue: 0x14)
    /// Within a thing.
    public static let inside = Application(rawValue: 0x1B)
    /// Outside of a thing.
    public static let outside = Application(rawValue: 0x1C)
  }

  /// How one value is made of many.
  public var sampling: Sampling
  /// Over how many seconds, 24 bits; 0 if it makes no difference.
  public var measurementPeriod: UInt32
  /// How many seconds pass between two values, 24 bits; 0 if it makes no difference.
  public var updateInterval: UInt32
  /// What is measured where.
  public var application: Application
  /// How wrong the value may be, in units of 0.5 percent; 0xFF: not known.
  public var uncertainty: UInt8

  /// How wrong the value may be, in percent; `nil` if not known.
  public var uncertaintyPercentage: Double? { uncertainty == 0xFF ? nil : Double(uncertainty) / 2 }

  /// Makes a description.
  public init(
    sampling: Sampling = .unspecified,
    measurementPeriod: UInt32 = 0,
    updateInterval: UInt32 = 0,
    application: Application = .unspecified,
    uncertainty: UInt8 = 0xFF
  ) {
    self.sampling = sampling
    self.measurementPeriod = measurementPeriod
    self.updateInterval = updateInterval
    self.application = application
    self.uncertainty = uncertainty
  }
}

extension EnvironmentalSensingMeasurement: ByteReadable, ByteWritable {
  /// Reads eleven bytes; the flags in front mean nothing yet.
  public init(reading reader: inout ByteReader) throws {
    try reader.skip(2)
    sampling = try Sampling(reading: &reader)
    measurementPeriod = try reader.readInteger(byteCount: 3)
    updateInterval = try reader.readInteger(byteCount: 3)
    application = try Application(reading: &reader)
    uncertainty = try reader.read()
  }

  /// Appends eleven bytes; of the times the lower 24 bits.
  public func write(to writer: inout ByteWriter) {
    writer.write(UInt16(0))
    sampling.write(to: &writer)
    writer.writeInteger(measurementPeriod, byteCount: 3)
    writer.writeInteger(updateInterval, byteCount: 3)
    application.write(to: &writer)
    writer.write(uncertainty)
  }
}
