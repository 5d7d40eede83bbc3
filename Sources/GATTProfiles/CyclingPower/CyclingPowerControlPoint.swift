import BluetoothTypes

/// A request to a power meter, or the answer to one (Cycling Power Service 1.1, 3.5).
public enum CyclingPowerControlPoint: Hashable, Sendable {
  /// Set the turns of the wheel.
  case setCumulativeValue(UInt32)
  /// Tell where the meter sits.
  case updateSensorLocation(SensorLocation)
  /// Ask where the meter can sit; the answer has one byte for each place.
  case requestSupportedLocations
  /// Set the length of the crank, in half millimetres.
  case setCrankLength(UInt16)
  /// Ask for the length of the crank.
  case requestCrankLength
  /// Set the length of the chain, in millimetres.
  case setChainLength(UInt16)
  /// Ask for the length of the chain.
  case requestChainLength
  /// Set the weight of the chain, in grams.
  case setChainWeight(UInt16)
  /// Ask for the weight of the chain.
  case requestChainWeight
  /// Set the length of the span, in millimetres.
  case setSpanLength(UInt16)
  /// Ask for the length of the span.
  case requestSpanLength
  /// Compensate the offset; the answer has the raw force or torque.
  case startOffsetCompensation
  /// Leave out these parts of the measurement; the bits are in the order of its optional fields.
  case maskContent(UInt16)
  /// Ask for the rate of sampling; the answer has hertz in one byte.
  case requestSamplingRate
  /// Ask when it was calibrated; the answer has a `DateTime`.
  case requestFactoryCalibrationDate
  /// Compensate the offset, and say more about it.
  case startEnhancedOffsetCompensation
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

    /// Set the turns of the wheel.
    public static let setCumulativeValue = Opcode(rawValue: 1)
    /// Tell where the meter sits.
    public static let updateSensorLocation = Opcode(rawValue: 2)
    /// Ask where the meter can sit; the answer has one byte for each place.
    public static let requestSupportedLocations = Opcode(rawValue: 3)
    /// Set the length of the crank, in half millimetres.
    public static let setCrankLength = Opcode(rawValue: 4)
    /// Ask for the length of the crank.
    public static let requestCrankLength = Opcode(rawValue: 5)
    /// Set the length of the chain, in millimetres.
    public static let setChainLength = Opcode(rawValue: 6)
    /// Ask for the length of the chain.
    public static let requestChainLength = Opcode(rawValue: 7)
    /// Set the weight of the chain, in grams.
    public static let setChainWeight = Opcode(rawValue: 8)
    /// Ask for the weight of the chain.
    public static let requestChainWeight = Opcode(rawValue: 9)
    /// Set the length of the span, in millimetres.
    public static let setSpanLength = Opcode(rawValue: 10)
    /// Ask for the length of the span.
    public static let requestSpanLength = Opcode(rawValue: 11)
    /// Compensate the offset; the answer has the raw force or torque.
    public static let startOffsetCompensation = Opcode(rawValue: 12)
    /// Leave out these parts of the measurement; the bits are in the order of its optional fields.
    public static let maskContent = Opcode(rawValue: 13)
    /// Ask for the rate of sampling; the answer has hertz in one byte.
    public static let requestSamplingRate = Opcode(rawValue: 14)
    /// Ask when it was calibrated; the answer has a `DateTime`.
    public static let requestFactoryCalibrationDate = Opcode(rawValue: 15)
    /// Compensate the offset, and say more about it.
    public static let startEnhancedOffsetCompensation = Opcode(rawValue: 16)
    /// How a procedure ended.
    public static let responseCode = Opcode(rawValue: 32)
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

extension CyclingPowerControlPoint: ByteReadable, ByteWritable {
  /// Reads an opcode and its parameter.
  public init(reading reader: inout ByteReader) throws {
    let opcode = try Opcode(reading: &reader)
    switch opcode {
    case .setCumulativeValue: self = .setCumulativeValue(try UInt32(reading: &reader))
    case .updateSensorLocation: self = .updateSensorLocation(try SensorLocation(reading: &reader))
    case .requestSupportedLocations: self = .requestSupportedLocations
    case .setCrankLength: self = .setCrankLength(try UInt16(reading: &reader))
    case .requestCrankLength: self = .requestCrankLength
    case .setChainLength: self = .setChainLength(try UInt16(reading: &reader))
    case .requestChainLength: self = .requestChainLength
    case .setChainWeight: self = .setChainWeight(try UInt16(reading: &reader))
    case .requestChainWeight: self = .requestChainWeight
    case .setSpanLength: self = .setSpanLength(try UInt16(reading: &reader))
    case .requestSpanLength: self = .requestSpanLength
    case .startOffsetCompensation: self = .startOffsetCompensation
    case .maskContent: self = .maskContent(try UInt16(reading: &reader))
    case .requestSamplingRate: self = .requestSamplingRate
    case .requestFactoryCalibrationDate: self = .requestFactoryCalibrationDate
    case .startEnhancedOffsetCompensation: self = .startEnhancedOffsetCompensation
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
    case .setCrankLength(let value): value.write(to: &writer)
    case .setChainLength(let value): value.write(to: &writer)
    case .setChainWeight(let value): value.write(to: &writer)
    case .setSpanLength(let value): value.write(to: &writer)
    case .maskContent(let value): value.write(to: &writer)
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
    case .updateSensorLocation: .updateSensorLocation
    case .requestSupportedLocations: .requestSupportedLocations
    case .setCrankLength: .setCrankLength
    case .requestCrankLength: .requestCrankLength
    case .setChainLength: .setChainLength
    case .requestChainLength: .requestChainLength
    case .setChainWeight: .setChainWeight
    case .requestChainWeight: .requestChainWeight
    case .setSpanLength: .setSpanLength
    case .requestSpanLength: .requestSpanLength
    case .startOffsetCompensation: .startOffsetCompensation
    case .maskContent: .maskContent
    case .requestSamplingRate: .requestSamplingRate
    case .requestFactoryCalibrationDate: .requestFactoryCalibrationDate
    case .startEnhancedOffsetCompensation: .startEnhancedOffsetCompensation
    case .response: .responseCode
    case .other(let opcode, _): opcode
    }
  }
}

// Cycling Power Service 1.1, 3.5.
extension BluetoothUUID {
  /// 0x2A66: ``CyclingPowerControlPoint``; written and indicated.
  public static let cyclingPowerControlPoint = BluetoothUUID(UInt16(0x2A66))
}
