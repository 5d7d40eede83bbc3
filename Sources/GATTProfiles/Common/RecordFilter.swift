import BluetoothTypes

/// Which records of a database are meant (GATT Specification Supplement, Record Access Control Point, Operator and
/// Operand).
public enum RecordFilter: Hashable, Sendable {
  /// What the bounds compare.
  public enum Bounds<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Up to this one.
    case through(Value)
    /// From this one on.
    case from(Value)
    /// From the first one through the second.
    case within(Value, Value)
  }

  /// All records.
  case all
  /// The oldest record.
  case first
  /// The newest record.
  case last
  /// Those with such sequence numbers.
  case sequenceNumbers(Bounds<UInt16>)
  /// Those with such times, as the user sees them: base time and offset.
  case times(Bounds<DateTime>)
}

extension RecordFilter: ByteWritable {
  private typealias Operator = RecordAccessControlPoint.Operator
  private static let sequenceNumber: UInt8 = 1
  private static let userFacingTime: UInt8 = 2

  /// Reads operator and operand.
  ///
  /// - Returns: `nil` if the operator, or what it should compare, is not known.
  init?(recognizedBy reader: inout ByteReader) throws {
    let selector = try Operator(reading: &reader)
    switch selector {
    case .all: self = .all
    case .first: self = .first
    case .last: self = .last
    case .lessThanOrEqual, .greaterThanOrEqual, .withinRange:
      switch try reader.read(UInt8.self) {
      case Self.sequenceNumber: self = .sequenceNumbers(try Self.bounds(selector, &reader))
      case Self.userFacingTime: self = .times(try Self.bounds(selector, &reader))
      default: return nil
      }
    default: return nil
    }
  }

  private static func bounds<Value: ByteReadable>(
    _ selector: Operator,
    _ reader: inout ByteReader
  ) throws -> Bounds<Value> {
    let bound = try Value(reading: &reader)
    return switch selector {
    case .lessThanOrEqual: .through(bound)
    case .greaterThanOrEqual: .from(bound)
    default: .within(bound, try Value(reading: &reader))
    }
  }

  /// Appends operator and operand.
  public func write(to writer: inout ByteWriter) {
    switch self {
    case .all: Operator.all.write(to: &writer)
    case .first: Operator.first.write(to: &writer)
    case .last: Operator.last.write(to: &writer)
    case .sequenceNumbers(let bounds): Self.write(bounds, of: Self.sequenceNumber, to: &writer)
    case .times(let bounds): Self.write(bounds, of: Self.userFacingTime, to: &writer)
    }
  }

  private static func write<Value: ByteWritable>(_ bounds: Bounds<Value>, of type: UInt8, to writer: inout ByteWriter) {
    switch bounds {
    case .through(let bound):
      writer.write([Operator.lessThanOrEqual.rawValue, type])
      bound.write(to: &writer)
    case .from(let bound):
      writer.write([Operator.greaterThanOrEqual.rawValue, type])
      bound.write(to: &writer)
    case .within(let first, let last):
      writer.write([Operator.withinRange.rawValue, type])
      first.write(to: &writer)
      last.write(to: &writer)
    }
  }
}
