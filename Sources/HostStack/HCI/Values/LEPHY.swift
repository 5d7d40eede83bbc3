/// A physical layer of Low Energy.
package struct LEPHY: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No packets on that PHY, in reports.
  package static let none = LEPHY(rawValue: 0)
  package static let le1M = LEPHY(rawValue: 1)
  package static let le2M = LEPHY(rawValue: 2)
  package static let leCoded = LEPHY(rawValue: 3)
}

/// Several physical layers.
package struct LEPHYs: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let le1M = LEPHYs(rawValue: 1)
  package static let le2M = LEPHYs(rawValue: 2)
  package static let leCoded = LEPHYs(rawValue: 4)

  /// How many there are.
  package var count: Int { rawValue.nonzeroBitCount }
}
