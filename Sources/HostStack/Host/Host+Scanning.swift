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
    if scanner.scans.isEmpty { report(.refusedCommand, "to listen for devices that wait to be connected: \(status)") }
    for scan in scanner.refused() { emit(.scanEnded(scan, failure)) }
  }

  mutating func heard(_ report: LEAdvertisingReport.Report, _ now: RadioInstant) {
    guard scanner.isWanted else { return }
    let isScanResponse = report.eventType == .scanResponse
    heard(
      SightingTable.Report(
        address: report.address,
        data: report.data,
        rssi: report.rssi == 127 ? nil : Int(report.rssi),
        isConnectable: isScanResponse ? nil : report.eventType.isConnectable,
        isScanResponse: isScanResponse,
        channel: AdvertisingChannel(isDirected: report.eventType == .connectableDirected)
      ),
      now
    )
  }

  mutating func heard(_ report: LEExtendedAdvertisingReport.Report, _ now: RadioInstant) {
    guard scanner.isWanted else { return }
    let (data, isTruncated): ([UInt8], Bool)
    switch scanner.assembler.take(report) {
    case .waiting: return
    case .whole(let whole): (data, isTruncated) = (whole, false)
    case .truncated(let part): (data, isTruncated) = (part, true)
    }
    let isScanResponse = report.eventType.contains(.scanResponse)
    let isLegacy = report.eventType.contains(.legacy)
    let set = isLegacy || report.advertisingSID > 15 ? nil : report.advertisingSID
    // A part takes the place of nothing, and of somebody without an address nothing says whose part it is.
    if isTruncated, report.address.map({ scanner.table.knows(resolver.resolve($0.plain), set: set) }) ?? true { return }
    heard(
      SightingTable.Report(
        address: report.address,
        data: data,
        rssi: report.rssi == 127 ? nil : Int(report.rssi),
        isConnectable: isScanResponse ? nil : report.address != nil && report.eventType.contains(.connectable),
        isScanResponse: isScanResponse,
        channel: AdvertisingChannel(
          primaryPHY: RadioPHY(rawValue: report.primaryPHY.rawValue) ?? .le1M,
          secondaryPHY: isLegacy ? nil : RadioPHY(rawValue: report.secondaryPHY.rawValue) ?? .le1M,
          set: set,
          power: report.txPower == 127 ? nil : Int(report.txPower),
          isTruncated: isTruncated,
          isAnonymous: report.address == nil,
          isDirected: report.eventType.contains(.directed)
        )
      ),
      now
    )
  }

  private mutating func heard(_ report: SightingTable.Report, _ now: RadioInstant) {
    var report = report
    if let onAir = report.address {
      // Whoever has resolved it, the device goes by its identity.
      let identity = resolver.resolve(onAir.plain)
      report.address = identity
      if identity != onAir.plain {
        report.channel.privateAddress = onAir
        if resolver.note(onAir, of: identity), !resolution.resolves(identity) {
          connector.setAlias(onAir, of: identity)
          isControlDirty = true
        }
      }
    }
    guard !scanner.scans.isEmpty else { return }
    let outcome = scanner.table.heard(report, scans: scanner.scans, now: now)
    if let problem = outcome.malformed {
      self.report(
        .malformedAdvertisement,
        "what \(report.address?.description ?? "somebody without an address") advertises can not be read to its end: \(problem)"
      )
    }
    if let sighting = outcome.sighting { emit(.sighting(sighting, outcome.scans)) }
  }
}
