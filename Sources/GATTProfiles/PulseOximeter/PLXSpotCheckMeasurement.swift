import BluetoothTypes

/// One measurement that a pulse oximeter made when asked (Pulse Oximeter Service 1.0, 3.1).
public struct PLXSpotCheckMeasurement: Hashable, Sendable {
  /// The saturation and the pulse rate.
  public var saturation: OxygenSaturation
  /// When it was measured, by the oximeter's clock; `nil` if not sent.
  public var timestamp: DateTime?
  /// The state of the measurement; `nil` if not sent.
  public var measurementStatus: PLXMeasurementStatus?
  /// The state of device and sensor; `nil` if not sent.
  public var deviceStatus: PLXDeviceStatus?
  /// The pulse amplitude index in percent; `nil` if not sent.
  public var pulseAmplitudeIndex: MedFloat16?
  /// Whether the clock of the oximeter was not set.
  public var isClockUnset: Bool

  /// Makes a measurement.
  public init(
    _ saturation: OxygenSaturation,
    timestamp: DateTime? = nil,
    measurementStatus: PLXMeasurementStatus? = nil,
    deviceStatus: PLXDeviceStatus? = nil,
    pulseAmplitudeIndex: MedFloat16? = nil,
    isClockUnset: Bool = false
  ) {
    self.saturation = saturation
    self.timestamp = timestamp
    self.measurementStatus = measurementStatus
    self.deviceStatus = deviceStatus
    self.pulseAmplitudeIndex = pulseAmplitudeIndex
    self.isClockUnset = isClockUnset
  }
}

extension PLXSpotCheckMeasurement: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let timestamp = Flags(rawValue: 0x01)
    static let measurementStatus = Flags(rawValue: 0x02)
    static let deviceStatus = Flags(rawValue: 0x04)
    static let pulseAmplitudeIndex = Flags(rawValue: 0x08)
    static let isClockUnset = Flags(rawValue: 0x10)
  }

  /// Reads flags, saturation and the fields that the flags announce.
  public init(reading reader: inout ByteReader) throws {
    let flags = Flags(rawValue: try reader.read())
    saturation = try OxygenSaturation(reading: &reader)
    timestamp = flags.contains(.timestamp) ? try DateTime(reading: &reader) : nil
    measurementStatus = flags.contains(.measurementStatus) ? try PLXMeasurementStatus(reading: &reader) : nil
    deviceStatus = flags.contains(.deviceStatus) ? try PLXDeviceStatus(reading: &reader) : nil
    pulseAmplitudeIndex = flags.contains(.pulseAmplitudeIndex) ? try MedFloat16(reading: &reader) : nil
    isClockUnset = flags.contains(.isClockUnset)
  }

  /// Appends the measurement.
  public func write(to writer: inout ByteWriter) {
    var flags: Flags = []
    if timestamp != nil { flags.insert(.timestamp) }
    if measurementStatus != nil { flags.insert(.measurementStatus) }
    if deviceStatus != nil { flags.insert(.deviceStatus) }
    if pulseAmplitudeIndex != nil { flags.insert(.pulseAmplitudeIndex) }
    if isClockUnset { flags.insert(.isClockUnset) }
    writer.write(flags.rawValue)
    saturation.write(to: &writer)
    timestamp?.write(to: &writer)
    measurementStatus?.write(to: &writer)
    deviceStatus?.write(to: &writer)
    pulseAmplitudeIndex?.write(to: &writer)
  }
}
