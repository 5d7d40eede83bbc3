import BluetoothTypes
import RadioPort

/// Keeps the controller scanning as all scans together ask, by extended commands where it has them
/// (Core 5.4, Vol 4, Part E, 7.8.10, 7.8.11, 7.8.64 and 7.8.65).
package struct Scanner: Sendable {
  /// The commands that the scanner sends.
  package enum Step: Sendable {
    case parameters
    case enable
    case disable
  }

  /// What the controller is to do.
  private struct Goal: Equatable {
    var isActive: Bool
    var phys: LEPHYs
    var isExtended: Bool
  }

  private enum Phase: Equatable {
    case off
    case on(Goal)
    /// The answer to a command is awaited, which is about this.
    case changing(Goal?)
  }

  /// What the controller is told of the times to listen.
  package struct Timing: Sendable {
    /// From the beginning of one window to the next, in units of 0.625 ms.
    package var interval: UInt16 = 0x0060
    /// How long to listen, in units of 0.625 ms.
    package var window: UInt16 = 0x0030
    package init() {}
  }

  /// The scans that go on.
  package private(set) var scans: [(id: ScanID, request: ScanRequest)] = []
  /// What each scan was told.
  package var table = SightingTable()
  /// What is reported in pieces.
  package var assembler = ReportAssembler()
  /// Whether the scan is held back while the controller makes a connection, as it can not do both.
  package private(set) var isHeld = false
  /// Where to listen without being asked by a scan; `nil` for nowhere.
  private var background: LEPHYs?
  /// Whether the controller refused to, so that it is not asked for ever.
  private var isBackgroundRefused = false

  private var phase = Phase.off
  private let timing: Timing

  package init(timing: Timing = Timing()) { self.timing = timing }

  /// Whether the controller scans, or will shortly.
  package var isActiveInController: Bool { phase != .off }

  /// Whether the controller is to scan as soon as it may.
  package var isWanted: Bool { !scans.isEmpty || background != nil && !isBackgroundRefused }

  private func goal(_ info: ControllerInfo) -> Goal? {
    guard isWanted, !isHeld else { return nil }
    let isActive = scans.contains { $0.request.isActive }
    guard info.hasExtendedAdvertising else { return Goal(isActive: isActive, phys: .le1M, isExtended: false) }
    let phys = scans.reduce(background ?? []) { $0.union(info.primaryPHYs($1.request.phys)) }
    return Goal(isActive: isActive, phys: phys, isExtended: true)
  }

  // MARK: Scans

  package mutating func add(_ id: ScanID, _ request: ScanRequest) {
    if scans.isEmpty { table.removeAll() }
    scans.append((id, request))
  }

  /// Ends a scan; whether there was one.
  @discardableResult
  package mutating func remove(_ id: ScanID) -> Bool {
    guard let index = scans.firstIndex(where: { $0.id == id }) else { return false }
    scans.remove(at: index)
    table.forget(id)
    return true
  }

  /// Ends all scans and forgets what the controller does.
  package mutating func removeAll() -> [ScanID] {
    defer { self = Scanner(timing: timing) }
    return scans.map(\.id)
  }

  /// The controller refuses to scan: ends all scans, and asks for none of its own until that is wanted anew.
  package mutating func refused() -> [ScanID] {
    let background = background
    let ended = removeAll()
    self.background = background
    isBackgroundRefused = background != nil
    return ended
  }

  /// Listens on these PHYs from now on, passively, also when no scan goes on; `nil` for only what scans ask for.
  package mutating func listen(on phys: LEPHYs?) {
    if phys == nil { isBackgroundRefused = false }
    background = phys
  }

  /// Holds the scan back, or lets it go on.
  package mutating func hold(_ isHeld: Bool) { self.isHeld = isHeld }

  // MARK: Controller

  /// Sends what brings the controller to where the scans want it.
  package mutating func update(_ commands: inout CommandQueue<CommandPurpose>, _ info: ControllerInfo) {
    switch (phase, goal(info)) {
    case (.off, let goal?):
      phase = .changing(goal)
      sendParameters(goal, &commands, info)
    case (.on(let current), let goal) where goal != current:
      phase = .changing(nil)
      if current.isExtended {
        commands.enqueue(LESetExtendedScanEnable(enable: false), .scan(.disable))
      } else {
        commands.enqueue(LESetScanEnable(leScanEnable: false, filterDuplicates: false), .scan(.disable))
      }
    default: break
    }
  }

  private func sendParameters(
    _ goal: Goal,
    _ commands: inout CommandQueue<CommandPurpose>,
    _ info: ControllerInfo
  ) {
    let type: LEScanType = goal.isActive ? .active : .passive
    if goal.isExtended {
      let block = LESetExtendedScanParameters.Parameters(
        scanType: type,
        scanInterval: timing.interval,
        scanWindow: timing.window
      )
      commands.enqueue(
        LESetExtendedScanParameters(
          ownAddressType: info.ownAddressType,
          scanningFilterPolicy: .all,
          scanningPHYs: goal.phys,
          parameters: Array(repeating: block, count: goal.phys.count)
        ),
        .scan(.parameters)
      )
    } else {
      commands.enqueue(
        LESetScanParameters(
          leScanType: type,
          leScanInterval: timing.interval,
          leScanWindow: timing.window,
          ownAddressType: info.ownAddressType,
          scanningFilterPolicy: .all
        ),
        .scan(.parameters)
      )
    }
  }

  /// The controller has ended the scan by itself, which it was not asked for.
  package mutating func ended() { if case .on = phase { phase = .off } }

  /// A command was answered. Returns the controller's refusal if the scan could not start.
  package mutating func answered(
    _ step: Step,
    _ answer: CommandAnswer,
    _ commands: inout CommandQueue<CommandPurpose>
  ) -> HCIStatus? {
    guard case .changing(let goal) = phase else { return nil }
    switch step {
    case .parameters:
      guard answer.status == .success else {
        phase = .off
        return answer.status
      }
      // Duplicates are not filtered by the controller: its filter hides changes of the content and of the strength.
      if goal?.isExtended ?? false {
        commands.enqueue(LESetExtendedScanEnable(enable: true, filterDuplicates: .off), .scan(.enable))
      } else {
        commands.enqueue(LESetScanEnable(leScanEnable: true, filterDuplicates: false), .scan(.enable))
      }
    case .enable:
      assembler.removeAll()
      phase = answer.status == .success ? goal.map { .on($0) } ?? .off : .off
      return answer.status == .success ? nil : answer.status
    case .disable:
      // A refusal means that it did not scan.
      phase = .off
    }
    return nil
  }
}

extension ControllerInfo {
  /// Where to listen for advertisers, of the PHYs that are wished for: 1M if none of them is there.
  package func primaryPHYs(_ wished: Set<RadioPHY>) -> LEPHYs {
    var phys: LEPHYs = []
    if wished.contains(.le1M) { phys.insert(.le1M) }
    if wished.contains(.leCoded), hasExtendedAdvertising, leFeatures.contains(.leCoded) { phys.insert(.leCoded) }
    return phys.isEmpty ? .le1M : phys
  }
}

extension ScanRequest {
  /// Whether it is to hear of what was advertised in this way.
  func includes(_ channel: AdvertisingChannel) -> Bool {
    (includesExtended || !channel.isExtended)
      && (channel.primaryPHY == .leCoded ? phys.contains(.leCoded) : phys.contains(.le1M) || !phys.contains(.leCoded))
  }
}
