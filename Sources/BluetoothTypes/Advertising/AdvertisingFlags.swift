/// Whether and how a device can be discovered (Core Specification Supplement 11, Part A, 1.3).
public struct AdvertisingFlags: OptionSet, Hashable, Sendable {
  /// The bits of the first byte.
  public let rawValue: UInt8

  /// Flags from their bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Discoverable for a short while.
  public static let limitedDiscoverable = Self(rawValue: 0x01)
  /// Discoverable.
  public static let generalDiscoverable = Self(rawValue: 0x02)
  /// Speaks Bluetooth Low Energy only.
  public static let brEDRNotSupported = Self(rawValue: 0x04)
  /// The controller does LE and BR/EDR with the same device at a time.
  public static let simultaneousController = Self(rawValue: 0x08)
  /// The host does LE and BR/EDR with the same device at a time; no longer in use.
  public static let simultaneousHost = Self(rawValue: 0x10)
}
