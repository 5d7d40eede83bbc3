/// Who may connect to or ask an advertiser of the legacy kind.
package struct AdvertisingType: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// ADV_IND.
  package static let connectableUndirected = AdvertisingType(rawValue: 0)
  /// ADV_DIRECT_IND, fast and for 1.28 s.
  package static let connectableDirectedHighDutyCycle = AdvertisingType(rawValue: 1)
  /// ADV_SCAN_IND.
  package static let scannableUndirected = AdvertisingType(rawValue: 2)
  /// ADV_NONCONN_IND.
  package static let nonconnectableUndirected = AdvertisingType(rawValue: 3)
  /// ADV_DIRECT_IND at the interval that was set.
  package static let connectableDirectedLowDutyCycle = AdvertisingType(rawValue: 4)
}

/// Whose requests an advertiser takes.
package struct AdvertisingFilterPolicy: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let all = AdvertisingFilterPolicy(rawValue: 0)
  /// Scan requests only from the filter accept list.
  package static let filterScanRequests = AdvertisingFilterPolicy(rawValue: 1)
  /// Connection requests only from the filter accept list.
  package static let filterConnectionRequests = AdvertisingFilterPolicy(rawValue: 2)
  /// Both only from the filter accept list.
  package static let filterBoth = AdvertisingFilterPolicy(rawValue: 3)
}

/// The primary advertising channels.
package struct AdvertisingChannelMap: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let channel37 = AdvertisingChannelMap(rawValue: 1)
  package static let channel38 = AdvertisingChannelMap(rawValue: 2)
  package static let channel39 = AdvertisingChannelMap(rawValue: 4)
  package static let all: AdvertisingChannelMap = [.channel37, .channel38, .channel39]
}

/// What kind of advertising a set does.
package struct AdvertisingEventProperties: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let connectable = AdvertisingEventProperties(rawValue: 1 &<< 0)
  package static let scannable = AdvertisingEventProperties(rawValue: 1 &<< 1)
  package static let directed = AdvertisingEventProperties(rawValue: 1 &<< 2)
  package static let highDutyCycleDirected = AdvertisingEventProperties(rawValue: 1 &<< 3)
  /// Uses the packets that old scanners understand.
  package static let legacy = AdvertisingEventProperties(rawValue: 1 &<< 4)
  package static let anonymous = AdvertisingEventProperties(rawValue: 1 &<< 5)
  package static let includeTXPower = AdvertisingEventProperties(rawValue: 1 &<< 6)
  /// ADV_IND.
  package static let legacyConnectable: AdvertisingEventProperties = [.connectable, .scannable, .legacy]
  /// ADV_DIRECT_IND.
  package static let legacyDirected: AdvertisingEventProperties = [.connectable, .directed, .legacy]
  /// ADV_DIRECT_IND, fast and for 1.28 s.
  package static let legacyDirectedHighDutyCycle: AdvertisingEventProperties = [
    .connectable, .directed, .highDutyCycleDirected, .legacy,
  ]
  /// ADV_SCAN_IND.
  package static let legacyScannable: AdvertisingEventProperties = [.scannable, .legacy]
  /// ADV_NONCONN_IND.
  package static let legacyNonconnectable: AdvertisingEventProperties = [.legacy]
}

/// How a piece of advertising data stands to the whole.
package struct AdvertisingDataOperation: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let intermediateFragment = AdvertisingDataOperation(rawValue: 0)
  package static let firstFragment = AdvertisingDataOperation(rawValue: 1)
  package static let lastFragment = AdvertisingDataOperation(rawValue: 2)
  package static let complete = AdvertisingDataOperation(rawValue: 3)
  /// The data stays; only its identifier changes.
  package static let unchanged = AdvertisingDataOperation(rawValue: 4)
}

extension AdvertisingType {
  /// The same in the words of advertising sets; `nil` for a type that does not exist.
  package var properties: AdvertisingEventProperties? {
    switch self {
    case .connectableUndirected: .legacyConnectable
    case .connectableDirectedHighDutyCycle: .legacyDirectedHighDutyCycle
    case .scannableUndirected: .legacyScannable
    case .nonconnectableUndirected: .legacyNonconnectable
    case .connectableDirectedLowDutyCycle: .legacyDirected
    default: nil
    }
  }
}
