/// The frame of an Eddystone beacon that names it: ten bytes of a namespace and six of the beacon in it
/// (Eddystone-UID, frame type 0x00).
public struct EddystoneUID: Hashable, Sendable {
  /// How strongly the beacon sends, in dBm at no distance; one metre away it is about 41 dB less.
  public var powerAtZeroMeters: Int8
  /// The namespace: ten bytes.
  public let namespace: [UInt8]
  /// The beacon in the namespace: six bytes.
  public let instance: [UInt8]

  /// Makes a frame.
  ///
  /// - Returns: `nil` unless the namespace has ten bytes and the instance six.
  public init?(namespace: [UInt8], instance: [UInt8], powerAtZeroMeters: Int8) {
    guard namespace.count == Self.namespaceCount, instance.count == Self.instanceCount else { return nil }
    self.powerAtZeroMeters = powerAtZeroMeters
    self.namespace = namespace
    self.instance = instance
  }
}

extension EddystoneUID: ByteReadable, ByteWritable {
  static let namespaceCount = 10
  static let instanceCount = 6

  /// Reads the frame; the two bytes at its end, which are kept for the future, may be left out.
  ///
  /// - Throws: ``ByteError`` if the frame is of another type or is cut.
  public init(reading reader: inout ByteReader) throws {
    try reader.expect(.uid)
    powerAtZeroMeters = try reader.read()
    namespace = try reader.readBytes(Self.namespaceCount)
    instance = try reader.readBytes(Self.instanceCount)
    if reader.remaining >= 2 { try reader.skip(2) }
  }

  /// Appends the frame.
  public func write(to writer: inout ByteWriter) {
    writer.write(EddystoneFrameType.uid.rawValue)
    writer.write(powerAtZeroMeters)
    writer.write(namespace)
    writer.write(instance)
    writer.write(UInt16(0))
  }
}

extension EddystoneUID: CustomStringConvertible {
  /// Namespace, instance and power.
  public var description: String {
    "Eddystone-UID \(hexadecimal(namespace)) / \(hexadecimal(instance)), \(powerAtZeroMeters) dBm at 0 m"
  }
}
