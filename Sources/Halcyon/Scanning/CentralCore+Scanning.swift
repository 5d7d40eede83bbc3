import BluetoothTypes
import RadioPort

/// A scan that runs, or waits until it is known whether the radio can be used.
struct ActiveScan {
  weak var session: ScanSession?
  let plan: ScanPlan
  var radioScan: ScanID?
  var isStarted = false
  var merger: SightingMerger
  /// What was found, for a scan with a limit, which bounds it.
  var found: Set<PeerID> = []
  var timers: [RadioTimer] = []
  var mergeTimer: RadioTimer?
}

extension CentralCore {
  /// Begins a scan, unless it has begun.
  func begin(_ session: ScanSession) {
    guard session.scanNumber == nil else { return }
    scanCount &+= 1
    let id = scanCount
    session.scanNumber = id
    let plan = session.plan
    var scan = ActiveScan(
      session: session,
      plan: plan,
      merger: SightingMerger(capacity: plan.capacity)
    )
    if let duration = plan.duration {
      scan.timers.append(schedule(after: duration) { $0.finishScan(id, nil) })
    }
    if let timeout = plan.timeout {
      scan.timers.append(
        schedule(after: timeout) { core in
          core.finishScan(id, core.scanError(.timedOut, detail: .time(timeout)))
        }
      )
    }
    scans[id] = scan
    if let limit = plan.limit, limit <= 0 {
      finishScan(id, nil)
    } else {
      startAtRadio(id)
    }
  }

  /// Ends a scan whose reader has gone.
  func endScan(_ id: UInt64) {
    guard let scan = scans.removeValue(forKey: id) else { return }
    for timer in scan.timers { executor.cancel(timer) }
    if let timer = scan.mergeTimer { executor.cancel(timer) }
    if let radioScan = scan.radioScan { access.stopScan(radioScan) }
    log(.debug, "scan \(id) has stopped")
  }

  private func schedule(
    after duration: Duration,
    _ work: @escaping @Sendable (isolated CentralCore) -> Void
  ) -> RadioTimer {
    executor.schedule(at: executor.now.advanced(by: duration)) { [weak self] in
      self?.assumeIsolated { work($0) }
    }
  }

  /// Ends a scan for its reader, normally or with an error.
  private func finishScan(_ id: UInt64, _ error: BluetoothError?) {
    report(heldBackBy: id, at: nil)
    guard let session = scans[id]?.session else { return endScan(id) }
    endScan(id)
    session.mailbox.finish(error)
  }

  func stopAllScans() {
    for id in scans.keys.sorted() { finishScan(id, nil) }
  }

  func startWaitingScans() {
    for id in scans.keys.sorted() where scans[id]?.isStarted == false { startAtRadio(id) }
  }

  private func startAtRadio(_ id: UInt64) {
    guard let plan = scans[id]?.plan else { return }
    let state = currentState
    switch state.power {
    case .unknown: return
    case .poweredOn, .resetting: break
    default: return finishScan(id, Self.error(for: state, .scan, configuration.language))
    }
    scans[id]?.isStarted = true
    log(.debug, "scan \(id) starts")
    let request = ScanRequest(services: plan.services.map(\.uuid), allowsDuplicates: plan.duplicates == .all)
    let radioScan = access.startScan(request) { [weak self] sighting in
      self?.assumeIsolated { $0.heard(sighting, by: id) }
    } ended: { [weak self] failure in
      self?.assumeIsolated { $0.scanEnded(id, failure) }
    }
    // The scan may have ended, or have found enough, before the radio returned.
    if scans[id] == nil { access.stopScan(radioScan) } else { scans[id]?.radioScan = radioScan }
  }

  private func scanEnded(_ id: UInt64, _ failure: RadioFailure) {
    scans[id]?.radioScan = nil
    finishScan(id, scanError(BluetoothError.kind(of: failure), underlying: failure))
  }

  private func scanError(
    _ kind: BluetoothError.Kind,
    underlying: RadioFailure? = nil,
    detail: BluetoothError.Detail? = nil
  ) -> BluetoothError {
    BluetoothError(kind, .scan, underlying: underlying, detail: detail, language: configuration.language)
  }

  // MARK: What is heard

  private func heard(_ sighting: Sighting, by id: UInt64) {
    guard let plan = scans[id]?.plan else { return }
    guard plan.duplicates == .merge else { return report(sighting, by: id) }
    if scans[id]?.merger.add(sighting) == true { report(sighting, by: id) }
    if let early = scans[id]?.merger.takeOverdue() { report(early, by: id) }
    armMergeTimer(id)
  }

  private func armMergeTimer(_ id: UInt64) {
    guard scans[id]?.mergeTimer == nil, let deadline = scans[id]?.merger.deadline else { return }
    scans[id]?.mergeTimer = executor.schedule(at: deadline) { [weak self] in
      self?.assumeIsolated { core in
        core.scans[id]?.mergeTimer = nil
        core.report(heldBackBy: id, at: core.executor.now)
        core.armMergeTimer(id)
      }
    }
  }

  private func report(heldBackBy id: UInt64, at now: RadioInstant?) {
    for sighting in scans[id]?.merger.due(at: now) ?? [] { report(sighting, by: id) }
  }

  private func report(_ sighting: Sighting, by id: UInt64) {
    guard let scan = scans[id], let session = scan.session else { return }
    let peripheral = peripheralCore(sighting.peer)
    peripheral.assumeIsolated { $0.heard(sighting) }
    let discovery = Discovery(
      peripheral: peripheral.handle,
      advertisement: sighting.advertisement,
      rssi: sighting.rssi,
      isConnectable: sighting.isConnectable,
      seenAt: sighting.time
    )
    guard scan.plan.filter.matches(discovery) else { return }
    var isLast = false
    if let limit = scan.plan.limit, !scan.found.contains(sighting.peer) {
      guard scan.found.count < limit else { return }
      scans[id]?.found.insert(sighting.peer)
      isLast = scan.found.count + 1 >= limit
    }
    session.mailbox.send(discovery, about: scan.plan.duplicates == .merge ? sighting.peer : nil)
    if isLast { finishScan(id, nil) }
  }
}
