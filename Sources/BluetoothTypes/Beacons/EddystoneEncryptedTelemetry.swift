/// The frame in which an Eddystone beacon with an ephemeral identifier tells how it fares to those who have its key
/// (Eddystone-eTLM, frame type 0x20, version 0x01). It is handed on as it is: only the owner of the key can open it.
public struct EddystoneEncryptedTelemetry: Hashable, Sendable {
  /// The telemetry, encrypted with AES-EAX: twelve bytes.
  public let ciphertext: [UInt8]
  /// The salt that goes into the nonce, as it was sent.
  public let salt: UInt16
  /// The tag by which the owner of the key sees that the frame is whole, as it was sent.
  public let messageIntegrityCheck: UInt16

  /// Makes a frame.
  ///
  /// - Returns: `nil` unless the ciphertext has twelve bytes.
  public init?(ciphertext: [UInt8], salt: UInt16, messageIntegrityCheck: UInt16) {
    guard ciphertext.count == Self.ciphertextCount else { return nil }
    self.ciphertext = ciphertext
    self.salt = salt
    self.messageIntegrityCheck = messageIntegrityCheck
  }
}

extension EddystoneEncryptedTelemetry: ByteReadable, ByteWritable {
  static let version: UInt8 = 0x01
  static let ciphertextCount = 12

  /// Reads the frame.
  ///
  /// - Throws: ``ByteError`` if the frame is of another type or version, or is cut.
  public init(reading reader: inout ByteReader) throws {
    try reader.expect(.telemetry)
    guard try reader.integer(UInt8.self, at: reader.offset) == Self.version else {
      throw reader.invalid("encrypted Eddystone-TLM has version 0x01")
    }
    try reader.skip(1)
    ciphertext = try reader.readBytes(Self.ciphertextCount)
    salt = try reader.read(UInt16.self).byteSwapped
    messageIntegrityCheck = try reader.read(UInt16.self).byteSwapped
  }

  /// Appends the frame.
  public func write(to writer: inout ByteWriter) {
    writer.write(EddystoneFrameType.telemetry.rawValue)
    writer.write(Self.version)
    writer.write(ciphertext)
    writer.write(salt.byteSwapped)
    writer.write(messageIntegrityCheck.byteSwapped)
  }
}

extension EddystoneEncryptedTelemetry: CustomStringConvertible {
  /// The bytes that only the owner of the key can open.
  public var description: String { "Eddystone-eTLM \(hexadecimal(ciphertext))" }
}
