import BluetoothTypes
import RadioPort

/// Makes the links that are wanted (Core 5.4, Vol 3, Part C, 9.3). A controller looks for peers with one command at a
/// time: several are looked for together by its filter accept list, or in turns where the list is too short.
package struct Connector: Sendable {
  /// The commands that the connector sends.
  package enum Step: Sendable {
    case clearList
    case addToList(BluetoothAddress)
    case create
    case cancel
  }

  /// What came of the controller's looking.
  package enum Outcome: Equatable, Sendable {
    case none
    /// The link is wanted, with these options.
    case connected(LinkOptions)
    /// A link came up that nobody wants any more.
    case unwanted
    /// No link to these will come up.
    case failed([BluetoothAddress], HCIStatus)
    /// The controller does not look for peers now; it may when it does not scan.
    case disallowed
  }

  private struct Wish: Sendable {
    let address: BluetoothAddress
    let options: LinkOptions
    /// Where to look for it.
    let phys: LEPHYs
  }

  private enum Phase: Sendable {
    case idle
    /// The accept list is filled; so many answers are awaited.
    case listing(batch: [BluetoothAddress], open: Int)
    /// The command was sent and not accepted yet.
    case creating(batch: [BluetoothAddress])
    /// The controller looks; since when.
    case initiating(batch: [BluetoothAddress], since: RadioInstant)
    /// The controller was told to stop; until when its sign is awaited.
    case cancelling(batch: [BluetoothAddress], deadline: RadioInstant)
  }

  /// How long the peers of one batch are looked for when others wait.
  static let slice = Duration.seconds(4)
  /// How long a controller may take to end its looking.
  static let cancelBound = Duration.seconds(5)

  private var wishes: [Wish] = []
  private var phase = Phase.idle
  /// Peers to which a link still exists; a new one is made when that is gone.
  private var blocked: Set<BluetoothAddress> = []
  /// How many peers the accept list was found to hold where that is less than what the controller announced.
  private var foundLimit = Int.max
  /// The private addresses with which devices are to be found now, by their identities.
  private var aliases: [BluetoothAddress: BluetoothAddress] = [:]
  /// Whether the controller looks for an address that is not in use any more.
  private var isStale = false
  /// Whether looking is held back while the controller scans, as it can not do both.
  package private(set) var isHeld = false

  package init() {}

  /// Whether a link is wanted.
  package var hasWishes: Bool { !wishes.isEmpty }

  /// Whether the controller looks or is about to, or has yet to stop.
  package var isBusy: Bool { if case .idle = phase { false } else { true } }

  package func wants(_ address: BluetoothAddress) -> Bool { wishes.contains { $0.address == address } }

  // MARK: Wishes

  /// A link is wanted.
  package mutating func add(_ address: BluetoothAddress, _ options: LinkOptions, on phys: LEPHYs = .le1M) {
    guard !wants(address) else { return }
    wishes.append(Wish(address: address, options: options, phys: phys))
  }

  /// A device is to be found by this address from now on: a private one, or its own again.
  package mutating func setAlias(_ alias: BluetoothAddress, of address: BluetoothAddress) {
    guard aliases[address] ?? address != alias else { return }
    aliases[address] = alias == address ? nil : alias
    if wants(address) { isStale = true }
  }

  /// Whose links are wanted.
  package var wished: [BluetoothAddress] { wishes.map(\.address) }

  /// Where those of the waiting are to be listened for whose private addresses only the host resolves; `nil` if there
  /// are none.
  package func phys(ofHidden isHidden: (BluetoothAddress) -> Bool) -> LEPHYs? {
    let hidden = wishes.filter { !blocked.contains($0.address) && isHidden($0.address) }
    return hidden.isEmpty ? nil : hidden.reduce(LEPHYs()) { $0.union($1.phys) }
  }

  /// A link is not wanted any more.
  package mutating func remove(_ address: BluetoothAddress) { wishes.removeAll { $0.address == address } }

  /// A link to this peer exists.
  package mutating func block(_ address: BluetoothAddress) { blocked.insert(address) }

  /// The link to this peer is gone.
  package mutating func unblock(_ address: BluetoothAddress) { blocked.remove(address) }

  /// Holds looking back, or lets it go on.
  package mutating func hold(_ isHeld: Bool) { self.isHeld = isHeld }

  // MARK: Controller

  private func candidates() -> [Wish] { isHeld ? [] : wishes.filter { !blocked.contains($0.address) } }

  /// Sends what brings the controller to look for those that are wanted.
  package mutating func update(
    _ commands: inout CommandQueue<CommandPurpose>,
    _ info: ControllerInfo,
    now: RadioInstant
  ) {
    switch phase {
    case .idle: start(&commands, info)
    case .initiating(let batch, let since):
      guard isStale || !isRight(batch, info, since, now) else { return }
      phase = .cancelling(batch: batch, deadline: now.advanced(by: Self.cancelBound))
      commands.enqueue(LECreateConnectionCancel(), .connect(.cancel))
    case .cancelling(_, let deadline):
      guard deadline <= now else { return }
      phase = .idle
      start(&commands, info)
    case .listing, .creating: break
    }
  }

  /// Whether the controller looks for those it should look for.
  private func isRight(
    _ batch: [BluetoothAddress],
    _ info: ControllerInfo,
    _ since: RadioInstant,
    _ now: RadioInstant
  ) -> Bool {
    let candidates = candidates().map(\.address)
    guard batch.allSatisfy(candidates.contains) else { return false }
    guard candidates.count > batch.count else { return true }
    return batch.count >= batchLimit(info) && now < since.advanced(by: Self.slice)
  }

  private func batchLimit(_ info: ControllerInfo) -> Int { max(1, min(info.acceptListSize, foundLimit)) }

  private mutating func start(_ commands: inout CommandQueue<CommandPurpose>, _ info: ControllerInfo) {
    let candidates = candidates()
    isStale = false
    guard let first = candidates.first else { return }
    let batch = candidates.prefix(batchLimit(info)).map(\.address)
    guard batch.count > 1 else {
      phase = .creating(batch: [first.address])
      sendCreate([first], info, peer: first.address, &commands)
      return
    }
    phase = .listing(batch: batch, open: batch.count + 1)
    commands.enqueue(LEClearFilterAcceptList(), .connect(.clearList))
    for address in batch {
      // The list knows public and random only; an identity address is one or the other.
      commands.enqueue(
        LEAddDeviceToFilterAcceptList(address: (aliases[address] ?? address).plain),
        .connect(.addToList(address))
      )
    }
  }

  /// Has the controller look for a peer, or for those in its list, as the first of `wishes` wants it.
  private func sendCreate(
    _ wishes: [Wish],
    _ info: ControllerInfo,
    peer: BluetoothAddress?,
    _ commands: inout CommandQueue<CommandPurpose>
  ) {
    let parameters = ConnectionParameters(wishes.first?.options ?? LinkOptions())
    let policy: InitiatorFilterPolicy = peer == nil ? .filterAcceptList : .peerAddress
    let address = peer.map { aliases[$0] ?? $0 } ?? BluetoothAddress(0, .public)
    guard info.hasExtendedAdvertising else {
      commands.enqueue(
        LECreateConnection(
          leScanInterval: 0x0060,
          leScanWindow: 0x0060,
          initiatorFilterPolicy: policy,
          peerAddress: address,
          ownAddressType: info.ownAddressType,
          connectionIntervalMin: parameters.intervalMin,
          connectionIntervalMax: parameters.intervalMax,
          maxLatency: parameters.latency,
          supervisionTimeout: parameters.timeout,
          minCELength: 0,
          maxCELength: 0
        ),
        .connect(.create)
      )
      return
    }
    var phys = wishes.reduce(LEPHYs()) { $0.union($1.phys) }
    let listens = phys.count
    // Where the advertisement itself is on 2M, the link begins there.
    if info.leFeatures.contains(.le2M) { phys.insert(.le2M) }
    let block = LEExtendedCreateConnection.Parameters(
      scanInterval: 0x0060,
      // With two PHYs to listen to, each has half of the time.
      scanWindow: listens > 1 ? 0x0030 : 0x0060,
      connectionIntervalMin: parameters.intervalMin,
      connectionIntervalMax: parameters.intervalMax,
      maxLatency: parameters.latency,
      supervisionTimeout: parameters.timeout
    )
    commands.enqueue(
      LEExtendedCreateConnection(
        initiatorFilterPolicy: policy,
        ownAddressType: info.ownAddressType,
        peerAddress: address,
        initiatingPHYs: phys,
        parameters: Array(repeating: block, count: phys.count)
      ),
      .connect(.create)
    )
  }

  /// A command was answered.
  package mutating func answered(
    _ step: Step,
    _ answer: CommandAnswer,
    _ commands: inout CommandQueue<CommandPurpose>,
    _ info: ControllerInfo,
    now: RadioInstant
  ) -> Outcome {
    switch (step, phase) {
    case (.clearList, .listing(let batch, let open)):
      if answer.status != .success {
        // With what is left in it the list is of no use: peers are looked for by their address, in turns.
        foundLimit = 1
      }
      phase = .listing(batch: answer.status == .success ? batch : [], open: open - 1)
    case (.addToList(let address), .listing(var batch, let open)):
      // What the list has no room for waits for its turn. That is remembered, or the list would be filled anew for ever.
      if answer.status != .success {
        batch.removeAll { $0 == address }
        foundLimit = max(1, min(foundLimit, batch.count))
      }
      phase = .listing(batch: batch, open: open - 1)
      if open == 1 { createByList(batch, &commands, info) }
    case (.create, .creating(let batch)):
      if answer.status == .success {
        phase = .initiating(batch: batch, since: now)
        return .none
      }
      phase = .idle
      if answer.status == .commandDisallowed { return .disallowed }
      return fail(batch, answer.status)
    case (.cancel, .cancelling(let batch, _)):
      // Refused, as nothing is looked for: a link came up before, and its event was or will be told.
      if answer.status != .success { becomeIdle(after: batch) }
    default: break
    }
    return .none
  }

  private mutating func createByList(
    _ batch: [BluetoothAddress],
    _ commands: inout CommandQueue<CommandPurpose>,
    _ info: ControllerInfo
  ) {
    let wish = wishes.first { batch.contains($0.address) } ?? candidates().first
    guard let wish else {
      phase = .idle
      return
    }
    phase = .creating(batch: batch.isEmpty ? [wish.address] : batch)
    let others = wishes.filter { batch.contains($0.address) && $0.address != wish.address }
    sendCreate([wish] + others, info, peer: batch.isEmpty ? wish.address : nil, &commands)
  }

  /// The controller has ended its looking: a link came up, or not.
  package mutating func completed(_ status: HCIStatus, _ peer: BluetoothAddress) -> Outcome {
    // The late end of an attempt that was given up; the next, just begun, goes on.
    if case .creating = phase, status == .unknownConnectionIdentifier { return .none }
    let batch: [BluetoothAddress]
    var wasCancelling = false
    switch phase {
    case .idle: batch = []
    case .listing(let peers, _), .creating(let peers), .initiating(let peers, _): batch = peers
    case .cancelling(let peers, _):
      batch = peers
      wasCancelling = true
    }
    // A link that comes up while the next attempt is prepared is late; the attempt goes on.
    if case .listing = phase {} else { becomeIdle(after: batch) }
    if status == .success {
      guard let wish = wishes.first(where: { $0.address == peer }) else { return .unwanted }
      remove(peer)
      return .connected(wish.options)
    }
    if wasCancelling { return .none }
    return fail(wants(peer) ? [peer] : batch, status)
  }

  private mutating func becomeIdle(after batch: [BluetoothAddress]) {
    phase = .idle
    // Who was looked for goes behind who waited.
    let rest = wishes.filter { !batch.contains($0.address) }
    if !rest.isEmpty { wishes = rest + wishes.filter { batch.contains($0.address) } }
  }

  private mutating func fail(_ batch: [BluetoothAddress], _ status: HCIStatus) -> Outcome {
    let lost = wishes.map(\.address).filter(batch.contains)
    wishes.removeAll { batch.contains($0.address) }
    return lost.isEmpty ? .none : .failed(lost, status)
  }

  /// These will not be connected, as the controller refuses in every way.
  package mutating func failAll(_ status: HCIStatus) -> Outcome { fail(wishes.map(\.address), status) }

  // MARK: Time

  /// When the turn ends, or the wait for the controller.
  package func deadline(_ info: ControllerInfo) -> RadioInstant? {
    switch phase {
    case .cancelling(_, let deadline): deadline
    case .initiating(let batch, let since):
      candidates().count > batch.count ? since.advanced(by: Self.slice) : nil
    default: nil
    }
  }
}
