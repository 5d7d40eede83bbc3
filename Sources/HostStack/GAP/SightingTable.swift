import BluetoothTypes
import RadioPort

/// What is known of each advertiser, and what each scan has been told of it.
///
/// The table is bounded: when it is full, the advertisers that were silent for longest are forgotten, and reported anew
/// when they are heard again.
package struct SightingTable: Sendable {
  /// What one advertising report says.
  package struct Report: Sendable {
    /// `nil` for an advertiser that hides it.
    package var address: BluetoothAddress?
    package var data: [UInt8]
    package var rssi: Int?
    /// `nil` where the report does not tell: in a scan response.
    package var isConnectable: Bool?
    package var isScanResponse: Bool
    package var channel: AdvertisingChannel

    package init(
      address: BluetoothAddress?,
      data: [UInt8],
      rssi: Int?,
      isConnectable: Bool?,
      isScanResponse: Bool,
      channel: AdvertisingChannel = .legacy
    ) {
      self.address = address
      self.data = data
      self.rssi = rssi
      self.isConnectable = isConnectable
      self.isScanResponse = isScanResponse
      self.channel = channel
    }

    /// Who it is of.
    package var peer: PeerID { address.map { PeerID($0) } ?? PeerID(anonymous: data, set: channel.set ?? 0) }

    /// Directed advertising of the legacy format has no data, which says nothing of the data of other packets.
    fileprivate var hasData: Bool { !channel.isDirected || channel.isExtended }
    fileprivate var key: Key { Key(peer: peer, set: channel.set) }
  }

  /// What a report leads to.
  package struct Outcome: Sendable {
    /// The sighting; `nil` if no scan is to hear of it.
    package var sighting: Sighting?
    /// Who is to hear of it.
    package var scans: [ScanID] = []
    /// What is wrong with the data, if it is new and malformed.
    package var malformed: ByteError?
  }

  fileprivate struct Advertiser: Sendable {
    var advertisement: [UInt8] = []
    var response: [UInt8] = []
    var merged = AdvertisingData()
    var isConnectable = false
    var primaryPHY = RadioPHY.le1M
    /// Changes with the content, and is never the same twice in the whole table.
    var version: UInt64 = 0
    var lastHeard: UInt64 = 0
    /// Which version each scan was told.
    var told: [(scan: ScanID, version: UInt64)] = []
  }

  /// One advertising set of a device; its legacy advertising counts as one.
  fileprivate struct Key: Hashable, Sendable {
    var peer: PeerID
    var set: UInt8?
  }

  private var advertisers: [Key: Advertiser] = [:]
  private var clock: UInt64 = 0
  private let limit: Int

  /// A table that remembers at most `limit` advertisers.
  package init(limit: Int = 1024) { self.limit = max(2, limit) }

  /// How many advertisers are remembered.
  package var count: Int { advertisers.count }

  /// Takes one report in, for the scans that go on.
  package mutating func heard(
    _ report: Report,
    scans: [(id: ScanID, request: ScanRequest)],
    now: RadioInstant
  ) -> Outcome {
    clock &+= 1
    let key = report.key
    if advertisers.count >= limit, advertisers[key] == nil { forgetOldHalf() }
    var outcome = Outcome()
    outcome.malformed = advertisers[key, default: Advertiser()].take(report, clock: clock)
    guard var advertiser = advertisers[key] else { return outcome }
    for scan in scans where scan.request.includes(report.channel) && advertiser.matches(scan.request) {
      if advertiser.note(scan.id) || scan.request.allowsDuplicates { outcome.scans.append(scan.id) }
    }
    guard !outcome.scans.isEmpty else { return outcome }
    advertisers[key] = advertiser
    outcome.sighting = Sighting(
      peer: key.peer,
      address: report.address,
      advertisement: advertiser.merged,
      rssi: report.rssi,
      isConnectable: advertiser.isConnectable,
      isScanResponse: report.isScanResponse,
      time: now,
      channel: report.channel
    )
    return outcome
  }

  /// Whether a set of a device was heard.
  package func knows(_ address: BluetoothAddress, set: UInt8?) -> Bool {
    advertisers[Key(peer: PeerID(address), set: set)] != nil
  }

  /// Whether a device was heard on the Coded PHY alone.
  package func isOnCoded(_ address: BluetoothAddress) -> Bool {
    let peer = PeerID(address)
    let heard = ([nil] + (0...15).map { Optional(UInt8($0)) })
      .compactMap { advertisers[Key(peer: peer, set: $0)]?.primaryPHY }
    return !heard.isEmpty && heard.allSatisfy { $0 == .leCoded }
  }

  /// Forgets what a scan was told.
  package mutating func forget(_ scan: ScanID) {
    for key in Array(advertisers.keys) { advertisers[key]?.told.removeAll { $0.scan == scan } }
  }

  /// Forgets all advertisers.
  package mutating func removeAll() { advertisers.removeAll() }

  private mutating func forgetOldHalf() {
    let ages = advertisers.values.map(\.lastHeard).sorted()
    let median = ages[ages.count / 2]
    advertisers = advertisers.filter { $0.value.lastHeard > median }
  }
}

extension SightingTable.Advertiser {
  /// Takes the content in; returns what is wrong with it if it is new.
  fileprivate mutating func take(_ report: SightingTable.Report, clock: UInt64) -> ByteError? {
    lastHeard = clock
    primaryPHY = report.channel.primaryPHY
    var isChanged = version == 0
    if let connectable = report.isConnectable, connectable != isConnectable {
      isConnectable = connectable
      isChanged = true
    }
    if report.isScanResponse {
      if response != report.data {
        response = report.data
        isChanged = true
      }
    } else if report.hasData, advertisement != report.data {
      advertisement = report.data
      isChanged = true
    }
    guard isChanged else { return nil }
    version = clock
    guard report.hasData else { return nil }
    let fresh = AdvertisingData(parsing: report.data)
    let other = AdvertisingData(parsing: report.isScanResponse ? advertisement : response)
    merged = report.isScanResponse ? other.merging(fresh) : fresh.merging(other)
    return fresh.problem
  }

  /// Whether a scan wants to hear of this advertiser.
  fileprivate func matches(_ request: ScanRequest) -> Bool {
    if request.services.isEmpty { return true }
    let offered = merged.serviceUUIDs
    return request.services.contains { offered.contains($0) }
  }

  /// Notes that a scan is told the content; whether it was new to it.
  fileprivate mutating func note(_ scan: ScanID) -> Bool {
    if let index = told.firstIndex(where: { $0.scan == scan }) {
      guard told[index].version != version else { return false }
      told[index].version = version
    } else {
      told.append((scan, version))
    }
    return true
  }
}
