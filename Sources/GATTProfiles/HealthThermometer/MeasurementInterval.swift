import BluetoothTypes

/// How often a thermometer measures by itself (Health Thermometer Service 1.0, 3.4).
public struct MeasurementInterval: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The interval in seconds; 0: it does not.
  public let rawValue: UInt16

  /// An interval from its seconds.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// An interval of 1 to 65535 seconds, or 0 for none.
  public init(seconds: UInt16) { self.init(rawValue: seconds) }

  /// No measurements by itself.
  public static let notPeriodic = MeasurementInterval(seconds: 0)

  /// The interval; `nil` if the thermometer does not measure by itself.
  public var duration: Duration? { rawValue == 0 ? nil : .seconds(Int64(rawValue)) }
}

/// The intervals that a thermometer takes: the Valid Range descriptor of its interval (Health Thermometer Service 1.0, 3.4.2).
public struct MeasurementIntervalRange: Hashable, Sendable, ByteReadable, ByteWritable {
  /// The least interval.
  public var minimum: MeasurementInterval
  /// The greatest interval.
  public var maximum: MeasurementInterval

  /// A range from its bounds.
  public init(minimum: MeasurementInterval, maximum: MeasurementInterval) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Reads four bytes.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(4)
    self.init(minimum: try MeasurementInterval(reading: &reader), maximum: try MeasurementInterval(reading: &reader))
  }

  /// Appends four bytes.
  public func write(to writer: inout ByteWriter) {
    minimum.write(to: &writer)
    maximum.write(to: &writer)
  }
}

extension ATTErrorCode {
  /// 0x80 from the health-thermometer service: the interval lies outside the valid range.
  public static let measurementIntervalOutOfRange = ATTErrorCode(rawValue: 0x80)
}

// Health Thermometer Service 1.0, 3.
extension BluetoothUUID {
  /// 0x2A1C: ``TemperatureMeasurement``; indicated.
  public static let temperatureMeasurement = BluetoothUUID(UInt16(0x2A1C))
  /// 0x2A1D: ``TemperatureType``; read.
  public static let temperatureType = BluetoothUUID(UInt16(0x2A1D))
  /// 0x2A1E: ``IntermediateTemperature``; notified.
  public static let intermediateTemperature = BluetoothUUID(UInt16(0x2A1E))
  /// 0x2A21: ``MeasurementInterval``; read, and perhaps indicated and written.
  public static let measurementInterval = BluetoothUUID(UInt16(0x2A21))
}
