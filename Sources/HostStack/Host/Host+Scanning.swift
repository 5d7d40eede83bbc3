import BluetoothTypes
import RadioPort

// Scans.

extension Host {
  /// Starts a scan next to all others.
  package mutating func startScan(_ request: ScanRequest, now: RadioInstant) -> ScanID {
    let id = ScanID(rawValue: nextNumber())
    guard phase == .on else {
      emit(.scanEnded(id, offFailure))
      return id
    }
    scanner.add(id, request)
    isControlDirty = true
    settle(now)
    return id
  }

  /// Ends a scan.
  package mutating func stopScan(_ id: ScanID, now: RadioInstant) {
    guard scanner.remove(id) else { return }
    isControlDirty = true
    settle(now)
  }

  mutating func scanAnswered(_ step: Scanner.Step, _ answer: CommandAnswer, _ now: RadioInstant) {
    guard let status = scanner.answered(step, answer, &commands) else { return }
    if status == .commandDisallowed, connector.isBusy, turns == nil {
      turns = ExclusiveTurns(connectingSince: now)
      return scanner.hold(true)
    }
    let failure = Self.refusal(status, reason: "the controller refused to scan: \(status); try again")
    for scan in scanner.removeAll() { emit(.scanEnded(scan, failure)) }
  }

  mutating func heard(_ report: LEAdvertisingReport.Report, _ now: RadioInstant) {
    guard !scanner.scans.isEmpty else { return }
    let isScanResponse = report.eventType == .scanResponse
    heard(
      SightingTable.Report(
        address: report.address,
        data: report.data,
        rssi: report.rssi == 127 ? nil : Int(report.rssi),
        isConnectable: isScanResponse ? nil : report.eventType.isConnectable,
        isScanResponse: isScanResponse
      ),
      now
    )
  }

  mutating func heard(_ report: LEExtendedAdvertisingReport.Report, _ now: RadioInstant) {
    // An advertiser without an address can be told from no other, and not be connected to.
    guard !scanner.scans.isEmpty, let address = report.address else { return }
    let (data, isTruncated): ([UInt8], Bool)
    switch scanner.assembler.take(report) {
    case .waiting: return
    case .whole(let whole): (data, isTruncated) = (whole, false)
    case .truncated(let part): (data, isTruncated) = (part, true)
    }
    let isScanResponse = report.eventType.contains(.scanResponse)
    let isLegacy = report.eventType.contains(.legacy)
    let set = isLegacy || report.advertisingSID > 15 ? nil : report.advertisingSID
    // A part takes the place of nothing.
    if isTruncated, scanner.table.knows(resolver.resolve(address.plain), set: set) { return }
    heard(
      SightingTable.Report(
        address: address,
        data: data,
        rssi: report.rssi == 127 ? nil : Int(report.rssi),
        isConnectable: isScanResponse ? nil : report.eventType.contains(.connectable),
        isScanResponse: isScanResponse,
        channel: AdvertisingChannel(
          primaryPHY: RadioPHY(rawValue: report.primaryPHY.rawValue) ?? .le1M,
          secondaryPHY: isLegacy ? nil : RadioPHY(rawValue: report.secondaryPHY.rawValue) ?? .le1M,
          set: set,
          power: report.txPower == 127 ? nil : Int(report.txPower),
          isTruncated: isTruncated
        )
      ),
      now
    )
  }

  private mutating func heard(_ report: SightingTable.Report, _ now: RadioInstant) {
    var report = report
    let onAir = report.address
    // Whoever has resolved it, the device goes by its identity.
    report.address = resolver.resolve(onAir.plain)
    if report.address != onAir.plain {
      report.channel.privateAddress = onAir
      if resolver.note(onAir, of: report.address) {
        connector.setAlias(onAir, of: report.address)
        isControlDirty = true
      }
    }
    let outcome = scanner.table.heard(report, scans: scanner.scans, now: now)
    if let problem = outcome.malformed {
      self.report(.malformedAdvertisement, "what \(report.address) advertises can not be read to its end: \(problem)")
    }
    if let sighting = outcome.sighting { emit(.sighting(sighting, outcome.scans)) }
  }
}
