import Foundation

extension CBCentralManager {
  /// What the hardware may have or not.
  public struct Feature: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Features from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Scanning for, and connecting to, what is advertised by the extended packets of Bluetooth 5.
    public static let extendedScanAndConnect = Feature(rawValue: 1 << 0)
  }

  /// What the radios have that managers of this process have seen powered on.
  private static let seen = Guarded(Feature())

  /// Whether the hardware has all of these features. Linux is not asked before there is a manager: until one has been
  /// ``CBManagerState/poweredOn`` nothing is known, and the answer is `false`.
  public static func supports(_ features: Feature) -> Bool { seen.withLock { $0.isSuperset(of: features) } }

  /// Notes what the radio of a manager has.
  static func note(_ features: Feature) { seen.withLock { $0.formUnion(features) } }
}
