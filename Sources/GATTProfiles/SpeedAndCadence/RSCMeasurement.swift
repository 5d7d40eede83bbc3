import BluetoothTypes

/// How somebody walks or runs (Running Speed and Cadence Service 1.0, 3.1).
public struct RSCMeasurement: Hashable, Sendable {
  /// The speed in 1/256 m/s.
  public var speed: UInt16
  /// The cadence in steps per minute.
  public var cadence: UInt8
  /// The length of a stride in centimetres; `nil` if not sent.
  public var strideLength: UInt16?
  /// The distance since the last reset in decimetres; starts again at 0 when it is full. `nil` if not sent.
  public var totalDistance: UInt32?
  /// Whether it is running, not walking.
  public var isRunning: Bool

  /// Makes a measurement.
  public init(
    speed: UInt16,
    cadence: UInt8,
    strideLength: UInt16? = nil,
    totalDistance: UInt32? = nil,
    isRunning: Bool = false
  ) {
    self.speed = speed
    self.cadence = cadence
    self.strideLength = strideLength
    self.totalDistance = totalDistance
    self.isRunning = isRunning
  }

  /// The speed in metres per second.
  public var metersPerSecond: Double { Double(speed) / 256 }

  /// The metres since an earlier measurement, also when the distance started again at 0 in between; `nil` if one of
  /// both has none.
  public func meters(since earlier: RSCMeasurement) -> Double? {
    guard let totalDistance, let before = earlier.totalDistance else { return nil }
    return Double(totalDistance &- before) / 10
  }
}

extension RSCMeasurement: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let strideLength = Flags(rawValue: 0x01)
    static let totalDistance = Flags(rawValue: 0x02)
    static let running = Flags(rawValue: 0x04)
  }

  /// Reads flags, speed, cadence and the fields that the flags announce.
  public init(reading reader: inout ByteReader) throws {
    let flags = Flags(rawValue: try reader.read())
    speed = try reader.read()
    cadence = try reader.read()
    strideLength = flags.contains(.strideLength) ? try reader.read() : nil
    totalDistance = flags.contains(.totalDistance) ? try reader.read() : nil
    isRunning = flags.contains(.running)
  }

  /// Appends the measurement.
  public func write(to writer: inout ByteWriter) {
    var flags: Flags = []
    if strideLength != nil { flags.insert(.strideLength) }
    if totalDistance != nil { flags.insert(.totalDistance) }
    if isRunning { flags.insert(.running) }
    writer.write(flags.rawValue)
    writer.write(speed)
    writer.write(cadence)
    strideLength?.write(to: &writer)
    totalDistance?.write(to: &writer)
  }
}
