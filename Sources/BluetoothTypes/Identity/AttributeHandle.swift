/// What names one attribute of one server for as long as its database stays the same (Core 5.4, Vol 3, Part F, 3.2.2).
///
/// Over a radio that hides the handles, it is a number of the same kind that the radio gives out.
public struct AttributeHandle: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number; 0 is never a handle.
  public let rawValue: UInt16

  /// A handle from its number.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A handle from its number.
  @inlinable
  public init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// The first handle there can be.
  public static let first = AttributeHandle(0x0001)
  /// The last handle there can be.
  public static let last = AttributeHandle(0xFFFF)

  /// The order of the database.
  @inlinable
  public static func < (left: AttributeHandle, right: AttributeHandle) -> Bool { left.rawValue < right.rawValue }

  /// For example `0x002A`.
  public var description: String { "0x" + hexadecimal(rawValue, digits: 4) }
}
