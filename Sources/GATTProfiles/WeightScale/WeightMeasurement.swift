import BluetoothTypes

/// A weight with all that a scale may send along (Weight Scale Service 1.0, 3.2).
public struct WeightMeasurement: Hashable, Sendable {
  /// The scale of weight and height.
  public enum Unit: Hashable, Sendable, CaseIterable {
    /// 5 g for the weight, 1 mm for the height.
    case metric
    /// 0.01 lb for the weight, 0.1 in for the height.
    case imperial
  }

  /// The body mass index and the height that it was found with.
  public struct BodyMass: Hashable, Sendable {
    /// The body mass index in tenths of kg/m².
    public var index: UInt16
    /// The height, in millimetres or tenths of an inch.
    public var height: UInt16

    /// Makes a pair.
    public init(index: UInt16, height: UInt16) {
      self.index = index
      self.height = height
    }
  }

  /// The weight as sent, in 5 g or 0.01 lb; 65535: the measurement failed.
  public var weight: UInt16
  /// The scale of weight and height.
  public var unit: Unit
  /// When it was measured, by the scale's clock; `nil` if not sent.
  public var timestamp: DateTime?
  /// Whose weight it is; 255: not known. `nil` if not sent.
  public var userID: UInt8?
  /// Body mass index and height; `nil` if not sent.
  public var bodyMass: BodyMass?

  /// Makes a measurement.
  public init(
    weight: UInt16,
    unit: Unit = .metric,
    timestamp: DateTime? = nil,
    userID: UInt8? = nil,
    bodyMass: BodyMass? = nil
  ) {
    self.weight = weight
    self.unit = unit
    self.timestamp = timestamp
    self.userID = userID
    self.bodyMass = bodyMass
  }

  /// The weight in kilograms; `nil` if the measurement failed.
  public var kilograms: Double? {
    guard weight != .max else { return nil }
    return unit == .metric ? Double(weight) / 200 : Double(weight) * 0.004_535_923_7
  }
}

extension WeightMeasurement: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let imperial = Flags(rawValue: 0x01)
    static let timestamp = Flags(rawValue: 0x02)
    static let userID = Flags(rawValue: 0x04)
    static let bodyMass = Flags(rawValue: 0x08)
  }

  /// Reads flags, weight and the fields that the flags announce.
  public init(reading reader: inout ByteReader) throws {
    let flags = Flags(rawValue: try reader.read())
    weight = try reader.read()
    unit = flags.contains(.imperial) ? .imperial : .metric
    timestamp = flags.contains(.timestamp) ? try DateTime(reading: &reader) : nil
    userID = flags.contains(.userID) ? try reader.read() : nil
    bodyMass = flags.contains(.bodyMass) ? BodyMass(index: try reader.read(), height: try reader.read()) : nil
  }

  /// Appends the measurement.
  public func write(to writer: inout ByteWriter) {
    var flags: Flags = []
    if unit == .imperial { flags.insert(.imperial) }
    if timestamp != nil { flags.insert(.timestamp) }
    if userID != nil { flags.insert(.userID) }
    if bodyMass != nil { flags.insert(.bodyMass) }
    writer.write(flags.rawValue)
    writer.write(weight)
    timestamp?.write(to: &writer)
    userID?.write(to: &writer)
    if let bodyMass {
      writer.write(bodyMass.index)
      writer.write(bodyMass.height)
    }
  }
}
