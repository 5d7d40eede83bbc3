import BluetoothTypes

/// A request to a database of stored records, or the answer to one (Glucose Service 1.0.1, 3.4; GATT Specification
/// Supplement, Record Access Control Point). The pulse oximeter shares it.
public enum RecordAccessControlPoint: Hashable, Sendable {
  /// Send these records.
  case report(RecordFilter)
  /// Delete these records.
  case delete(RecordFilter)
  /// Stop the procedure that is under way.
  case abort
  /// Tell how many such records there are.
  case reportCount(RecordFilter)
  /// How many such records there are: the answer to ``reportCount(_:)``.
  case count(UInt16)
  /// How the procedure of this opcode ended.
  case response(to: Opcode, Response)
  /// What has no meaning here, as it came: an opcode, an operator or a type of operand that is not known. A server
  /// answers it with what is not supported or invalid.
  case other(opcode: Opcode, operator: Operator, operand: [UInt8])

  /// What to do: an open set.
  public struct Opcode: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Send records.
    public static let reportStoredRecords = Opcode(rawValue: 1)
    /// Delete records.
    public static let deleteStoredRecords = Opcode(rawValue: 2)
    /// Stop what is under way.
    public static let abortOperation = Opcode(rawValue: 3)
    /// Tell how many records there are.
    public static let reportNumberOfStoredRecords = Opcode(rawValue: 4)
    /// How many records there are.
    public static let numberOfStoredRecordsResponse = Opcode(rawValue: 5)
    /// How a procedure ended.
    public static let responseCode = Opcode(rawValue: 6)
  }

  /// Which records: an open set.
  public struct Operator: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// None: for aborting and in answers.
    public static let null = Operator(rawValue: 0)
    /// All records.
    public static let all = Operator(rawValue: 1)
    /// Those up to a bound.
    public static let lessThanOrEqual = Operator(rawValue: 2)
    /// Those from a bound on.
    public static let greaterThanOrEqual = Operator(rawValue: 3)
    /// Those between two bounds, which are meant too.
    public static let withinRange = Operator(rawValue: 4)
    /// The oldest record.
    public static let first = Operator(rawValue: 5)
    /// The newest record.
    public static let last = Operator(rawValue: 6)
  }

  /// How a procedure ended: an open set.
  public struct Response: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// As it should.
    public static let success = Response(rawValue: 1)
    /// The server does not know the opcode.
    public static let opcodeNotSupported = Response(rawValue: 2)
    /// The operator does not go with the opcode.
    public static let invalidOperator = Response(rawValue: 3)
    /// The server does not know the operator.
    public static let operatorNotSupported = Response(rawValue: 4)
    /// The operand does not go with the operator.
    public static let invalidOperand = Response(rawValue: 5)
    /// No record is meant by the request.
    public static let noRecordsFound = Response(rawValue: 6)
    /// What was under way could not be stopped.
    public static let abortUnsuccessful = Response(rawValue: 7)
    /// The procedure began but did not come to its end.
    public static let procedureNotCompleted = Response(rawValue: 8)
    /// The server can not filter by this.
    public static let operandNotSupported = Response(rawValue: 9)
  }
}

extension RecordAccessControlPoint: ByteReadable, ByteWritable {
  /// Reads an opcode, an operator and the operand that both call for.
  ///
  /// - Throws: `ByteError` if the bytes end too early, or at the field of a bound that is out of its range.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(2)
    let opcode = Opcode(rawValue: try reader.read())
    let whole = reader
    let selector = Operator(rawValue: try reader.read())
    switch (opcode, selector) {
    case (.abortOperation, .null): self = .abort
    case (.numberOfStoredRecordsResponse, .null): self = .count(try reader.read())
    case (.responseCode, .null):
      try reader.require(2)
      self = .response(to: try Opcode(reading: &reader), try Response(reading: &reader))
    case (.reportStoredRecords, _), (.deleteStoredRecords, _), (.reportNumberOfStoredRecords, _):
      var rest = whole
      guard let filter = try RecordFilter(recognizedBy: &rest) else { fallthrough }
      reader = rest
      switch opcode {
      case .reportStoredRecords: self = .report(filter)
      case .deleteStoredRecords: self = .delete(filter)
      default: self = .reportCount(filter)
      }
    default: self = .other(opcode: opcode, operator: selector, operand: reader.readRemaining())
    }
  }

  /// Appends opcode, operator and operand.
  public func write(to writer: inout ByteWriter) {
    switch self {
    case .report(let filter): Self.write(.reportStoredRecords, filter, to: &writer)
    case .delete(let filter): Self.write(.deleteStoredRecords, filter, to: &writer)
    case .reportCount(let filter): Self.write(.reportNumberOfStoredRecords, filter, to: &writer)
    case .abort: writer.write([Opcode.abortOperation.rawValue, Operator.null.rawValue])
    case .count(let count):
      writer.write([Opcode.numberOfStoredRecordsResponse.rawValue, Operator.null.rawValue])
      writer.write(count)
    case .response(let opcode, let response):
      writer.write([Opcode.responseCode.rawValue, Operator.null.rawValue, opcode.rawValue, response.rawValue])
    case .other(let opcode, let selector, let operand):
      writer.write([opcode.rawValue, selector.rawValue])
      writer.write(operand)
    }
  }

  private static func write(_ opcode: Opcode, _ filter: RecordFilter, to writer: inout ByteWriter) {
    opcode.write(to: &writer)
    filter.write(to: &writer)
  }
}

extension BluetoothUUID {
  /// 0x2A52: ``RecordAccessControlPoint``; written and indicated (Glucose Service 1.0.1, 3.4).
  public static let recordAccessControlPoint = BluetoothUUID(UInt16(0x2A52))
}
