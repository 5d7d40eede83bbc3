/// The frame of an Eddystone beacon whose identifier changes every now and then, so that only those who have its key
/// know which beacon it is (Eddystone-EID, frame type 0x30).
public struct EddystoneEID: Hashable, Sendable {
  /// How strongly the beacon sends, in dBm at no distance; one metre away it is about 41 dB less.
  public var powerAtZeroMeters: Int8
  /// The identifier of the moment: eight bytes.
  public let identifier: [UInt8]

  /// Makes a frame.
  ///
  /// - Returns: `nil` unless the identifier has eight bytes.
  public init?(identifier: [UInt8], powerAtZeroMeters: Int8) {
    guard identifier.count == Self.identifierCount else { return nil }
    self.powerAtZeroMeters = powerAtZeroMeters
    self.identifier = identifier
  }
}

extension EddystoneEID: ByteReadable, ByteWritable {
  static let identifierCount = 8

  /// Reads the frame.
  ///
  /// - Throws: ``ByteError`` if the frame is of another type or is cut.
  public init(reading reader: inout ByteReader) throws {
    try reader.expect(.ephemeralIdentifier)
    powerAtZeroMeters = try reader.read()
    identifier = try reader.readBytes(Self.identifierCount)
  }

  /// Appends the frame.
  public func write(to writer: inout ByteWriter) {
    writer.write(EddystoneFrameType.ephemeralIdentifier.rawValue)
    writer.write(powerAtZeroMeters)
    writer.write(identifier)
  }
}

extension EddystoneEID: CustomStringConvertible {
  /// The identifier and the power.
  public var description: String { "Eddystone-EID \(hexadecimal(identifier)), \(powerAtZeroMeters) dBm at 0 m" }
}
