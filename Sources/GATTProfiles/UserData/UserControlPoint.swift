import BluetoothTypes

/// A request to a device that keeps data of several users, or the answer to one (User Data Service 1.1, 3.4). A client
/// registers a user with a consent code of its own choice, and gets access to the user's data by that code.
public enum UserControlPoint: Hashable, Sendable {
  /// Make a user with this consent code, 0 to 9999; the answer has the user's index.
  case registerNewUser(consent: UInt16)
  /// Give access to the data of a user.
  case consent(user: UInt8, code: UInt16)
  /// Delete the data of the user who gave consent.
  case deleteUserData
  /// Ask for all users; the answer has their number.
  case listAllUsers
  /// Delete a user, or all with ``allUsers``.
  case deleteUser(UInt8)
  /// How the procedure of this opcode ended, with what it was asked for.
  case response(to: Opcode, Result, [UInt8])
  /// An opcode that is not known, with its parameter.
  case other(Opcode, [UInt8])

  /// In place of a user's index: nobody is known.
  public static let unknownUser: UInt8 = 0xFF
  /// In place of a user's index: everybody.
  public static let allUsers: UInt8 = 0xFF

  /// What to do: an open set.
  public struct Opcode: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Make a user.
    public static let registerNewUser = Opcode(rawValue: 0x01)
    /// Give access to the data of a user.
    public static let consent = Opcode(rawValue: 0x02)
    /// Delete the data of the user who gave consent.
    public static let deleteUserData = Opcode(rawValue: 0x03)
    /// Ask for all users.
    public static let listAllUsers = Opcode(rawValue: 0x04)
    /// Delete users.
    public static let deleteUsers = Opcode(rawValue: 0x05)
    /// How a procedure ended.
    public static let responseCode = Opcode(rawValue: 0x20)
  }

  /// How a procedure ended: an open set.
  public struct Result: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// As it should.
    public static let success = Result(rawValue: 0x01)
    /// The device does not know the opcode.
    public static let opcodeNotSupported = Result(rawValue: 0x02)
    /// The parameter is wrong.
    public static let invalidParameter = Result(rawValue: 0x03)
    /// The device could not do it.
    public static let operationFailed = Result(rawValue: 0x04)
    /// The consent code is wrong, or nobody gave consent.
    public static let userNotAuthorized = Result(rawValue: 0x05)
  }
}

extension UserControlPoint: ByteReadable, ByteWritable {
  /// Reads an opcode and its parameter.
  public init(reading reader: inout ByteReader) throws {
    let opcode = try Opcode(reading: &reader)
    switch opcode {
    case .registerNewUser: self = .registerNewUser(consent: try reader.read())
    case .consent:
      try reader.require(3)
      self = .consent(user: try reader.read(), code: try reader.read())
    case .deleteUserData: self = .deleteUserData
    case .listAllUsers: self = .listAllUsers
    case .deleteUsers: self = .deleteUser(try reader.read())
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
    case .registerNewUser(let consent): writer.write(consent)
    case .consent(let user, let code):
      writer.write(user)
      writer.write(code)
    case .deleteUser(let user): writer.write(user)
    case .response(let request, let result, let parameter):
      writer.write([request.rawValue, result.rawValue])
      writer.write(parameter)
    case .other(_, let parameter): writer.write(parameter)
    case .deleteUserData, .listAllUsers: break
    }
  }

  /// What is asked for or answered.
  public var opcode: Opcode {
    switch self {
    case .registerNewUser: .registerNewUser
    case .consent: .consent
    case .deleteUserData: .deleteUserData
    case .listAllUsers: .listAllUsers
    case .deleteUser: .deleteUsers
    case .response: .responseCode
    case .other(let opcode, _): opcode
    }
  }
}

// User Data Service 1.1, 3.
extension BluetoothUUID {
  /// 0x2A9F: ``UserControlPoint``; written and indicated.
  public static let userControlPoint = BluetoothUUID(UInt16(0x2A9F))
}
