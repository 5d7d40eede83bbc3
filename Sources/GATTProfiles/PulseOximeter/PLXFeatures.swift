import BluetoothTypes

/// What a pulse oximeter can do (Pulse Oximeter Service 1.0, 3.3).
public struct PLXFeatures: Hashable, Sendable {
  /// What is supported, beyond the two sets of states.
  public struct Supported: OptionSet, Hashable, Sendable {
    /// The bits; those without a name are kept; the two lowest are those of the sets of states.
    public let rawValue: UInt16

    /// A set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// It stores spot checks.
    public static let spotCheckStorage = Supported(rawValue: 1 &<< 2)
    /// Spot checks have a time.
    public static let spotCheckTimestamp = Supported(rawValue: 1 &<< 3)
    /// It has fast averages.
    public static let fast = Supported(rawValue: 1 &<< 4)
    /// It has slow averages.
    public static let slow = Supported(rawValue: 1 &<< 5)
    /// It tells the pulse amplitude index.
    public static let pulseAmplitudeIndex = Supported(rawValue: 1 &<< 6)
    /// It bonds with several devices.
    public static let multipleBonds = Supported(rawValue: 1 &<< 7)
  }

  /// What is supported.
  public var supported: Supported
  /// The states of a measurement that it can tell; `nil` if none.
  public var measurementStatus: PLXMeasurementStatus?
  /// The states of device and sensor that it can tell; `nil` if none.
  public var deviceStatus: PLXDeviceStatus?

  /// Makes a set of features.
  public init(
    _ supported: Supported = [],
    measurementStatus: PLXMeasurementStatus? = nil,
    deviceStatus: PLXDeviceStatus? = nil
  ) {
    self.supported = supported.subtracting(Self.sets)
    self.measurementStatus = measurementStatus
    self.deviceStatus = deviceStatus
  }

  private static let measurementStatusBit = Supported(rawValue: 0x01)
  private static let deviceStatusBit = Supported(rawValue: 0x02)
  private static let sets: Supported = [measurementStatusBit, deviceStatusBit]
}

extension PLXFeatures: ByteReadable, ByteWritable {
  /// Reads the features and the states that they announce.
  public init(reading reader: inout ByteReader) throws {
    let bits = Supported(rawValue: try reader.read())
    supported = bits.subtracting(Self.sets)
    measurementStatus = bits.contains(Self.measurementStatusBit) ? try PLXMeasurementStatus(reading: &reader) : nil
    deviceStatus = bits.contains(Self.deviceStatusBit) ? try PLXDeviceStatus(reading: &reader) : nil
  }

  /// Appends the features.
  public func write(to writer: inout ByteWriter) {
    var bits = supported.subtracting(Self.sets)
    if measurementStatus != nil { bits.insert(Self.measurementStatusBit) }
    if deviceStatus != nil { bits.insert(Self.deviceStatusBit) }
    writer.write(bits.rawValue)
    measurementStatus?.write(to: &writer)
    deviceStatus?.write(to: &writer)
  }
}

// Pulse Oximeter Service 1.0, 3; the record access control point is with its type.
extension BluetoothUUID {
  /// 0x2A5E: ``PLXSpotCheckMeasurement``; indicated.
  public static let plxSpotCheckMeasurement = BluetoothUUID(UInt16(0x2A5E))
  /// 0x2A5F: ``PLXContinuousMeasurement``; notified.
  public static let plxContinuousMeasurement = BluetoothUUID(UInt16(0x2A5F))
  /// 0x2A60: ``PLXFeatures``; read.
  public static let plxFeatures = BluetoothUUID(UInt16(0x2A60))
}
