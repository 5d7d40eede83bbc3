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

  /// A controller as its host sees it.
  private struct Port: Sendable {
    let name: String
    var isPowered = true
    /// The number of the last opening of the channel.
    var opening: UInt64 = 0
    /// Of the host that has the channel open.
    var receive: (@Sendable (HCIPacket) -> Void)?
    var closed: (@Sendable (HCIChannelFailure) -> Void)?
  }

  private struct Contents: Sendable {
    var air: Air
    var ports: [ControllerID: Port] = [:]
    var recorder: TraceRecorder
    var timer: (timer: RadioTimer, deadline: RadioInstant)?
    /// Whether a round of carrying is under way or ahead.
    var isRoundDue = false
    /// How many openings of channels there were.
    var openings: UInt64 = 0
    var hasEnded = false
    var watcher: (@Sendable (Int) -> Void)?
    /// Memory for packets on their way to hosts.
    var spare: [(ControllerID, HCIPacket)] = []

    /// The host that has the channel open, if its opening is none after `openings`.
    func receiver(of id: ControllerID, upTo openings: UInt64) -> (@Sendable (HCIPacket) -> Void)? {
      guard let index = ports.index(forKey: id), ports.values[index].opening <= openings else { return nil }
      return ports.values[index].receive
    }

    /// Takes a packet down, and gives the host that has the channel open; `nil` if none has, or only one whose opening is
    /// after `openings`, for then it does not pass.
    mutating func pass(
      _ packet: HCIPacket,
      of id: ControllerID,
      _ direction: PacketTrace.Direction,
      upTo openings: UInt64 = .max,
      now: RadioInstant
    ) -> (@Sendable (HCIPacket) -> Void)? {
      guard let index = ports.index(forKey: id), let receive = receiver(of: id, upTo: openings) else { return nil }
      recorder.record(
        PacketTrace.Entry(time: now, controller: ports.values[index].name, direction: direction, packet: packet),
        controller: id
      )
      return receive
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
    let id = change { contents in
      let id = contents.air.addController(configuration)
      contents.ports[id] = Port(name: name)
      return id
    }
    return VirtualChannel(controller: id, space: self)
  }

  /// Takes a controller out of the air, as if its battery was pulled; its host finds the channel closed.
  package func removeController(_ id: ControllerID) {
    disconnectHost(of: id, reason: "was taken away") { contents, now in
      contents.air.removeController(id, now: now)
      contents.ports[id] = nil
    }
  }

  /// Switches a controller off, which closes its host's channel, or on again.
  package func setPowered(_ isPowered: Bool, _ id: ControllerID) {
    if isPowered {
      change { [executor] contents in
        guard contents.ports[id]?.isPowered == false else { return }
        contents.ports[id]?.isPowered = true
        contents.air.setPowered(true, id, now: executor.now)
      }
    } else {
      disconnectHost(of: id, reason: "was switched off") { contents, now in
        guard contents.ports[id]?.isPowered == true else { return }
        contents.ports[id]?.isPowered = false
        contents.air.setPowered(false, id, now: now)
      }
    }
  }

  /// Whether a controller is there and switched on.
  package func isPowered(_ id: ControllerID) -> Bool {
    contents.withLock { $0.ports[id]?.isPowered ?? false }
  }

  /// Changes the air at this moment, for example the place of a controller, and lets its consequences follow.
  package func changeAir<R: Sendable>(_ change: @Sendable (inout Air, RadioInstant) -> R) -> R {
    let now = executor.now
    return self.change { change(&$0.air, now) }
  }

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
    let refusal: String? = contents.withLock { contents in
      guard !contents.hasEnded else { return "The world has ended." }
      guard let port = contents.ports[id] else { return "This controller was taken out of the world." }
      guard port.isPowered else { return "The virtual controller of \(port.name) is switched off." }
      contents.ports[id]?.receive = receive
      contents.ports[id]?.closed = closed
      contents.openings &+= 1
      contents.ports[id]?.opening = contents.openings
      // What the controller has said before was for nobody, or for who had the channel then.
      contents.air.dropOutputs(of: id)
      return nil
    }
    if let refusal { executor.submit { closed(HCIChannelFailure(.unreachable, reason: refusal)) } }
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
    let port = contents.withLock { contents in
      let port = contents.ports[id]
      contents.ports[id]?.receive = nil
      contents.ports[id]?.closed = nil
      return port
    }
    withExtendedLifetime(port) {}
  }

  /// Ends everything: all channels are closed, and nothing happens any more. Called on the executor.
  func end() {
    let (ports, timer) = contents.withLock { contents in
      contents.hasEnded = true
      let ports = contents.ports.sorted { $0.key < $1.key }.map(\.value)
      for id in contents.ports.keys {
        contents.ports[id]?.receive = nil
        contents.ports[id]?.closed = nil
      }
      return (ports, contents.timer?.timer)
    }
    if let timer { executor.cancel(timer) }
    for port in ports {
      port.closed?(HCIChannelFailure(.closed, reason: "The world has ended, and \(port.name) with it."))
    }
  }

  private func disconnectHost(
    of id: ControllerID,
    reason: String,
    _ remove: @Sendable (inout Contents, RadioInstant) -> Void
  ) {
    let now = executor.now
    let port = change { contents in
      let port = contents.ports[id]
      contents.ports[id]?.receive = nil
      contents.ports[id]?.closed = nil
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

  /// Carries packets until nobody has anything to say at this moment.
  private func carry() {
    let now = executor.now
    var outputs = contents.withLock { contents in
      let memory = contents.spare
      contents.spare = []
      return memory
    }
    while true {
      outputs.removeAll(keepingCapacity: true)
      let openings = contents.withLock { contents in
        contents.air.advance(to: now)
        if !contents.hasEnded { contents.air.exchangeOutputs(&outputs) }
        // In the same step, as on a live loop other threads change the air meanwhile and must get a round of their own.
        contents.isRoundDue = !outputs.isEmpty
        return contents.openings
      }
      if outputs.isEmpty { break }
      for (id, packet) in outputs { deliver(packet, from: id, upTo: openings, now: now) }
    }
    rearm(memory: outputs)
  }

  /// Lets a host hear a packet that its controller never sent.
  func inject(_ packet: HCIPacket, toHostOf id: ControllerID) {
    deliver(packet, from: id, upTo: .max, now: executor.now)
  }

  /// Gives a packet to the host, if its opening is none after `openings`.
  private func deliver(_ packet: HCIPacket, from id: ControllerID, upTo openings: UInt64, now: RadioInstant) {
    // Asked anew for each packet, for the one before may have made the host close, and even open again.
    let (receive, isWatched) = contents.withLock { contents in
      (contents.pass(packet, of: id, .toHost, upTo: openings, now: now), contents.watcher != nil)
    }
    guard let receive else { return }
    guard isWatched else { return receive(packet) }
    tellWatcher()
    contents.withLock { $0.receiver(of: id, upTo: openings) }?(packet)
  }

  /// Sleeps until the air's next event.
  private func rearm(memory: [(ControllerID, HCIPacket)]) {
    let (stale, deadline) = contents.withLock { contents -> (RadioTimer?, RadioInstant?) in
      contents.spare = memory
      guard !contents.hasEnded else { return (nil, nil) }
      let next = contents.air.nextEvent
      if next == contents.timer?.deadline { return (nil, nil) }
      let stale = contents.timer?.timer
      contents.timer = nil
      return (stale, next)
    }
    if let stale { executor.cancel(stale) }
    guard let deadline else { return }
    let timer = executor.schedule(at: deadline) {
      self.contents.withLock { $0.timer = nil }
      self.carry()
    }
    contents.withLock { $0.timer = (timer, deadline) }
  }
}
