import BluetoothTypes
import RadioPort

/// Keeps the controller scanning as all scans together ask (Core 5.4, Vol 4, Part E, 7.8.10 and 7.8.11).
package struct Scanner: Sendable {
  /// The commands that the scanner sends.
  package enum Step: Sendable {
    case parameters
    case enable
    case disable
  }

  private enum Phase: Equatable {
    case off
    case on(isActive: Bool)
    /// The answer to a command is awaited; `isActive` says what it is about.
    case changing(isActive: Bool)
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
  /// Whether the scan is held back while the controller makes a connection, as it can not do both.
  package private(set) var isHeld = false

  private var phase = Phase.off
  private let timing: Timing

  package init(timing: Timing = Timing()) { self.timing = timing }

  /// Whether the controller scans, or will shortly.
  package var isActiveInController: Bool { phase != .off }

  private var wanted: Bool? {
    guard !scans.isEmpty, !isHeld else { return nil }
    return scans.contains { $0.request.isActive }
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

  /// Holds the scan back, or lets it go on.
  package mutating func hold(_ isHeld: Bool) { self.isHeld = isHeld }

  // MARK: Controller

  /// Sends what brings the controller to where the scans want it.
  package mutating func update(_ commands: inout CommandQueue<CommandPurpose>, _ info: ControllerInfo) {
    switch (phase, wanted) {
    case (.off, let isActive?):
      phase = .changing(isActive: isActive)
      commands.enqueue(
        LESetScanParameters(
          leScanType: isActive ? .active : .passive,
          leScanInterval: timing.interval,
          leScanWindow: timing.window,
          ownAddressType: info.ownAddressType,
          scanningFilterPolicy: .all
        ),
        .scan(.parameters)
      )
    case (.on, nil): disable(&commands)
    case (.on(let isActive), let wanted?) where isActive != wanted: disable(&commands)
    default: break
    }
  }

  private mutating func disable(_ commands: inout CommandQueue<CommandPurpose>) {
    phase = .changing(isActive: false)
    commands.enqueue(LESetScanEnable(leScanEnable: false, filterDuplicates: false), .scan(.disable))
  }

  /// A command was answered. Returns the controller's refusal if the scan could not start.
  package mutating func answered(
    _ step: Step,
    _ answer: CommandAnswer,
    _ commands: inout CommandQueue<CommandPurpose>
  ) -> HCIStatus? {
    guard case .changing(let isActive) = phase else { return nil }
    switch step {
    case .parameters:
      guard answer.status == .success else {
        phase = .off
        return answer.status
      }
      // Duplicates are not filtered by the controller: its filter hides changes of the content and of the strength.
      commands.enqueue(LESetScanEnable(leScanEnable: true, filterDuplicates: false), .scan(.enable))
    case .enable:
      phase = answer.status == .success ? .on(isActive: isActive) : .off
      return answer.status == .success ? nil : answer.status
    case .disable:
      // A refusal means that it did not scan.
      phase = .off
    }
    return nil
  }
}
