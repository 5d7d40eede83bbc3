/// Whether a scanner asks for scan responses.
package struct LEScanType: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let passive = LEScanType(rawValue: 0)
  package static let active = LEScanType(rawValue: 1)
}

/// Whose advertisements a scanner reports.
package struct ScanningFilterPolicy: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let all = ScanningFilterPolicy(rawValue: 0)
  package static let filterAcceptList = ScanningFilterPolicy(rawValue: 1)
  /// All, and what is directed to a private address that can not be resolved.
  package static let allAndUnresolvedDirected = ScanningFilterPolicy(rawValue: 2)
  /// The filter accept list, and what is directed to a private address that can not be resolved.
  package static let filterAcceptListAndUnresolvedDirected = ScanningFilterPolicy(rawValue: 3)
}

/// Whom an initiator connects to.
package struct InitiatorFilterPolicy: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let peerAddress = InitiatorFilterPolicy(rawValue: 0)
  package static let filterAcceptList = InitiatorFilterPolicy(rawValue: 1)
}

/// Whether an extended scan leaves out what it reported before.
package struct DuplicateFiltering: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let off = DuplicateFiltering(rawValue: 0)
  package static let on = DuplicateFiltering(rawValue: 1)
  /// On, and forgotten at the start of each period.
  package static let resetEachPeriod = DuplicateFiltering(rawValue: 2)
}

/// What a legacy advertising report is about.
package struct AdvertisingReportType: HCICode {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// ADV_IND.
  package static let connectableUndirected = AdvertisingReportType(rawValue: 0)
  /// ADV_DIRECT_IND.
  package static let connectableDirected = AdvertisingReportType(rawValue: 1)
  /// ADV_SCAN_IND.
  package static let scannableUndirected = AdvertisingReportType(rawValue: 2)
  /// ADV_NONCONN_IND.
  package static let nonconnectableUndirected = AdvertisingReportType(rawValue: 3)
  /// SCAN_RSP.
  package static let scanResponse = AdvertisingReportType(rawValue: 4)

  /// Whether the advertiser takes connections; a scan response does not say.
  package var isConnectable: Bool { self == .connectableUndirected || self == .connectableDirected }
}

/// What an extended advertising report is about.
package struct ExtendedAdvertisingReportType: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let connectable = ExtendedAdvertisingReportType(rawValue: 1 &<< 0)
  package static let scannable = ExtendedAdvertisingReportType(rawValue: 1 &<< 1)
  package static let directed = ExtendedAdvertisingReportType(rawValue: 1 &<< 2)
  package static let scanResponse = ExtendedAdvertisingReportType(rawValue: 1 &<< 3)
  package static let legacy = ExtendedAdvertisingReportType(rawValue: 1 &<< 4)
  /// More of the data will come.
  package static let incomplete = ExtendedAdvertisingReportType(rawValue: 1 &<< 5)
  /// The rest of the data is lost.
  package static let truncated = ExtendedAdvertisingReportType(rawValue: 1 &<< 6)
}
