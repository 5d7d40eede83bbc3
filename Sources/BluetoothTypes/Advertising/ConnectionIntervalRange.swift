/// The connection intervals that a peripheral prefers (Core Specification Supplement 11, Part A, 1.9).
public struct ConnectionIntervalRange: Hashable, Sendable {
  /// The least interval in units of 1.25 ms; 0xFFFF: none.
  public var minimumUnits: UInt16
  /// The greatest interval in units of 1.25 ms; 0xFFFF: none.
  public var maximumUnits: UInt16

  /// A range in units of 1.25 ms, each 6 to 3200, or 0xFFFF for no bound.
  public init(minimumUnits: UInt16 = 0xFFFF, maximumUnits: UInt16 = 0xFFFF) {
    self.minimumUnits = minimumUnits
    self.maximumUnits = maximumUnits
  }

  /// The least interval; `nil` if the peripheral names none.
  public var minimum: Duration? { Self.duration(minimumUnits) }
  /// The greatest interval; `nil` if the peripheral names none.
  public var maximum: Duration? { Self.duration(maximumUnits) }

  private static func duration(_ units: UInt16) -> Duration? {
    units == 0xFFFF ? nil : .microseconds(Int64(units) * 1250)
  }
}

extension ConnectionIntervalRange: ByteReadable, ByteWritable {
  /// Reads four bytes.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(4)
    self.init(minimumUnits: try reader.read(), maximumUnits: try reader.read())
  }

  /// Appends four bytes.
  public func write(to writer: inout ByteWriter) {
    writer.write(minimumUnits)
    writer.write(maximumUnits)
  }
}
