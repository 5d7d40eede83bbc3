import BluetoothTypes

/// Where a server has its time from (Current Time Service 1.1, 3.3).
public struct ReferenceTimeInformation: Hashable, Sendable, ByteReadable, ByteWritable {
  /// What it asked.
  public var source: TimeSource
  /// How far it may be off, in 1/8 s; 254: more than that, 255: not known.
  public var accuracy: UInt8
  /// The days since it asked; 255: that and more.
  public var daysSinceUpdate: UInt8
  /// The hours beyond those days, 0 to 23; 255: with as many days.
  public var hoursSinceUpdate: UInt8

  /// Makes it from its fields.
  public init(source: TimeSource, accuracy: UInt8, daysSinceUpdate: UInt8, hoursSinceUpdate: UInt8) {
    self.source = source
    self.accuracy = accuracy
    self.daysSinceUpdate = daysSinceUpdate
    self.hoursSinceUpdate = hoursSinceUpdate
  }

  /// Reads 4 bytes.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(4)
    source = try TimeSource(reading: &reader)
    accuracy = try UInt8(reading: &reader)
    daysSinceUpdate = try UInt8(reading: &reader)
    hoursSinceUpdate = try UInt8(reading: &reader)
  }

  /// Appends 4 bytes.
  public func write(to writer: inout ByteWriter) {
    source.write(to: &writer)
    accuracy.write(to: &writer)
    daysSinceUpdate.write(to: &writer)
    hoursSinceUpdate.write(to: &writer)
  }
}

/// Where a time comes from (GATT Specification Supplement, Time Source): an open set.
public struct TimeSource: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number.
  public let rawValue: UInt8

  /// A value from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Not known.
  public static let unknown = TimeSource(rawValue: 0)
  /// A time server.
  public static let networkTimeProtocol = TimeSource(rawValue: 1)
  /// Satellites.
  public static let gps = TimeSource(rawValue: 2)
  /// A time signal on the radio.
  public static let radioTimeSignal = TimeSource(rawValue: 3)
  /// By hand.
  public static let manual = TimeSource(rawValue: 4)
  /// An atomic clock.
  public static let atomicClock = TimeSource(rawValue: 5)
  /// A mobile network.
  public static let cellularNetwork = TimeSource(rawValue: 6)
}
