import BluetoothTypes

/// The state of a measurement of a pulse oximeter (Pulse Oximeter Service 1.0, 3.1 and 3.2); also which of these
/// states it can tell.
public struct PLXMeasurementStatus: OptionSet, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The bits; those without a name are kept.
  public let rawValue: UInt16

  /// A set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The measurement goes on.
  public static let measurementOngoing = PLXMeasurementStatus(rawValue: 1 &<< 5)
  /// An early estimate.
  public static let earlyEstimate = PLXMeasurementStatus(rawValue: 1 &<< 6)
  /// Validated data.
  public static let validated = PLXMeasurementStatus(rawValue: 1 &<< 7)
  /// Fully qualified data.
  public static let fullyQualified = PLXMeasurementStatus(rawValue: 1 &<< 8)
  /// Data from storage.
  public static let fromStorage = PLXMeasurementStatus(rawValue: 1 &<< 9)
  /// Data for demonstration.
  public static let demonstration = PLXMeasurementStatus(rawValue: 1 &<< 10)
  /// Data for testing.
  public static let testing = PLXMeasurementStatus(rawValue: 1 &<< 11)
  /// The calibration goes on.
  public static let calibrationOngoing = PLXMeasurementStatus(rawValue: 1 &<< 12)
  /// There is no measurement.
  public static let unavailable = PLXMeasurementStatus(rawValue: 1 &<< 13)
  /// The measurement is questionable.
  public static let questionable = PLXMeasurementStatus(rawValue: 1 &<< 14)
  /// The measurement is invalid.
  public static let invalid = PLXMeasurementStatus(rawValue: 1 &<< 15)
}

/// The state of a pulse oximeter and its sensor (Pulse Oximeter Service 1.0, 3.1 and 3.2), 24 bits; also which of these
/// states it can tell.
public struct PLXDeviceStatus: OptionSet, Hashable, Sendable {
  /// The bits; those without a name are kept, the upper eight are not sent.
  public let rawValue: UInt32

  /// A set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The display is updated late.
  public static let extendedDisplayUpdate = PLXDeviceStatus(rawValue: 1 &<< 0)
  /// The device fails.
  public static let equipmentMalfunction = PLXDeviceStatus(rawValue: 1 &<< 1)
  /// The signal can not be processed as it should.
  public static let signalProcessingIrregularity = PLXDeviceStatus(rawValue: 1 &<< 2)
  /// The signal is inadequate.
  public static let inadequateSignal = PLXDeviceStatus(rawValue: 1 &<< 3)
  /// The signal is poor.
  public static let poorSignal = PLXDeviceStatus(rawValue: 1 &<< 4)
  /// The perfusion is low.
  public static let lowPerfusion = PLXDeviceStatus(rawValue: 1 &<< 5)
  /// The signal is erratic.
  public static let erraticSignal = PLXDeviceStatus(rawValue: 1 &<< 6)
  /// The signal has no pulse.
  public static let nonpulsatileSignal = PLXDeviceStatus(rawValue: 1 &<< 7)
  /// The pulse is questionable.
  public static let questionablePulse = PLXDeviceStatus(rawValue: 1 &<< 8)
  /// The signal is still analysed.
  public static let signalAnalysisOngoing = PLXDeviceStatus(rawValue: 1 &<< 9)
  /// The sensor is disturbed.
  public static let sensorInterference = PLXDeviceStatus(rawValue: 1 &<< 10)
  /// The sensor is not on the user.
  public static let sensorUnconnectedToUser = PLXDeviceStatus(rawValue: 1 &<< 11)
  /// The sensor is not known.
  public static let unknownSensor = PLXDeviceStatus(rawValue: 1 &<< 12)
  /// The sensor is out of place.
  public static let sensorDisplaced = PLXDeviceStatus(rawValue: 1 &<< 13)
  /// The sensor fails.
  public static let sensorMalfunctioning = PLXDeviceStatus(rawValue: 1 &<< 14)
  /// The sensor is not plugged in.
  public static let sensorDisconnected = PLXDeviceStatus(rawValue: 1 &<< 15)
}

extension PLXDeviceStatus: ByteReadable, ByteWritable {
  /// Reads three bytes.
  public init(reading reader: inout ByteReader) throws { self.init(rawValue: try reader.readInteger(byteCount: 3)) }

  /// Appends three bytes.
  public func write(to writer: inout ByteWriter) { writer.writeInteger(rawValue, byteCount: 3) }
}
