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
    let outcome = scanner.table.heard(
      SightingTable.Report(
        address: report.address,
        data: report.data,
        rssi: report.rssi == 127 ? nil : Int(report.rssi),
        isConnectable: isScanResponse ? nil : report.eventType.isConnectable,
        isScanResponse: isScanResponse
      ),
      scans: scanner.scans,
      now: now
    )
    if let problem = outcome.malformed {
      self.report(.malformedAdvertisement, "what \(report.address) advertises can not be read to its end: \(problem)")
    }
    if let sighting = outcome.sighting { emit(.sighting(sighting, outcome.scans)) }
  }
}
