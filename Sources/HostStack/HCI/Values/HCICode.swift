/// A one-byte code of HCI: an open set, as the other side may know newer members.
package protocol HCICode: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral where RawValue == UInt8 {
  init(rawValue: UInt8)
}

extension HCICode {
  package init(integerLiteral value: UInt8) { self.init(rawValue: value) }
}

/// Which of its own addresses a device shows.
package struct OwnAddressType: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let `public` = OwnAddressType(rawValue: 0)
  package static let random = OwnAddressType(rawValue: 1)
  /// A private one made by the controller; public where the resolving list has no entry.
  package static let resolvableOrPublic = OwnAddressType(rawValue: 2)
  /// A private one made by the controller; random where the resolving list has no entry.
  package static let resolvableOrRandom = OwnAddressType(rawValue: 3)
}

/// Which end of a link a device is.
package struct LERole: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let central = LERole(rawValue: 0)
  package static let peripheral = LERole(rawValue: 1)
}

/// How strict to be with a device whose identity resolving key is known.
package struct PrivacyMode: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Take only its private addresses.
  package static let network = PrivacyMode(rawValue: 0)
  /// Take its identity address too.
  package static let device = PrivacyMode(rawValue: 1)
}
