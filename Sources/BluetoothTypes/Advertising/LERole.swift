/// Which roles a device takes (Core Specification Supplement 11, Part A, 1.17): an open set.
public struct LERole: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: UInt8

  /// A role from its number.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Only peripheral.
  public static let onlyPeripheral = LERole(rawValue: 0x00)
  /// Only central.
  public static let onlyCentral = LERole(rawValue: 0x01)
  /// Both, rather peripheral.
  public static let peripheralPreferred = LERole(rawValue: 0x02)
  /// Both, rather central.
  public static let centralPreferred = LERole(rawValue: 0x03)
}
