import BluetoothTypes

/// When a value of the surroundings is notified: the value of a descriptor of its characteristic, which may have up to
/// three (Environmental Sensing Service 1.0, 3.1.2.2). ``EnvironmentalSensingConfiguration`` says how they go together.
public enum EnvironmentalSensingTrigger: Hashable, Sendable {
  /// It has no effect.
  case inactive
  /// At this interval, in seconds, 24 bits.
  case everySeconds(UInt32)
  /// Whenever it likes, but not before so many seconds have passed, 24 bits.
  case notBeforeSeconds(UInt32)
  /// When the value changes.
  case changed
  /// While the value compares so with another one of its kind, whose bytes are given.
  case compared(Comparison, [UInt8])
  /// A condition that is not known, with its operand.
  case other(condition: UInt8, operand: [UInt8])

  /// How two values compare.
  public enum Comparison: UInt8, Hashable, Sendable, CaseIterable {
    /// The value is less.
    case less = 0x04
    /// The value is less or the same.
    case lessOrEqual = 0x05
    /// The value is greater.
    case greater = 0x06
    /// The value is greater or the same.
    case greaterOrEqual = 0x07
    /// The value is the same.
    case equal = 0x08
    /// The value is another one.
    case notEqual = 0x09
  }

  /// While the value compares so with another one of its kind.
  public static func compared(_ comparison: Comparison, with value: some ByteWritable) -> Self {
    .compared(comparison, value.bytes)
  }
}

extension EnvironmentalSensingTrigger: ByteReadable, ByteWritable {
  /// Reads a condition and its operand.
  public init(reading reader: inout ByteReader) throws {
    let condition = try reader.read(UInt8.self)
    switch condition {
    case 0x00: self = .inactive
    case 0x01: self = .everySeconds(try reader.readInteger(byteCount: 3))
    case 0x02: self = .notBeforeSeconds(try reader.readInteger(byteCount: 3))
    case 0x03: self = .changed
    default:
      let operand = reader.readRemaining()
      guard let comparison = Comparison(rawValue: condition) else {
        self = .other(condition: condition, operand: operand)
        return
      }
      guard !operand.isEmpty else {
        throw ByteError(offset: reader.offset, problem: .truncated(needed: 1, available: 0))
      }
      self = .compared(comparison, operand)
    }
  }

  /// Appends the condition and its operand; of a time the lower 24 bits.
  public func write(to writer: inout ByteWriter) {
    switch self {
    case .inactive: writer.write(UInt8(0x00))
    case .everySeconds(let seconds):
      writer.write(UInt8(0x01))
      writer.writeInteger(seconds, byteCount: 3)
    case .notBeforeSeconds(let seconds):
      writer.write(UInt8(0x02))
      writer.writeInteger(seconds, byteCount: 3)
    case .changed: writer.write(UInt8(0x03))
    case .compared(let comparison, let operand):
      writer.write(comparison.rawValue)
      writer.write(operand)
    case .other(let condition, let operand):
      writer.write(condition)
      writer.write(operand)
    }
  }
}

/// How several ``EnvironmentalSensingTrigger``s go together: the value of a descriptor of their characteristic
/// (Environmental Sensing Service 1.0, 3.1.2.3): an open set.
public struct EnvironmentalSensingConfiguration: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number.
  public let rawValue: UInt8

  /// A value from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Notify while all of them say so.
  public static let allTriggers = EnvironmentalSensingConfiguration(rawValue: 0)
  /// Notify while any of them says so.
  public static let anyTrigger = EnvironmentalSensingConfiguration(rawValue: 1)
}
