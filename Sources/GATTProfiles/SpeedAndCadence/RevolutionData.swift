import BluetoothTypes

/// A count of revolutions and the time of the last one, as cycling sensors send them. Both start again at 0 when they
/// are full.
public struct RevolutionData<Count: FixedWidthInteger & UnsignedInteger & Sendable>: Hashable, Sendable {
  /// How many revolutions there were.
  public var revolutions: Count
  /// When the last one ended: a count of parts of a second, of which 2^16 fit.
  public var lastEventTime: UInt16

  /// Makes a pair.
  public init(revolutions: Count, lastEventTime: UInt16) {
    self.revolutions = revolutions
    self.lastEventTime = lastEventTime
  }

  /// Revolutions per second since an earlier measurement of the same sensor.
  ///
  /// Counters that started again at 0 in between are taken into account, once: measurements may lie up to one round of
  /// the time apart, which is 64 s at 1024 ticks and 32 s at 2048.
  /// - Parameter ticksPerSecond: 1024, but 2048 for the wheel of a cycling power meter.
  /// - Returns: 0 if nothing turned; `nil` if it turned in no time, which a sensor that began anew can say.
  public func revolutionsPerSecond(since earlier: Self, ticksPerSecond: Int = 1024) -> Double? {
    let turned = revolutions &- earlier.revolutions
    let ticks = lastEventTime &- earlier.lastEventTime
    guard turned != 0 else { return 0 }
    return ticks == 0 ? nil : Double(turned) * Double(ticksPerSecond) / Double(ticks)
  }
}

/// The revolutions of a wheel.
public typealias WheelRevolutionData = RevolutionData<UInt32>
/// The revolutions of a crank.
public typealias CrankRevolutionData = RevolutionData<UInt16>

extension RevolutionData where Count == UInt32 {
  /// The speed in metres per second since an earlier measurement; see
  /// ``revolutionsPerSecond(since:ticksPerSecond:)``.
  ///
  /// - Parameter circumference: That of the wheel, in metres; about 2.1 for a road bike.
  public func metersPerSecond(since earlier: Self, circumference: Double, ticksPerSecond: Int = 1024) -> Double? {
    revolutionsPerSecond(since: earlier, ticksPerSecond: ticksPerSecond).map { $0 * circumference }
  }
}

extension RevolutionData where Count == UInt16 {
  /// The cadence in revolutions per minute since an earlier measurement; see
  /// ``revolutionsPerSecond(since:ticksPerSecond:)``.
  public func revolutionsPerMinute(since earlier: Self) -> Double? {
    revolutionsPerSecond(since: earlier).map { $0 * 60 }
  }
}

extension RevolutionData: ByteReadable, ByteWritable {
  /// Reads count and time.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(Count.bitWidth / 8 + 2)
    self.init(revolutions: try reader.read(), lastEventTime: try reader.read())
  }

  /// Appends count and time.
  public func write(to writer: inout ByteWriter) {
    writer.write(revolutions)
    writer.write(lastEventTime)
  }
}
