import BluetoothTypes
import RadioPort
import Synchronization

/// An air with its controllers, driven by an executor, and the hosts that are attached to them.
///
/// All that hosts hear of happens on the executor, one whole step after the other: packets are carried to and fro, at one
/// moment of time, until nobody has anything to say. Then the space sleeps until the air's next event.
package final class AirSpace: Sendable {
  /// Where everything happens, and its time.
  package let executor: any RadioExecutor

  private typealias Receive = @Sendable (HCIPacket) -> Void

  /// A controller as its host sees it.
  private struct Port: Identifiable, Sendable {
    let id: ControllerID
    let name: String
    var isPowered = true
    /// The number of the last opening of the channel.
    var opening: UInt64 = 0
    /// Of the host that has the channel open.
    var receive: Receive?
    var closed: (@Sendable (HCIChannelFailure) -> Void)?
  }

  /// A packet on its way to the host that has the channel open.
  private struct Delivery {
    let packet: HCIPacket
    let controller: ControllerID
    /// Only a host whose opening is none after this one gets it.
    let openings: UInt64
    let receive: Receive
    let isWatched: Bool
  }

  /// What is to be done with a packet on the links of a controller.
  private struct PacketAction: Sendable {
    let controller: ControllerID
    let action: @Sendable () -> Void
  }

  /// What carrying does next.
  private enum Step {
    case deliver(Delivery)
    /// A packet has passed that somebody has waited for; the air stands still until this is done.
    case act([@Sendable () -> Void])
    /// Nobody has anything to say at this moment: another timer is to be set instead of the old one.
    case rest(cancel: RadioTimer?, until: RadioInstant?)
  }

  private struct Contents: Sendable {
    var air: Air
    /// In the order of their names.
    var ports: [Port] = []
    var recorder: TraceRecorder
    var timer: (timer: RadioTimer, deadline: RadioInstant)?
    /// Whether a round of carrying is under way or ahead.
    var isRoundDue = false
    /// How many openings of channels there were.
    var openings: UInt64 = 0
    var hasEnded = false
    var watcher: (@Sendable (Int) -> Void)?
    /// Who wants to know what the controllers are doing, and what they were told last.
    var stateWatchers: [Int: @Sendable ([ControllerState]?) -> Void] = [:]
    var stateWatcherCount = 0
    var toldStates: [ControllerState] = []
    /// What is to happen with a packet that somebody waits for.
    var packetActions: [Int: PacketAction] = [:]
    var packetActionCount = 0
    /// The packets of this round for hosts, the next one last, and the openings when it began.
    private var round: [(ControllerID, HCIPacket)] = []
    private var roundOpenings: UInt64 = 0

    init(air: Air, recorder: TraceRecorder) {
      self.air = air
      self.recorder = recorder
    }

    /// Forgets the host that has the channel open; gives the port as it was before.
    mutating func detachHost(of id: ControllerID) -> Port? {
      guard let index = ports.index(of: id) else { return nil }
      let port = ports[index]
      ports[index].receive = nil
      ports[index].closed = nil
      return port
    }

    /// The host that has the channel open, if its opening is none after `openings`.
    func receiver(of id: ControllerID, upTo openings: UInt64) -> (@Sendable (HCIPacket) -> Void)? {
      guard let index = ports.index(of: id), ports[index].opening <= openings else { return nil }
      return ports[index].receive
    }

    /// What each controller is doing.
    var controllerStates: [ControllerState] {
      ports.compactMap { port in air.index(of: port.id).map { air.state(at: $0, name: port.name) } }
    }

    /// Takes a packet down, and gives the host that has the channel open; `nil` if none has, or only one whose opening is
    /// after `openings`, for then it does not pass.
    mutating func pass(
      _ packet: HCIPacket,
      of id: ControllerID,
      _ direction: PacketTrace.Direction,
      upTo openings: UInt64 = .max,
      now: RadioInstant
    ) -> Receive? {
      guard let index = ports.index(of: id), ports[index].opening <= openings, let receive = ports[index].receive else {
        return nil
      }
      recorder.count(packet, direction, of: id, at: now)
      if recorder.keepsPackets {
        recorder.keep(
          PacketTrace.Entry(time: now, controller: ports[index].name, direction: direction, packet: packet)
        )
      }
      return receive
    }

    /// Takes a packet for a host down; `nil` if none is to have it.
    mutating func delivery(
      of packet: HCIPacket,
      from id: ControllerID,
      upTo openings: UInt64,
      now: RadioInstant
    ) -> Delivery? {
      guard let receive = pass(packet, of: id, .toHost, upTo: openings, now: now) else { return nil }
      return Delivery(
        packet: packet,
        controller: id,
        openings: openings,
        receive: receive,
        isWatched: watcher != nil
      )
    }

    /// The next packet that a host is to hear at this moment. Asked for one by one, as a host that hears a packet may
    /// close its channel, and even open it again.
    mutating func nextStep(now: RadioInstant) -> Step {
      while true {
        while let (id, packet) = round.popLast() {
          if let next = delivery(of: packet, from: id, upTo: roundOpenings, now: now) { return .deliver(next) }
        }
        air.advance(to: now)
        if !hasEnded { air.exchangeOutputs(&round) }
        // Taken from the end they are moved, not copied.
        if round.count > 1 { round.reverse() }
        roundOpenings = openings
        // In the same step, as on a live loop other threads change the air meanwhile and must get a round of their own.
        isRoundDue = !round.isEmpty || air.isPaused && !hasEnded
        guard round.isEmpty else { continue }
        if air.isPaused, !hasEnded {
          return .act(air.firedWatches.compactMap { packetActions.removeValue(forKey: $0)?.action })
        }
        return rest(until: air.nextEvent)
      }
    }

    private mutating func rest(until deadline: RadioInstant?) -> Step {
      guard !hasEnded, deadline != timer?.deadline else { return .rest(cancel: nil, until: nil) }
      defer { timer = nil }
      return .rest(cancel: timer?.timer, until: deadline)
    }
  }

  private let contents: Mutex<Contents>

  package init(seed: UInt64, executor: any RadioExecutor, packetsKept: Int) {
    self.executor = executor
    contents = Mutex(Contents(air: Air(seed: seed), recorder: TraceRecorder(capacity: packetsKept)))
  }

  // MARK: Controllers

  /// Puts a new controller into the air, and gives the way to it.
  package func addController(_ configuration: ControllerConfiguration, name: String) -> VirtualChannel {
    var named = configuration
    named.name = name
    let id = change { [named] contents in
      let id = contents.air.addController(named)
      contents.ports.append(Port(id: id, name: name))
      return id
    }
    return VirtualChannel(controller: id, space: self)
  }

  /// Takes a controller out of the air, as if its battery was pulled; its host finds the channel closed.
  package func removeController(_ id: ControllerID) {
    disconnectHost(of: id, reason: "was taken away") { contents, now in
      contents.air.removeController(id, now: now)
      contents.ports.removeAll { $0.id == id }
      contents.packetActions = contents.packetActions.filter { $0.value.controller != id }
    }
  }

  /// Switches a controller off, which closes its host's channel, or on again.
  package func setPowered(_ isPowered: Bool, _ id: ControllerID) {
    if isPowered {
      change { [executor] contents in
        guard let index = contents.ports.index(of: id), !contents.ports[index].isPowered else { return }
        contents.ports[index].isPowered = true
        contents.air.setPowered(true, id, now: executor.now)
      }
    } else {
      disconnectHost(of: id, reason: "was switched off") { contents, now in
        guard let index = contents.ports.index(of: id), contents.ports[index].isPowered else { return }
        contents.ports[index].isPowered = false
        contents.air.setPowered(false, id, now: now)
      }
    }
  }

  /// Whether a controller is there and switched on.
  package func isPowered(_ id: ControllerID) -> Bool {
    contents.withLock { contents in contents.ports.index(of: id).map { contents.ports[$0].isPowered } ?? false }
  }

  /// Changes the air at this moment, for example the place of a controller, and lets its consequences follow.
  package func changeAir<R: Sendable>(_ change: @Sendable (inout Air, RadioInstant) -> R) -> R {
    let now = executor.now
    return self.change { change(&$0.air, now) }
  }

  /// What each controller is doing now.
  var controllerStates: [ControllerState] { contents.withLock(\.controllerStates) }

  /// Calls `watcher` with what the controllers are doing, now and after each change, and with `nil` at the end.
  func watchStates(_ watcher: @escaping @Sendable ([ControllerState]?) -> Void) -> Int {
    let (id, states) = contents.withLock { contents in
      contents.stateWatcherCount += 1
      if !contents.hasEnded { contents.stateWatchers[contents.stateWatcherCount] = watcher }
      contents.toldStates = contents.controllerStates
      return (contents.stateWatcherCount, contents.hasEnded ? nil : contents.toldStates)
    }
    watcher(states)
    return id
  }

  func unwatchStates(_ id: Int) { contents.withLock { _ = $0.stateWatchers.removeValue(forKey: id) } }

  private func tellStates() {
    let told = contents.withLock { contents -> ([ControllerState], [@Sendable ([ControllerState]?) -> Void])? in
      guard !contents.stateWatchers.isEmpty else { return nil }
      let states = contents.controllerStates
      guard states != contents.toldStates else { return nil }
      contents.toldStates = states
      return (states, contents.stateWatchers.sorted { $0.key < $1.key }.map(\.value))
    }
    guard let (states, watchers) = told else { return }
    for watcher in watchers { watcher(states) }
  }

  /// Does something in the moment in which the nth packet of data from now on passes on the links of a controller, or on
  /// those to a partner: when the hosts have it, and before the air carries another one.
  ///
  /// - Returns: The name by which that can be taken back.
  func watchPacket(
    _ number: Int,
    of id: ControllerID,
    to partner: LinkPartner? = nil,
    _ action: @escaping @Sendable () -> Void
  ) -> Int {
    change { contents in
      contents.packetActionCount += 1
      contents.packetActions[contents.packetActionCount] = PacketAction(controller: id, action: action)
      contents.air.watchPacket(number, of: id, to: partner, as: contents.packetActionCount)
      return contents.packetActionCount
    }
  }

  /// Takes back what was to be done with a packet.
  func unwatchPacket(_ name: Int) {
    let action = contents.withLock { contents in
      contents.air.unwatchPacket(name)
      return contents.packetActions.removeValue(forKey: name)
    }
    withExtendedLifetime(action) {}
  }

  /// How many packets somebody waits for.
  var packetWatchCount: Int { contents.withLock { max($0.packetActions.count, $0.air.packetWatches.count) } }

  /// Calls `watcher` for each packet from now on.
  func watchPackets(_ watcher: (@Sendable (Int) -> Void)?) { contents.withLock { $0.watcher = watcher } }

  /// Tells who watches of the packet that was recorded last.
  private func tellWatcher() {
    let (watcher, count) = contents.withLock { ($0.watcher, $0.recorder.packetCount) }
    watcher?(count)
  }

  /// All packets until now.
  package var trace: PacketTrace { contents.withLock { $0.recorder.trace } }

  // MARK: Hosts

  func open(
    _ id: ControllerID,
    receive: @escaping @Sendable (HCIPacket) -> Void,
    closed: @escaping @Sendable (HCIChannelFailure) -> Void
  ) {
    let refusal: HCIChannelFailure? = contents.withLock { contents in
      guard !contents.hasEnded else { return HCIChannelFailure(.ended, reason: "The world has ended.") }
      guard let index = contents.ports.index(of: id) else {
        return HCIChannelFailure(.unreachable, reason: "This controller was taken out of the world.")
      }
      guard contents.ports[index].isPowered else {
        let name = contents.ports[index].name
        return HCIChannelFailure(.unreachable, reason: "The virtual controller of \(name) is switched off.")
      }
      contents.openings &+= 1
      contents.ports[index].receive = receive
      contents.ports[index].closed = closed
      contents.ports[index].opening = contents.openings
      // What the controller has said before was for nobody, or for who had the channel then.
      contents.air.dropOutputs(of: id)
      return nil
    }
    if let refusal { executor.submit { closed(refusal) } }
  }

  func send(_ packet: HCIPacket, from id: ControllerID) {
    let now = executor.now
    let isWatched = change { contents in
      guard contents.pass(packet, of: id, .toController, now: now) != nil else { return false }
      contents.air.receive(packet, from: id, now: now)
      return contents.watcher != nil
    }
    if isWatched { tellWatcher() }
  }

  func close(_ id: ControllerID) {
    // What the closures hold goes after the lock.
    let port = contents.withLock { $0.detachHost(of: id) }
    withExtendedLifetime(port) {}
  }

  /// Ends everything: all channels are closed, and nothing happens any more. Called on the executor.
  func end() {
    let watchers = contents.withLock { contents in
      defer { contents.stateWatchers = [:] }
      return contents.stateWatchers.sorted { $0.key < $1.key }.map(\.value)
    }
    for watcher in watchers { watcher(nil) }
    let (ports, timer, actions) = contents.withLock { contents in
      contents.hasEnded = true
      defer { contents.packetActions = [:] }
      let ports = contents.ports
      for port in ports { _ = contents.detachHost(of: port.id) }
      return (ports, contents.timer?.timer, contents.packetActions)
    }
    // What they hold goes after the lock.
    withExtendedLifetime(actions) {}
    if let timer { executor.cancel(timer) }
    for port in ports {
      port.closed?(HCIChannelFailure(.ended, reason: "The world has ended, and \(port.name) with it."))
    }
  }

  private func disconnectHost(
    of id: ControllerID,
    reason: String,
    _ remove: @Sendable (inout Contents, RadioInstant) -> Void
  ) {
    let now = executor.now
    let port = change { contents in
      let port = contents.detachHost(of: id)
      remove(&contents, now)
      return port
    }
    guard let port, let closed = port.closed else { return }
    // Not at once: the caller may be a part of that very host.
    executor.submit { closed(HCIChannelFailure(.closed, reason: "The virtual controller of \(port.name) \(reason).")) }
  }

  // MARK: Driving

  /// Changes something, and sees to it that a round follows.
  private func change<R: Sendable>(_ body: @Sendable (inout Contents) -> R) -> R {
    let (result, needsRound) = contents.withLock { contents in
      let result = body(&contents)
      let needsRound = !contents.isRoundDue && !contents.hasEnded
      if needsRound { contents.isRoundDue = true }
      return (result, needsRound)
    }
    if needsRound { executor.submit { self.carry() } }
    return result
  }

  /// Carries packets until nobody has anything to say at this moment, then sleeps until the air's next event.
  private func carry() {
    let now = executor.now
    while true {
      switch contents.withLock({ $0.nextStep(now: now) }) {
      case .deliver(let delivery): deliver(delivery)
      case .act(let actions):
        for action in actions { action() }
        contents.withLock { $0.air.endPause() }
      case .rest(let stale, let deadline):
        if let stale { executor.cancel(stale) }
        if let deadline { setTimer(deadline) }
        tellStates()
        return
      }
    }
  }

  private func setTimer(_ deadline: RadioInstant) {
    let timer = executor.schedule(at: deadline) {
      self.contents.withLock { $0.timer = nil }
      self.carry()
    }
    contents.withLock { $0.timer = (timer, deadline) }
  }

  private func deliver(_ delivery: Delivery) {
    guard delivery.isWatched else { return delivery.receive(delivery.packet) }
    tellWatcher()
    // Who watches may have done anything.
    let receive = contents.withLock { $0.receiver(of: delivery.controller, upTo: delivery.openings) }
    receive?(delivery.packet)
  }

  /// Lets a host hear a packet that its controller never sent.
  func inject(_ packet: HCIPacket, toHostOf id: ControllerID) {
    let now = executor.now
    if let delivery = contents.withLock({ $0.delivery(of: packet, from: id, upTo: .max, now: now) }) {
      deliver(delivery)
    }
  }
}
