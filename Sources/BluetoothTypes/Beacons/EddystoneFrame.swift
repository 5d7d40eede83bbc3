/// A frame of an Eddystone beacon, as it is advertised in the service data of 0xFEAA. A beacon sends several in turn.
public enum EddystoneFrame: Hashable, Sendable {
  /// Which beacon it is.
  case uid(EddystoneUID)
  /// Where on the web it points to.
  case url(EddystoneURL)
  /// How it fares.
  case telemetry(EddystoneTelemetry)
  /// How it fares, for those who have its key.
  case encryptedTelemetry(EddystoneEncryptedTelemetry)
  /// Which beacon it is, for those who have its key.
  case eid(EddystoneEID)

  /// The service in whose data the frames are advertised: 0xFEAA, which the SIG gave to Google.
  public static let service = BluetoothUUID(UInt16(0xFEAA))
  /// How much less of the signal is left one metre away than at no distance, in dB.
  public static let lossOverFirstMeter = 41

  /// How strongly the beacon is heard one metre away, in dBm; `nil` for telemetry, which does not say.
  public var powerAtOneMeter: Int? {
    let power: Int8? =
      switch self {
      case .uid(let frame): frame.powerAtZeroMeters
      case .url(let frame): frame.powerAtZeroMeters
      case .eid(let frame): frame.powerAtZeroMeters
      case .telemetry, .encryptedTelemetry: nil
      }
    return power.map { Int($0) - Self.lossOverFirstMeter }
  }
}

extension EddystoneFrame: ByteReadable, ByteWritable {
  /// Reads a frame by its type.
  ///
  /// - Throws: ``ByteError`` if the type or the version is none that is known, or the frame is cut or wrong.
  public init(reading reader: inout ByteReader) throws {
    switch EddystoneFrameType(rawValue: try reader.integer(at: reader.offset)) {
    case .uid: self = .uid(try EddystoneUID(reading: &reader))
    case .url: self = .url(try EddystoneURL(reading: &reader))
    case .ephemeralIdentifier: self = .eid(try EddystoneEID(reading: &reader))
    case .telemetry:
      let version: UInt8 = try reader.integer(at: reader.offset &+ 1)
      switch version {
      case EddystoneTelemetry.version: self = .telemetry(try EddystoneTelemetry(reading: &reader))
      case EddystoneEncryptedTelemetry.version:
        self = .encryptedTelemetry(try EddystoneEncryptedTelemetry(reading: &reader))
      default:
        throw ByteError(offset: reader.offset &+ 1, problem: .invalid("Eddystone-TLM has version 0x00 or 0x01"))
      }
    default: throw reader.invalid("an Eddystone frame has type 0x00, 0x10, 0x20 or 0x30")
    }
  }

  /// Appends the frame.
  public func write(to writer: inout ByteWriter) {
    switch self {
    case .uid(let frame): frame.write(to: &writer)
    case .url(let frame): frame.write(to: &writer)
    case .telemetry(let frame): frame.write(to: &writer)
    case .encryptedTelemetry(let frame): frame.write(to: &writer)
    case .eid(let frame): frame.write(to: &writer)
    }
  }
}

extension EddystoneFrame: CustomStringConvertible {
  /// The frame's name and its fields.
  public var description: String {
    switch self {
    case .uid(let frame): frame.description
    case .url(let frame): frame.description
    case .telemetry(let frame): frame.description
    case .encryptedTelemetry(let frame): frame.description
    case .eid(let frame): frame.description
    }
  }
}

/// What the first byte of a frame says.
struct EddystoneFrameType: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt8

  static let uid = EddystoneFrameType(rawValue: 0x00)
  static let url = EddystoneFrameType(rawValue: 0x10)
  static let telemetry = EddystoneFrameType(rawValue: 0x20)
  static let ephemeralIdentifier = EddystoneFrameType(rawValue: 0x30)
}

extension ByteReader {
  /// Moves past the type of a frame, or throws if it is another.
  mutating func expect(_ type: EddystoneFrameType) throws(ByteError) {
    guard try integer(UInt8.self, at: offset) == type.rawValue else {
      throw invalid("the frame is an Eddystone frame of another type")
    }
    try skip(1)
  }
}
