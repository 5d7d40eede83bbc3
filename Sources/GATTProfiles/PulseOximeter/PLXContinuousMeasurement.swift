import BluetoothTypes

/// One of the measurements that a pulse oximeter makes all the time (Pulse Oximeter Service 1.0, 3.2).
public struct PLXContinuousMeasurement: Hashable, Sendable {
  /// The saturation and the pulse rate over the usual time.
  public var normal: OxygenSaturation
  /// Both over a shorter time; `nil` if not sent.
  public var fast: OxygenSaturation?
  /// Both over a longer time; `nil` if not sent.
  public var slow: OxygenSaturation?
  /// The state of the measurement; `nil` if not sent.
  public var measurementStatus: PLXMeasurementStatus?
  /// The state of device and sensor; `nil` if not sent.
  public var deviceStatus: PLXDeviceStatus?
  /// The pulse amplitude index in percent; `nil` if not sent.
  public var pulseAmplitudeIndex: MedFloat16?

  /// Makes a measurement.
  public init(
    _ normal: OxygenSaturation,
    fast: OxygenSaturation? = nil,
    slow: OxygenSaturation? = nil,
    measurementStatus: PLXMeasurementStatus? = nil,
    deviceStatus: PLXDeviceStatus? = nil,
    pulseAmplitudeIndex: MedFloat16? = nil
  ) {
    self.normal = normal
    self.fast = fast
    self.slow = slow
    self.measurementStatus = measurementStatus
    self.deviceStatus = deviceStatus
    self.pulseAmplitudeIndex = pulseAmplitudeIndex
  }
}

extension PLXContinuousMeasurement: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let fast = Flags(rawValue: 0x01)
    static let slow = Flags(rawValue: 0x02)
    static let measurementStatus = Flags(rawValue: 0x04)
    static let deviceStatus = Flags(rawValue: 0x08)
    static let pulseAmplitudeIndex = Flags(rawValue: 0x10)
  }

  /// Reads flags, saturation and the fields that the flags announce.
  public init(reading reader: inout ByteReader) throws {
    let flags = Flags(rawValue: try reader.read())
    normal = try OxygenSaturation(reading: &reader)
    fast = flags.contains(.fast) ? try OxygenSaturation(reading: &reader) : nil
    slow = flags.contains(.slow) ? try OxygenSaturation(reading: &reader) : nil
    measurementStatus = flags.contains(.measurementStatus) ? try PLXMeasurementStatus(reading: &reader) : nil
    deviceStatus = flags.contains(.deviceStatus) ? try PLXDeviceStatus(reading: &reader) : nil
    pulseAmplitudeIndex = flags.contains(.pulseAmplitudeIndex) ? try MedFloat16(reading: &reader) : nil
  }

  /// Appends the measurement.
  public func write(to writer: inout ByteWriter) {
    var flags: Flags = []
    if fast != nil { flags.insert(.fast) }
    if slow != nil { flags.insert(.slow) }
    if measurementStatus != nil { flags.insert(.measurementStatus) }
    if deviceStatus != nil { flags.insert(.deviceStatus) }
    if pulseAmplitudeIndex != nil { flags.insert(.pulseAmplitudeIndex) }
    writer.write(flags.rawValue)
    normal.write(to: &writer)
    fast?.write(to: &writer)
    slow?.write(to: &writer)
    measurementStatus?.write(to: &writer)
    deviceStatus?.write(to: &writer)
    pulseAmplitudeIndex?.write(to: &writer)
  }
}
