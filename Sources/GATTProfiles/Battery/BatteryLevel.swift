import BluetoothTypes

/// How full a battery is (Battery Service 1.1, 3.1).
public struct BatteryLevel: Hashable, Sendable, Comparable {
  /// 0 to 100 percent.
  public let percentage: UInt8

  /// A level from its percentage; more than 100 is taken as 100.
  public init(_ percentage: UInt8) { self.percentage = min(percentage, 100) }

  /// The emptier one comes first.
  public static func < (left: BatteryLevel, right: BatteryLevel) -> Bool { left.percentage < right.percentage }
}

extension BatteryLevel: ByteReadable, ByteWritable {
  /// Reads one byte.
  ///
  /// - Throws: `ByteError` if there is none, or if it is more than 100.
  public init(reading reader: inout ByteReader) throws {
    let start = reader.offset
    let value = try reader.read(UInt8.self)
    guard value <= 100 else {
      throw ByteError(offset: start, problem: .invalid("a battery level is 0 to 100 percent"))
    }
    percentage = value
  }

  /// Appends one byte.
  public func write(to writer: inout ByteWriter) { writer.write(percentage) }
}

extension BatteryLevel: CustomStringConvertible, ExpressibleByIntegerLiteral {
  /// A level from its percentage; more than 100 is taken as 100.
  public init(integerLiteral value: UInt8) { self.init(value) }

  /// For example `80 %`.
  public var description: String { "\(percentage) %" }
}

// Battery Service 1.1, 3.
extension BluetoothUUID {
  /// 0x2A19: ``BatteryLevel``; read and notified.
  public static let batteryLevel = BluetoothUUID(UInt16(0x2A19))
}
