import BluetoothTypes
import HostStack

/// What the packets of one advertising event say about themselves (Core 5.4, Vol 6, Part B, 2.3); the data goes beside.
struct Advertisement: Sendable {
  /// The packets of extended advertising that carry data.
  enum Part: Sendable {
    /// AUX_ADV_IND.
    case advertisement
    /// AUX_SCAN_RSP.
    case response
    /// AUX_CHAIN_IND.
    case chain
  }

  var properties: AdvertisingEventProperties
  /// Who sends it; `nil` if anonymous.
  var address: BluetoothAddress?
  /// Whom it is for; `nil` if it is for everybody.
  var target: BluetoothAddress?
  var primaryPHY = LinkPHY.le1M
  /// The PHY of the auxiliary packets; `nil` for legacy ones, which have none.
  var secondaryPHY: LinkPHY?
  /// The set; 0xFF for legacy packets.
  var sid: UInt8 = 0xFF
  /// Changes with the data; 12 bits.
  var dataID: UInt16 = 0
  /// The power that it tells in dBm; 127 for none.
  var power: Int8 = 127

  init(properties: AdvertisingEventProperties, address: BluetoothAddress) {
    self.properties = properties
    self.address = address
  }

  var isLegacy: Bool { properties.contains(.legacy) }
  var isConnectable: Bool { properties.contains(.connectable) }
  var isScannable: Bool { properties.contains(.scannable) }

  /// The payload of an ADV_EXT_IND: the identifiers and where the auxiliary packet is.
  var extendedIndicationPayload: Int { 7 &+ (power == 127 ? 0 : 1) }

  /// How many bytes of an extended packet are no data.
  private func overhead(of part: Part, isChained: Bool) -> Int {
    // The length and mode, the flags, and the identifiers.
    var count = 1 &+ 1 &+ 2
    switch part {
    case .advertisement:
      if address != nil { count &+= 6 }
      if target != nil { count &+= 6 }
    case .response: count &+= 6
    case .chain: break
    }
    if isChained { count &+= 3 }
    if power != 127 { count &+= 1 }
    return count
  }

  /// How many bytes of data an extended packet has room for; behind one that is chained comes another.
  func room(in part: Part, isChained: Bool) -> Int { 255 &- overhead(of: part, isChained: isChained) }

  /// The payload of an extended packet with so many bytes of data.
  func payload(of part: Part, data: Int, isChained: Bool) -> Int { overhead(of: part, isChained: isChained) &+ data }
}

/// How a scanner takes an advertisement that it hears.
struct ScannedAdvertisement: Sendable {
  /// Whether it asks for scan responses.
  var isActive: Bool
  /// Who sent it; `nil` if anonymous.
  var sender: HeardAddress?
  /// It is for a private address that nobody here can resolve.
  var hasUnresolvedTarget: Bool
}

extension VirtualController {
  /// Whether it hears advertisements.
  var isListening: Bool { isPowered && (scanner.isEnabled || initiator != nil) }

  /// Whether it has its ear on a primary channel for the whole of a packet of a kind that it takes.
  func hears(_ packet: Advertisement, channel: Int, from time: Int64, duration: Int64) -> Bool {
    if packet.isLegacy || scanner.isExtended, let mode = scanner.mode(on: packet.primaryPHY, at: time),
      mode.window.hears(from: time, duration: duration, channel: channel)
    {
      return true
    }
    guard let initiator, packet.isLegacy || initiator.isExtended else { return false }
    return initiator.hears(on: packet.primaryPHY, from: time, duration: duration, channel: channel)
  }

  /// How the scanner takes a packet on a primary channel; `nil` if it does not hear it, or is not to report it.
  mutating func scanned(
    _ packet: Advertisement,
    channel: Int,
    from time: Int64,
    duration: Int64
  ) -> ScannedAdvertisement? {
    guard scanner.isEnabled, packet.isLegacy || scanner.isExtended,
      let mode = scanner.mode(on: packet.primaryPHY, at: time),
      mode.window.hears(from: time, duration: duration, channel: channel)
    else { return nil }
    var sender: HeardAddress?
    if let address = packet.address {
      guard let known = recognise(address, now: time) else { return nil }
      guard !scanner.filtersByAcceptList || accepts(known) else { return nil }
      sender = known
    } else {
      guard !scanner.filtersByAcceptList || acceptsAnonymous else { return nil }
    }
    var isUnresolved = false
    if let target = packet.target, !isTarget(target, scanner.ownAddressType) {
      guard scanner.takesUnresolvedTargets, target.kind == .random, target.randomKind == .resolvablePrivate else {
        return nil
      }
      isUnresolved = true
    }
    return ScannedAdvertisement(isActive: mode.isActive, sender: sender, hasUnresolvedTarget: isUnresolved)
  }

  /// The advertiser, if the initiator hears it and wants to connect to it.
  mutating func initiates(_ packet: Advertisement, channel: Int, from time: Int64, duration: Int64) -> HeardAddress? {
    guard let initiator, packet.isConnectable, packet.isLegacy || initiator.isExtended, let address = packet.address,
      initiator.hears(on: packet.primaryPHY, from: time, duration: duration, channel: channel),
      let sender = recognise(address, now: time)
    else { return nil }
    if let peer = initiator.peer?.plain {
      guard sender.device == peer || sender.onAir == peer else { return nil }
    } else {
      guard accepts(sender) else { return nil }
    }
    if let target = packet.target, !isTarget(target, initiator.ownAddressType) { return nil }
    return sender
  }

  // MARK: Reports

  /// Under which key the duplicate filter knows a packet.
  func reportKey(_ packet: Advertisement, _ sender: HeardAddress?, isResponse: Bool) -> ReportKey {
    ReportKey(
      address: sender?.device,
      isResponse: isResponse,
      dataInfo: packet.isLegacy ? nil : UInt16(packet.sid & 0xF) &<< 12 | packet.dataID
    )
  }

  /// Whether the host has had a packet already and wants each but once.
  mutating func hasReported(_ packet: Advertisement, _ sender: HeardAddress?, isResponse: Bool, now: Int64) -> Bool {
    scanner.hasReported(reportKey(packet, sender, isResponse: isResponse), now: now)
  }

  /// Tells the host of a whole legacy packet, unless it has had it and wants each but once.
  mutating func report(
    _ packet: Advertisement,
    _ scanned: ScannedAdvertisement,
    isResponse: Bool = false,
    data: [UInt8],
    rssi: Int8,
    now: Int64
  ) {
    // As in real controllers, what the host does not take in time is not kept for it.
    guard !hostRoom.isStalled, let sender = scanned.sender else { return }
    let key = reportKey(packet, sender, isResponse: isResponse)
    guard !scanner.hasReported(key, now: now) else { return }
    scanner.noteReport(key, limit: configuration.duplicateFilterSize)
    guard !scanner.isExtended else {
      return sendReports(packet, scanned, isResponse: isResponse, data: data, rssi: rssi, isLast: true)
    }
    if scanned.hasUnresolvedTarget, let target = packet.target {
      return send(
        LEDirectedAdvertisingReport(reports: [.init(address: sender.reported, directAddress: target, rssi: rssi)])
      )
    }
    let type: AdvertisingReportType = isResponse ? .scanResponse : packet.reportType
    send(LEAdvertisingReport(reports: [.init(eventType: type, address: sender.reported, data: data, rssi: rssi)]))
  }

  /// Tells the host of one packet of extended advertising, in pieces that fit into events.
  mutating func reportPart(
    _ packet: Advertisement,
    _ scanned: ScannedAdvertisement,
    isResponse: Bool,
    data: [UInt8],
    rssi: Int8,
    isLast: Bool
  ) {
    guard !hostRoom.isStalled else { return }
    if isLast {
      let key = reportKey(packet, scanned.sender, isResponse: isResponse)
      scanner.noteReport(key, limit: configuration.duplicateFilterSize)
    }
    sendReports(packet, scanned, isResponse: isResponse, data: data, rssi: rssi, isLast: isLast)
  }

  /// Tells the host that the rest of what it has had a part of is lost.
  mutating func reportLoss(_ packet: Advertisement, _ scanned: ScannedAdvertisement, isResponse: Bool) {
    guard scanner.isEnabled else { return }
    var report = extendedReport(packet, scanned, isResponse: isResponse)
    report.eventType.insert(.truncated)
    send(LEExtendedAdvertisingReport(reports: [report]))
  }

  private mutating func sendReports(
    _ packet: Advertisement,
    _ scanned: ScannedAdvertisement,
    isResponse: Bool,
    data: [UInt8],
    rssi: Int8,
    isLast: Bool
  ) {
    // An event has room for 229 bytes beside the rest of a report.
    let pieces = data.chunks(of: 229)
    for (index, piece) in pieces.enumerated() {
      var report = extendedReport(packet, scanned, isResponse: isResponse)
      report.data = piece
      report.rssi = rssi
      if !isLast || index &+ 1 < pieces.count { report.eventType.insert(.incomplete) }
      send(LEExtendedAdvertisingReport(reports: [report]))
    }
  }

  private func extendedReport(
    _ packet: Advertisement,
    _ scanned: ScannedAdvertisement,
    isResponse: Bool
  ) -> LEExtendedAdvertisingReport.Report {
    var type: ExtendedAdvertisingReportType = []
    if packet.isConnectable { type.insert(.connectable) }
    if packet.isScannable { type.insert(.scannable) }
    if packet.target != nil { type.insert(.directed) }
    if isResponse { type.insert(.scanResponse) }
    if packet.isLegacy { type.insert(.legacy) }
    return LEExtendedAdvertisingReport.Report(
      eventType: type,
      address: scanned.sender?.reported,
      primaryPHY: LEPHY(rawValue: packet.primaryPHY.number),
      secondaryPHY: LEPHY(rawValue: packet.secondaryPHY?.number ?? 0),
      advertisingSID: packet.sid,
      txPower: packet.power,
      directAddress: packet.target,
      isDirectAddressUnresolved: scanned.hasUnresolvedTarget
    )
  }
}

extension Advertisement {
  /// The event type that legacy reports give it.
  fileprivate var reportType: AdvertisingReportType {
    if target != nil { return .connectableDirected }
    if isConnectable { return .connectableUndirected }
    return isScannable ? .scannableUndirected : .nonconnectableUndirected
  }
}
