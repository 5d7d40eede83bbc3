/// An ATT error code (Core 5.4, Vol 3, Part F, 3.4.1.1): an open set, as applications and profiles have their own.
public struct ATTErrorCode: RawRepresentable, Hashable, Sendable {
  /// The code.
  public let rawValue: UInt8

  /// An error from its code.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }
}
