/// Says what a credit-based L2CAP channel is for: a Simplified Protocol/Service Multiplexer (Core 5.4, Vol 3, Part A,
/// 4.22). Apple calls it PSM.
public struct L2CAPPSM: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The number.
  public let rawValue: UInt16

  /// A PSM from its number.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A PSM from its number.
  @inlinable
  public init(integerLiteral value: UInt16) { rawValue = value }

  /// Numbers that the SIG assigns to its protocols.
  public static let fixedRange: ClosedRange<UInt16> = 0x0001...0x007F
  /// Numbers that a device gives to its own protocols for as long as it likes; how a peer learns of them is up to the
  /// application.
  public static let dynamicRange: ClosedRange<UInt16> = 0x0080...0x00FF

  /// Whether a channel of a Low Energy link can have this number: 0x0001 to 0x00FF.
  public var isValid: Bool { Self.fixedRange.contains(rawValue) || Self.dynamicRange.contains(rawValue) }
  /// Whether the number is one that a device gives away itself.
  public var isDynamic: Bool { Self.dynamicRange.contains(rawValue) }
}

extension L2CAPPSM: ByteReadable, ByteWritable {}

extension L2CAPPSM: CustomStringConvertible {
  /// For example `PSM 0x0080`.
  public var description: String { "PSM 0x" + hexadecimal(rawValue, digits: 4) }
}
