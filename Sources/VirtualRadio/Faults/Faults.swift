import BluetoothTypes
import HostStack
import RadioPort
import Synchronization

/// The faults of one device or radio.
///
/// What the calls do has happened when they return if the caller runs in the world; else it happens soon.
public struct Faults: Sendable {
  /// Names a fault that was added.
  public struct ID: Hashable, Sendable {
    let rawValue: Int
  }

  /// Whose faults they are.
  enum Owner: Sendable {
    case device(VirtualDevice)
    case radio(any Radio)
    case controller
  }

  let owner: Owner
  let world: World
  let controller: ControllerID

  /// Adds a fault, which begins at its moment.
  ///
  /// - Returns: Its name; `nil` if nothing was done, as it makes no sense: for a radio, which has no server; on the links
  ///   to a peer, as it strikes more than links; or on those to who is not in this world.
  @discardableResult
  public func add(_ fault: Fault) -> ID? {
    if case .device = owner {} else if !fault.isOfLinks { return nil }
    var partner: LinkPartner?
    var fault = fault
    if let wish = fault.partner.take() {
      guard fault.canBeOfOneLink, let found = world.partner(wish) else { return nil }
      partner = found
    }
    // Without the device or radio that it names: the world does not keep them.
    let id = world.faultBook.withLock { [fault, partner] in $0.open(fault, of: controller, partner) }
    let work: @Sendable () -> Void = { [fault] in self.prepare(fault, id) }
    world.executor.run(work)
    return ID(rawValue: id)
  }

  /// Takes a fault back: it does not happen any more, or ends at once if it lasts.
  public func remove(_ id: ID) { world.executor.run { self.end(id.rawValue) } }

  /// Takes all faults back.
  public func removeAll() {
    world.executor.run {
      for id in world.faultBook.withLock({ $0.open(of: controller) }) { self.end(id) }
    }
  }

  /// What has happened last: when, and what; requests that were answered wrongly each time. The last 1000 are kept, the
  /// oldest first; ``count`` tells of all.
  public var history: [(time: RadioInstant, fault: String)] {
    world.faultBook.withLock { $0.history(of: controller) }
  }

  /// How much has happened until now, with what ``history`` does not hold any more.
  public var count: Int { world.faultBook.withLock { $0.count(of: controller) } }

  // MARK: Running

  private func prepare(_ fault: Fault, _ id: Int) {
    let executor = world.executor
    switch fault.moment {
    case .now: begin(fault, id)
    case .after(let duration): schedule(id, at: executor.now.advanced(by: duration)) { begin(fault, id) }
    case .at(let moment):
      guard moment > executor.now else { return begin(fault, id) }
      schedule(id, at: moment) { begin(fault, id) }
    case .packet(let number):
      guard number > 0 else { return begin(fault, id) }
      let partner = world.faultBook.withLock { $0.faults[id]?.partner }
      // In the very moment of the packet: the air stands still, also in a live world, so that no other one passes before.
      let watch = world.space.watchPacket(number, of: controller, to: partner) { begin(fault, id) }
      let isOpen = world.faultBook.withLock { book in
        book.faults[id]?.watch = watch
        return book.faults[id] != nil
      }
      if !isOpen { world.space.unwatchPacket(watch) }
    }
  }

  private func schedule(_ id: Int, at moment: RadioInstant, _ work: @escaping @Sendable () -> Void) {
    let timer = world.executor.schedule(at: moment, work)
    world.faultBook.withLock { $0.faults[id]?.timer = timer }
  }

  private func begin(_ fault: Fault, _ id: Int) {
    let now = world.executor.now
    let (isOpen, partner) = world.faultBook.withLock { book in
      guard let entry = book.faults[id] else { return (false, LinkPartner?.none) }
      book.faults[id]?.timer = nil
      book.faults[id]?.watch = nil
      book.faults[id]?.isActive = true
      if !fault.isAboutRequests { book.note(fault, of: controller, now) }
      return (true, entry.partner)
    }
    guard isOpen else { return }
    apply(fault.effect, partner, isBeginning: true)
    if let duration = fault.duration {
      schedule(id, at: now.advanced(by: duration)) { end(id) }
    } else if fault.isMomentary {
      world.faultBook.withLock { _ = $0.faults.removeValue(forKey: id) }
    }
  }

  private func end(_ id: Int) {
    guard let entry = world.faultBook.withLock({ $0.faults.removeValue(forKey: id) }) else { return }
    if let timer = entry.timer { world.executor.cancel(timer) }
    if let watch = entry.watch { world.space.unwatchPacket(watch) }
    if entry.isActive { apply(entry.fault.effect, entry.partner, isBeginning: false) }
  }

  private func apply(_ effect: Fault.Effect, _ partner: LinkPartner?, isBeginning: Bool) {
    let (space, controller) = (world.space, controller)
    switch effect {
    case .drop(let reason):
      space.changeAir { air, now in air.dropLinks(of: controller, to: partner, reason: reason, now: now) }
    case .lose, .delay, .mute, .outOfRange:
      let active = world.faultBook.withLock { $0.active(of: controller) }
      space.changeAir { air, now in air.setTrouble(active, of: controller, now: now) }
    case .powerOff:
      switch owner {
      case .device(let device): if isBeginning { device.powerOff() } else { device.powerOn() }
      case .radio(let radio): world.radioPower(!isBeginning, of: radio)
      case .controller: space.setPowered(!isBeginning, controller)
      }
    case .address(let address):
      if case .device(let device) = owner { device.perform { $0.restart(address: .some(address)) } }
    case .database(let services, let isAnnounced):
      guard case .device(let device) = owner else { return }
      device.perform { isAnnounced ? $0.replaceServices(services) : $0.restart(services: services) }
    case .closeChannels: if case .device(let device) = owner { device.perform { $0.closeAllChannels() } }
    case .stallChannels: if case .device(let device) = owner { device.perform { $0.takeAllMessages() } }
    case .answer, .answerChannel: break  // Asked for with each request.
    }
  }
}

extension Fault {
  /// Whether a radio can have it.
  var isOfLinks: Bool {
    switch effect {
    case .drop, .lose, .delay, .mute, .outOfRange, .powerOff: true
    case .address, .database, .answer, .answerChannel, .closeChannels, .stallChannels: false
    }
  }

  var isAboutRequests: Bool {
    switch effect {
    case .answer, .answerChannel: true
    default: false
    }
  }

  /// Whether it has no end of its own.
  var isMomentary: Bool {
    switch effect {
    case .drop, .address, .database, .closeChannels: true
    case .lose, .delay, .mute, .outOfRange, .powerOff, .answer, .answerChannel, .stallChannels: false
    }
  }
}

/// All faults of a world.
struct FaultBook: Sendable {
  struct Entry: Sendable {
    let fault: Fault
    let controller: ControllerID
    /// Whose links it is about, at their other ends; `nil` for all.
    let partner: LinkPartner?
    var isActive = false
    var timer: RadioTimer?
    /// The packet that it waits for.
    var watch: Int?
    /// How many requests it has met.
    var requests = 0
  }

  /// What has happened to one controller.
  private struct History: Sendable {
    var entries: [(time: RadioInstant, fault: String)] = []
    var count = 0
  }

  /// How much of what has happened to a controller is kept.
  static let historyLimit = 1000

  var faults: [Int: Entry] = [:]
  private var histories: [ControllerID: History] = [:]
  private var count = 0

  mutating func open(_ fault: Fault, of controller: ControllerID, _ partner: LinkPartner? = nil) -> Int {
    count += 1
    faults[count] = Entry(fault: fault, controller: controller, partner: partner)
    return count
  }

  mutating func note(_ fault: Fault, of controller: ControllerID, _ now: RadioInstant) {
    note(fault.description, of: controller, now)
  }

  private mutating func note(_ text: String, of controller: ControllerID, _ now: RadioInstant) {
    histories[controller, default: History()].count += 1
    histories[controller]?.entries.append((now, text))
    // A quarter at a time, as the rest moves up.
    guard let count = histories[controller]?.entries.count, count > Self.historyLimit * 5 / 4 else { return }
    histories[controller]?.entries.removeFirst(count - Self.historyLimit)
  }

  func history(of controller: ControllerID) -> [(time: RadioInstant, fault: String)] {
    histories[controller].map { Array($0.entries.suffix(Self.historyLimit)) } ?? []
  }

  func count(of controller: ControllerID) -> Int { histories[controller]?.count ?? 0 }

  func open(of controller: ControllerID) -> [Int] {
    faults.filter { $0.value.controller == controller }.keys.sorted()
  }

  /// What is the matter with the links of a controller now, all faults together.
  func active(of controller: ControllerID) -> LinkTrouble {
    var trouble = LinkTrouble()
    for id in open(of: controller) {
      guard let entry = faults[id], entry.isActive else { continue }
      if let partner = entry.partner {
        if let partial = Self.trouble(entry.fault.effect, with: partner) { trouble.partial.append(partial) }
        continue
      }
      switch entry.fault.effect {
      case .lose(let share, let direction):
        trouble.lose(sending: direction == .received ? 0 : share, receiving: direction == .sent ? 0 : share)
      case .delay(let delay): trouble.delay = max(trouble.delay, delay.wholeNanoseconds)
      case .mute: trouble.isMuted = true
      case .outOfRange: trouble.isOutOfRange = true
      default: break
      }
    }
    return trouble
  }

  private static func trouble(_ effect: Fault.Effect, with partner: LinkPartner) -> PartialTrouble? {
    var trouble = PartialTrouble(partner)
    switch effect {
    case .lose(let share, let direction):
      if direction != .received { trouble.sendingLoss = share }
      if direction != .sent { trouble.receivingLoss = share }
    case .delay(let delay): trouble.delay = delay.wholeNanoseconds
    case .outOfRange: trouble.isOutOfRange = true
    default: return nil
    }
    return trouble
  }

  /// The ends of links that faults of a controller name.
  func partners(of controller: ControllerID) -> Set<LinkPartner> {
    var partners: Set<LinkPartner> = []
    for entry in faults.values where entry.controller == controller {
      if let partner = entry.partner { partners.insert(partner) }
    }
    return partners
  }

  /// The controller is gone, and its faults with it.
  mutating func forget(_ controller: ControllerID) { histories[controller] = nil }

  /// The answer that a fault gives to a request; `nil` if none is about it.
  ///
  /// - Parameter partners: Which of those that faults name has sent it.
  mutating func answer(
    to request: VirtualDevice.Request,
    of controller: ControllerID,
    on partners: Set<LinkPartner> = [],
    now: RadioInstant
  ) -> VirtualDevice.Answer? {
    for id in open(of: controller) {
      guard let entry = faults[id], entry.isActive, entry.partner.map(partners.contains) ?? true,
        case .answer(let pattern, let answer, let times, let skipping) = entry.fault.effect, pattern.matches(request),
        counts(id, times, skipping)
      else { continue }
      note("\(entry.fault.description): \(request)", of: controller, now)
      return answer
    }
    return nil
  }

  /// The answer that a fault gives to a wish for a channel; `nil` if none is about it.
  mutating func answer(
    toChannel psm: L2CAPPSM,
    of controller: ControllerID,
    on partners: Set<LinkPartner> = [],
    now: RadioInstant
  ) -> ChannelInterception? {
    for id in open(of: controller) {
      guard let entry = faults[id], entry.isActive, entry.partner.map(partners.contains) ?? true,
        case .answerChannel(let wished, let answer, let times, let skipping) = entry.fault.effect,
        wished.map({ $0 == psm }) ?? true, counts(id, times, skipping)
      else { continue }
      note("\(entry.fault.description): \(psm)", of: controller, now)
      return answer
    }
    return nil
  }

  /// Counts a request that a fault is about; whether it is one of those that it spoils.
  private mutating func counts(_ id: Int, _ times: Int?, _ skipping: Int) -> Bool {
    guard let requests = faults[id]?.requests else { return false }
    let number = requests - skipping
    if let times, number >= times { return false }
    faults[id]?.requests += 1
    return number >= 0
  }

  /// Whether a device takes no messages now.
  func stallsChannels(of controller: ControllerID) -> Bool {
    faults.values.contains { entry in
      guard entry.controller == controller, entry.isActive, case .stallChannels = entry.fault.effect else {
        return false
      }
      return true
    }
  }
}

extension World {
  /// The faults of one of this world's radios; `nil` for other radios.
  public func faults(of radio: any Radio) -> Faults? {
    controller(of: radio).map { Faults(owner: .radio(radio), world: self, controller: $0) }
  }

  /// The faults of a controller that has no host of ours, such as that of another program.
  package func faults(of channel: VirtualChannel) -> Faults {
    Faults(owner: .controller, world: self, controller: channel.controller)
  }

  /// The faults of the controller of another program, by its number (``ControllerServer/Guest/number``); `nil` if it is
  /// not there.
  package func faults(ofProgram number: Int) -> Faults? {
    roster.withLock { roster in roster.present.last { $0.name == "program \(number)" }?.controller }
      .map { faults(of: $0) }
  }
}

extension DeviceHandle {
  /// What goes wrong with the device, and what will.
  public var faults: Faults {
    Faults(owner: .device(device), world: device.world, controller: device.channel.controller)
  }
}
