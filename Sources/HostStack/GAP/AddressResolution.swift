import BluetoothTypes

/// Keeps the controller's resolving list as the host's keys are (Core 5.4, Vol 4, Part E, 7.8.38 to 7.8.44 and 7.8.77).
///
/// The list must not change while the controller advertises, scans or looks for peers by it, so it changes in a pause of
/// all that: the owner makes one as long as ``needsPause(_:)`` says so.
package struct AddressResolution: Sendable {
  /// The commands that are sent.
  package enum Step: Hashable, Sendable {
    case remove(BluetoothAddress)
    case clear
    case add(KnownIdentity)
    case setMode(BluetoothAddress)
    case enable
  }

  /// What comes of an answer.
  package enum Outcome: Sendable {
    case none
    /// The controller did not take this; the host resolves what the controller does not.
    case refused
  }

  /// What is to be in the list as far as there is room, the most important first.
  private var wanted: [KnownIdentity]
  /// What is in the list.
  private var listed: [KnownIdentity] = []
  /// What is in the list with the mode that it has at first.
  private var hasNoMode: [BluetoothAddress] = []
  /// What the controller did not take, and how many it took where that is less than it announced.
  private var refused: Set<KnownIdentity> = []
  private var foundLimit = Int.max
  /// Whether to go on from an empty list, as an entry could not be taken out.
  private var needsClearing = false
  private var isEnabled = false
  private var isEnablingRefused = false
  /// Whether nothing is left to do, as far as was looked.
  private var isSettled = false
  /// The step whose answer is awaited.
  private var open: Step?
  private let ownKey: IdentityKey?

  /// - Parameters:
  ///   - identities: The devices whose private addresses are to be resolved.
  ///   - ownKey: Makes changing addresses to be shown in place of the host's own.
  package init(_ identities: [KnownIdentity], ownKey: IdentityKey?) {
    self.ownKey = ownKey
    wanted = []
    want(identities)
  }

  /// From now on these are to be resolved.
  package mutating func want(_ identities: [KnownIdentity]) {
    // The entry for nobody in particular: advertisements to everybody are made with it.
    let own = ownKey.map { _ in KnownIdentity(address: Self.nobody, key: IdentityKey(0)) }
    var seen: Set<BluetoothAddress> = []
    wanted = ((own.map { [$0] } ?? []) + identities).filter { seen.insert($0.address.plain).inserted }
    refused = []
    foundLimit = .max
    isSettled = false
  }

  private static let nobody = BluetoothAddress(0, .public)

  /// Whether the controller resolves the private addresses of a device.
  package func resolves(_ identity: BluetoothAddress) -> Bool {
    isEnabled && listed.contains { $0.address.plain == identity && !$0.key.isZero }
  }

  /// Whether the controller shows private addresses in place of the host's own.
  package var showsPrivateAddresses: Bool { ownKey != nil && isEnabled && !listed.isEmpty }

  /// Whether nothing but this may go on in the controller, or begin.
  package func needsPause(_ info: ControllerInfo) -> Bool { !isSettled && (open != nil || nextStep(info) != nil) }

  // MARK: Controller

  private func goal(_ info: ControllerInfo) -> [KnownIdentity] {
    Array(wanted.lazy.filter { !refused.contains($0) }.prefix(min(info.resolvingListSize, foundLimit)))
  }

  private func nextStep(_ info: ControllerInfo) -> Step? {
    guard info.resolvingListSize > 0 else { return nil }
    if needsClearing { return .clear }
    let goal = goal(info)
    if let stale = listed.first(where: { !goal.contains($0) }) { return .remove(stale.address) }
    if let address = hasNoMode.first, info.supports(.leSetPrivacyMode) { return .setMode(address) }
    if let missing = goal.first(where: { !listed.contains($0) }) { return .add(missing) }
    return listed.isEmpty || isEnabled || isEnablingRefused ? nil : .enable
  }

  /// Sends the next command, if nothing else goes on in the controller.
  package mutating func update(
    _ commands: inout CommandQueue<CommandPurpose>,
    _ info: ControllerInfo,
    isQuiet: Bool
  ) {
    guard !isSettled, open == nil else { return }
    guard let step = nextStep(info) else { return isSettled = true }
    guard isQuiet else { return }
    open = step
    let purpose = CommandPurpose.resolution(step)
    switch step {
    case .remove(let address):
      commands.enqueue(LERemoveDeviceFromResolvingList(peerIdentityAddress: address), purpose)
    case .clear: commands.enqueue(LEClearResolvingList(), purpose)
    case .add(let entry):
      commands.enqueue(
        LEAddDeviceToResolvingList(
          peerIdentityAddress: entry.address,
          peerIRK: entry.key.bytes,
          localIRK: (ownKey ?? IdentityKey(0)).bytes
        ),
        purpose
      )
    case .setMode(let address):
      // A device that has a key may still show its identity address.
      commands.enqueue(LESetPrivacyMode(peerIdentityAddress: address, privacyMode: .device), purpose)
    case .enable: commands.enqueue(LESetAddressResolutionEnable(addressResolutionEnable: true), purpose)
    }
  }

  /// A command was answered.
  package mutating func answered(_ step: Step, _ status: HCIStatus) -> Outcome {
    guard step == open else { return .none }
    open = nil
    let isTaken = status == .success
    switch step {
    case .remove(let address):
      if isTaken || status == .unknownConnectionIdentifier { forget(address) } else { needsClearing = true }
    case .clear:
      needsClearing = false
      // Refused even so, the list stays as it is.
      if isTaken { (listed, hasNoMode) = ([], []) } else { wanted = listed }
    case .add(let entry):
      if isTaken {
        listed.append(entry)
        hasNoMode.append(entry.address)
      } else if status == .memoryCapacityExceeded {
        foundLimit = listed.count
      } else {
        refused.insert(entry)
      }
    case .setMode(let address): hasNoMode.removeAll { $0 == address }
    case .enable: (isEnabled, isEnablingRefused) = (isTaken, !isTaken)
    }
    return isTaken ? .none : .refused
  }

  private mutating func forget(_ address: BluetoothAddress) {
    listed.removeAll { $0.address == address }
    hasNoMode.removeAll { $0 == address }
  }
}
