/// A controller error code (Core 5.4, Vol 1, Part F): an open set, as controllers may know newer ones.
public struct HCIStatus: RawRepresentable, Hashable, Sendable {
  /// The code; 0 is success.
  public let rawValue: UInt8

  /// A status from its code.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// 0x00: it worked.
  public static let success = HCIStatus(rawValue: 0x00)
}
