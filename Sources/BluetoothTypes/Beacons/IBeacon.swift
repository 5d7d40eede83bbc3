/// An iBeacon: which region, which place in it, and how strong the beacon is one metre away
/// (Apple, Proximity Beacon Specification R1).
///
/// It is advertised as the manufacturer data of Apple. On Apple's platforms CoreBluetooth hides it from every app, so
/// that it is seen there by Core Location only.
public struct IBeacon: Hashable, Sendable {
  /// The region's UUID.
  public var uuid: BluetoothUUID
  /// The group of places within the region.
  public var major: UInt16
  /// The place within the group.
  public var minor: UInt16
  /// How strongly the beacon is heard one metre away, in dBm.
  public var powerAtOneMeter: Int8

  /// Makes a beacon.
  ///
  /// - Parameter powerAtOneMeter: How strongly it is heard one metre away, in dBm, as measured.
  public init(uuid: BluetoothUUID, major: UInt16, minor: UInt16, powerAtOneMeter: Int8) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
    self.powerAtOneMeter = powerAtOneMeter
  }
}

extension IBeacon: ByteReadable, ByteWritable {
  private static let type: UInt8 = 0x02
  private static let length: UInt8 = 0x15

  /// Reads what stands behind Apple's number: type, length, and the fields with their most significant byte first.
  ///
  /// - Throws: ``ByteError`` if it is no iBeacon or is cut.
  public init(reading reader: inout ByteReader) throws {
    guard try reader.integer(UInt8.self, at: reader.offset) == Self.type else {
      throw reader.invalid("an iBeacon has type 0x02")
    }
    try reader.skip(1)
    guard try reader.integer(UInt8.self, at: reader.offset) == Self.length else {
      throw reader.invalid("an iBeacon has length 0x15")
    }
    try reader.skip(1)
    let high = try reader.read(UInt64.self).byteSwapped
    uuid = BluetoothUUID(high: high, low: try reader.read(UInt64.self).byteSwapped)
    major = try reader.read(UInt16.self).byteSwapped
    minor = try reader.read(UInt16.self).byteSwapped
    powerAtOneMeter = try reader.read()
  }

  /// Appends what stands behind Apple's number.
  public func write(to writer: inout ByteWriter) {
    writer.write(Self.type)
    writer.write(Self.length)
    writer.write(uuid.high.byteSwapped)
    writer.write(uuid.low.byteSwapped)
    writer.write(major.byteSwapped)
    writer.write(minor.byteSwapped)
    writer.write(powerAtOneMeter)
  }
}

extension IBeacon: CustomStringConvertible {
  /// The region, the place and the power.
  public var description: String { "iBeacon \(uuid) \(major)/\(minor), \(powerAtOneMeter) dBm at 1 m" }
}
