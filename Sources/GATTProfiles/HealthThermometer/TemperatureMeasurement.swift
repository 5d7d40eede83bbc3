import BluetoothTypes

/// A temperature with all that a thermometer may send along (Health Thermometer Service 1.0, 3.1 and 3.3).
public struct TemperatureMeasurement: Hashable, Sendable {
  /// The scale of a temperature.
  public enum Unit: Hashable, Sendable, CaseIterable {
    /// Degrees Celsius.
    case celsius
    /// Degrees Fahrenheit.
    case fahrenheit
  }

  /// The temperature in ``unit``.
  public var temperature: MedFloat32
  /// The scale of the temperature.
  public var unit: Unit
  /// When it was measured, by the thermometer's clock; `nil` if not sent.
  public var timestamp: DateTime?
  /// Where it was measured; `nil` if not sent.
  public var type: TemperatureType?

  /// Makes a measurement.
  public init(
    _ temperature: MedFloat32,
    unit: Unit = .celsius,
    timestamp: DateTime? = nil,
    type: TemperatureType? = nil
  ) {
    self.temperature = temperature
    self.unit = unit
    self.timestamp = timestamp
    self.type = type
  }

  /// The temperature in degrees Celsius; not a number if the measurement failed.
  public var celsius: Double {
    switch unit {
    case .celsius: temperature.double
    case .fahrenheit: (temperature.double - 32) / 1.8
    }
  }

  /// The temperature in degrees Fahrenheit; not a number if the measurement failed.
  public var fahrenheit: Double {
    switch unit {
    case .celsius: temperature.double * 1.8 + 32
    case .fahrenheit: temperature.double
    }
  }
}

/// A temperature on the way to the final one; it looks the same (Health Thermometer Service 1.0, 3.3).
public typealias IntermediateTemperature = TemperatureMeasurement

extension TemperatureMeasurement: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let fahrenheit = Flags(rawValue: 0x01)
    static let timestamp = Flags(rawValue: 0x02)
    static let type = Flags(rawValue: 0x04)
  }

  /// Reads flags, temperature and the fields that the flags announce.
  public init(reading reader: inout ByteReader) throws {
    let flags = Flags(rawValue: try reader.read())
    temperature = try MedFloat32(reading: &reader)
    unit = flags.contains(.fahrenheit) ? .fahrenheit : .celsius
    timestamp = flags.contains(.timestamp) ? try DateTime(reading: &reader) : nil
    type = flags.contains(.type) ? try TemperatureType(reading: &reader) : nil
  }

  /// Appends the measurement.
  public func write(to writer: inout ByteWriter) {
    var flags: Flags = []
    if unit == .fahrenheit { flags.insert(.fahrenheit) }
    if timestamp != nil { flags.insert(.timestamp) }
    if type != nil { flags.insert(.type) }
    writer.write(flags.rawValue)
    temperature.write(to: &writer)
    timestamp?.write(to: &writer)
    type?.write(to: &writer)
  }
}
