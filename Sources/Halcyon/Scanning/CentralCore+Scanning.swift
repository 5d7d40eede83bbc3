import BluetoothTypes
import RadioPort

/// A scan that runs, or waits until it is known whether the radio can be used.
struct ActiveScan {
  weak var session: (any ScanReader)?
  let plan: ScanPlan
  var radioScan: ScanID?
  var isStarted = false
  var gate: SightingGate
  /// What was found, for a scan with a limit, which bounds it.
  var found: Set<PeerID> = []
  var timers: [RadioTimer] = []
  var gateTimer: RadioTimer?
  /// Bounds how long it waits until Bluetooth is on again.
  var outageTimer: RadioTimer?
}

extension CentralCore {
  /// Begins a scan, unless it has begun.
  func begin(_ session: any ScanReader) {
    guard session.scanNumber == nil else { return }
    scanCount &+= 1
    let id = scanCount
    session.scanNumber = id
    let plan = session.plan
    var scan = ActiveScan(
      session: session,
      plan: plan,
      gate: SightingGate(plan.duplicates, capacity: plan.capacity)
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
    if let timer = scan.gateTimer { executor.cancel(timer) }
    if let timer = scan.outageTimer { executor.cancel(timer) }
    if let radioScan = scan.radioScan { access.stopScan(radioScan) }
    log(.info, .scanning, "scan \(id) has stopped", "扫描 \(id) 已停止")
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
    session.finish(error)
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
    case .poweredOn: break
    case .poweredOff where configuration.whenOff.waits, .resetting where configuration.whenOff.waits:
      return boundOutage(of: id)
    // The radio fails with the reason, or is back by then.
    case .resetting: break
    default: return finishScan(id, Self.error(for: state, .scan, configuration.language))
    }
    scans[id]?.isStarted = true
    if let timer = scans[id]?.outageTimer { executor.cancel(timer) }
    scans[id]?.outageTimer = nil
    log(.info, .scanning, "scan \(id) starts", "扫描 \(id) 开始")
    let request = ScanRequest(services: plan.services.map(\.uuid), allowsDuplicates: plan.duplicates != .merge)
    let radioScan = access.startScan(request) { [weak self] sighting in
      self?.assumeIsolated { $0.heard(sighting, by: id) }
    } ended: { [weak self] failure in
      self?.assumeIsolated { $0.scanEnded(id, failure) }
    }
    // The scan may have ended, or have found enough, before the radio returned.
    if scans[id] == nil { access.stopScan(radioScan) } else { scans[id]?.radioScan = radioScan }
  }

  /// Bounds how long a scan waits until Bluetooth is on.
  private func boundOutage(of id: UInt64) {
    guard scans[id]?.outageTimer == nil, let bound = configuration.whenOff.bound else { return }
    scans[id]?.outageTimer = schedule(after: bound) { core in
      core.scans[id]?.outageTimer = nil
      core.finishScan(id, Self.error(for: core.currentState, .scan, core.configuration.language))
    }
  }

  private func scanEnded(_ id: UInt64, _ failure: RadioFailure) {
    scans[id]?.radioScan = nil
    if failure.kind == .poweredOff, configuration.whenOff.waits {
      log(
        .info,
        .scanning,
        "scan \(id) waits until Bluetooth is on again",
        "扫描 \(id) 正在等待蓝牙重新打开"
      )
      scans[id]?.isStarted = false
      // Where the radio tells of its state later, that begins the wait.
      if currentState.power != .poweredOn { startAtRadio(id) }
      return
    }
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
    // Each sighting counts for what is known of the device, whether or not it is told.
    if scans[id] != nil { peripheralIfHeld(sighting.peer)?.assumeIsolated { $0.heard(sighting) } }
    if scans[id]?.gate.add(sighting, at: executor.now) == true { report(sighting, by: id) }
    if let early = scans[id]?.gate.takeOverdue() { report(early, by: id) }
    armGateTimer(id)
  }

  private func armGateTimer(_ id: UInt64) {
    guard scans[id]?.gateTimer == nil, let deadline = scans[id]?.gate.deadline else { return }
    scans[id]?.gateTimer = executor.schedule(at: deadline) { [weak self] in
      self?.assumeIsolated { core in
        core.scans[id]?.gateTimer = nil
        core.report(heldBackBy: id, at: core.executor.now)
        core.armGateTimer(id)
      }
    }
  }

  private func report(heldBackBy id: UInt64, at now: RadioInstant?) {
    for sighting in scans[id]?.gate.due(at: now) ?? [] { report(sighting, by: id) }
  }

  private func report(_ sighting: Sighting, by id: UInt64) {
    guard let scan = scans[id], let session = scan.session else { return }
    let peripheral = peripheralCore(sighting.peer)
    if peripheral.facts.advertisement == nil { peripheral.assumeIsolated { $0.heard(sighting) } }
    let discovery = Discovery(
      peripheral: peripheral.handle,
      advertisement: sighting.advertisement,
      rssi: sighting.rssi,
      smoothedRSSI: peripheral.facts.smoothedRSSI.value,
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
    session.take(discovery)
    if isLast { finishScan(id, nil) }
  }
}
