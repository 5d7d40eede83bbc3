import BluetoothTypes

/// A request to a sensor for cycling or running, or the answer to one (GATT Specification Supplement, SC Control Point).
public enum SpeedAndCadenceControlPoint: Hashable, Sendable {
  /// Set the turns of the wheel, or the distance in decimetres.
  case setCumulativeValue(UInt32)
  /// Calibrate the sensor.
  case startCalibration
  /// Tell where the sensor sits.
  case updateSensorLocation(SensorLocation)
  /// Ask where the sensor can sit; the answer has one byte for each place.
  case requestSupportedLocations
  /// How the procedure of this opcode ended, with what it was asked for.
  case response(to: Opcode, Result, [UInt8])
  /// An opcode that is not known, with its parameter.
  case other(Opcode, [UInt8])

  /// What to do: an open set.
  public struct Opcode: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Set the turns of the wheel, or the distance in decimetres.
    public static let setCumulativeValue = Opcode(rawValue: 1)
    /// Calibrate the sensor.
    public static let startCalibration = Opcode(rawValue: 2)
    /// Tell where the sensor sits.
    public static let updateSensorLocation = Opcode(rawValue: 3)
    /// Ask where the sensor can sit; the answer has one byte for each place.
    public static let requestSupportedLocations = Opcode(rawValue: 4)
    /// How a procedure ended.
    public static let responseCode = Opcode(rawValue: 16)
  }

  /// How a procedure ended: an open set.
  public struct Result: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// As it should.
    public static let success = Result(rawValue: 1)
    /// The sensor does not know the opcode.
    public static let opcodeNotSupported = Result(rawValue: 2)
    /// The parameter is wrong.
    public static let invalidParameter = Result(rawValue: 3)
    /// The sensor could not do it.
    public static let operationFailed = Result(rawValue: 4)
  }
}

extension SpeedAndCadenceControlPoint: ByteReadable, ByteWritable {
  /// Reads an opcode and its parameter.
  public init(reading reader: inout ByteReader) throws {
    let opcode = try Opcode(reading: &reader)
    switch opcode {
    case .setCumulativeValue: self = .setCumulativeValue(try UInt32(reading: &reader))
    case .startCalibration: self = .startCalibration
    case .updateSensorLocation: self = .updateSensorLocation(try SensorLocation(reading: &reader))
    case .requestSupportedLocations: self = .requestSupportedLocations
    case .responseCode:
      try reader.require(2)
      let request = try Opcode(reading: &reader)
      self = .response(to: request, try Result(reading: &reader), reader.readRemaining())
    default: self = .other(opcode, reader.readRemaining())
    }
  }

  /// Appends the opcode and its parameter.
  public func write(to writer: inout ByteWriter) {
    opcode.write(to: &writer)
    switch self {
    case .setCumulativeValue(let value): value.write(to: &writer)
    case .updateSensorLocation(let value): value.write(to: &writer)
    case .response(let request, let result, let parameter):
      writer.write([request.rawValue, result.rawValue])
      writer.write(parameter)
    case .other(_, let parameter): writer.write(parameter)
    default: break
    }
  }

  /// What is asked for or answered.
  public var opcode: Opcode {
    switch self {
    case .setCumulativeValue: .setCumulativeValue
    case .startCalibration: .startCalibration
    case .updateSensorLocation: .updateSensorLocation
    case .requestSupportedLocations: .requestSupportedLocations
    case .response: .responseCode
    case .other(let opcode, _): opcode
    }
  }
}

// GATT Specification Supplement, SC Control Point.
extension BluetoothUUID {
  /// 0x2A55: ``SpeedAndCadenceControlPoint``; written and indicated.
  public static let speedAndCadenceControlPoint = BluetoothUUID(UInt16(0x2A55))
}
