import BluetoothTypes
import HostStack

/// A Low Energy controller: what lies behind HCI, apart from the links, which belong to the air.
///
/// It keeps the state that a host sets up by commands, checks what the host asks for, and builds the events that the
/// host gets. The air moves packets between controllers and says when.
struct VirtualController: Identifiable, Sendable {
  let id: ControllerID
  var configuration: ControllerConfiguration
  /// The Low Energy features.
  let features: LEFeatures
  /// What it answers with anything but Unknown HCI Command.
  let commands: Set<HCIOpcode>
  /// Chance that belongs to this controller alone.
  var random: SeededGenerator

  var isPowered = true
  var isReachable = true
  /// Where it is.
  var track: RadioTrack
  /// What a test or a scene wants to be the matter with it.
  var trouble = LinkTrouble()
  /// The radio has a packet on the air until then, in nanoseconds.
  var busyUntil: Int64 = .min

  // MARK: What the host has set up; gone after a reset

  var eventMask = HCIEventMask.afterReset
  var leEventMask = LEEventMask.afterReset
  var randomAddress: BluetoothAddress?
  /// Whether the host speaks of advertising in legacy or in extended commands; `nil` as long as it has not.
  var commandSet: AdvertisingCommandSet?
  /// The advertising sets: the one of the legacy commands first, then the host's own.
  var sets = [AdvertisingSet(handle: nil)]
  var scanner = Scanner()
  var initiator: Initiator?
  /// The filter accept list.
  var acceptList: [BluetoothAddress] = []
  /// Whether anonymous advertisers are in the filter accept list.
  var acceptsAnonymous = false
  var resolvingList = ResolvingList()
  var suggestedLimit = PacketLimit.initial
  var phyChoice = PHYChoice.any
  var channelMap: UInt64 = 0x1F_FFFF_FFFF
  var localName: [UInt8] = []
  /// In units of 0.1 dB.
  var pathCompensation: (transmit: Int16, receive: Int16) = (0, 0)
  var hostRoom = HostRoom()

  // MARK: Links

  /// The links by their handles, in the order in which they were made.
  private(set) var links: [ControllerLink] = []
  /// How many of the host's ACL packets are held here.
  private(set) var buffersInUse = 0

  /// Data that has come over the air and that the host has had no room for, in its order.
  private var waiting: [ACLPacket] = []
  /// What the host has yet to receive.
  private(set) var outbox: [HCIPacket] = []

  init(id: ControllerID, configuration: ControllerConfiguration, random: SeededGenerator) {
    self.id = id
    self.configuration = configuration
    self.random = random
    track = RadioTrack(at: configuration.position)
    let features = Self.features.intersection(configuration.features)
    self.features = features
    commands = Self.supportedCommands.filter { Self.supports($0, with: features) }
    phyChoice = .any(of: supportedPHYs)
  }

  /// Returns to the state after power-on. The links are the air's to abandon.
  mutating func reset() {
    eventMask = .afterReset
    leEventMask = .afterReset
    randomAddress = nil
    commandSet = nil
    sets = [AdvertisingSet(handle: nil)]
    scanner = Scanner()
    initiator = nil
    acceptList = []
    acceptsAnonymous = false
    resolvingList = ResolvingList()
    suggestedLimit = .initial
    phyChoice = .any(of: supportedPHYs)
    localName = []
    pathCompensation = (0, 0)
    channelMap = 0x1F_FFFF_FFFF
    let isStalled = hostRoom.isStalled
    hostRoom = HostRoom()
    hostRoom.isStalled = isStalled
    links = []
    buffersInUse = 0
    waiting = []
  }

  /// Whether radio waves reach it, and leave it.
  var isOnAir: Bool { isPowered && isReachable && !trouble.isOutOfRange }

  // MARK: To the host

  /// Sends an event unless the host has masked it.
  mutating func send(_ event: some HCIEvent) {
    guard isPowered, eventMask.allows(event, leEventMask) else { return }
    outbox.append(event.packet)
  }

  /// Whether there is something for the host.
  @inline(__always)
  var hasNews: Bool { !outbox.isEmpty }

  /// Puts what is for the host behind `outputs`. Packet by packet taken out, so that none is copied.
  mutating func moveOutbox(to outputs: inout [(ControllerID, HCIPacket)]) {
    if outbox.count > 1 { outbox.reverse() }
    while let packet = outbox.popLast() { outputs.append((id, packet)) }
  }

  /// Forgets what was for the host, as the controller has no power.
  mutating func discardOutbox() { outbox.removeAll(keepingCapacity: true) }

  /// Passes on what has come over the air: in packets that are not too long for the host, each once there is room for it.
  mutating func deliver(_ fragment: inout DataFragment, handle: UInt16) {
    guard isPowered, fragment.packet.dataCount > 0 else { return }
    let boundary: ACLPacket.Boundary = fragment.packet.boundary.isFirst ? .firstFlushable : .continuing
    if waiting.isEmpty, fragment.packet.dataCount <= hostRoom.longestPacket, hostRoom.hasRoom {
      // In the packet that the other host has sent: nobody else has that any more.
      fragment.packet.address(to: handle, boundary)
      return pass(fragment.packet)
    }
    for (number, part) in fragment.packet.data.chunks(of: hostRoom.longestPacket).enumerated() {
      waiting.append(ACLPacket(connectionHandle: handle, boundary: number == 0 ? boundary : .continuing, data: part))
    }
    passWaiting()
  }

  private mutating func pass(_ packet: ACLPacket) {
    hostRoom.use(packet.connectionHandle)
    outbox.append(packet.packet)
  }

  /// Passes on what waits for room, as far as there is some.
  mutating func passWaiting() {
    let count = waiting.count
    var passed = 0
    while passed < count, hostRoom.hasRoom {
      pass(waiting[passed])
      passed &+= 1
    }
    waiting.removeFirst(passed)
  }

  /// Whether another packet of data may come over the air: the host has room, and nothing waits for it here.
  @inline(__always)
  var takesData: Bool { !isPowered || waiting.isEmpty && hostRoom.hasRoom }

  // MARK: Buffers

  /// Takes a buffer for a packet of the host; `false` if all are in use.
  mutating func takeBuffer() -> Bool {
    guard buffersInUse < Int(configuration.aclBufferCount) else { return false }
    buffersInUse &+= 1
    return true
  }

  /// Packets have reached the other end of a link.
  mutating func completePackets(_ count: UInt16, of handle: UInt16) {
    buffersInUse = max(0, buffersInUse &- Int(count))
    send(NumberOfCompletedPackets(completed: .init(CompletedPackets(connectionHandle: handle, count: count))))
  }

  // MARK: Links

  /// The air's name for the link that the host calls `handle`.
  func link(_ handle: UInt16) -> Int? { links.first { $0.handle == handle }?.link }

  /// Whether there can be one more link.
  var hasRoomForLink: Bool { links.count < configuration.linkLimit }

  /// The name for a new link: the lowest that is free, so that names come back soon, as on real controllers.
  mutating func addLink(_ link: Int) -> UInt16 {
    var handle: UInt16 = 0x0040
    while links.contains(where: { $0.handle == handle }) { handle &+= 1 }
    links.append(ControllerLink(handle: handle, link: link))
    return handle
  }

  /// A link has ended; what the host still had in the buffers of it is gone without another word. Data of it comes before
  /// the news of that, as far as the host has granted room; the rest is lost with the link. What the host has counts as
  /// done (Core 5.4, Vol 4, Part E, 4.1.2), so that others have its room.
  mutating func closeLink(_ handle: UInt16, reason: HCIStatus, unsent: Int) {
    links.removeAll { $0.handle == handle }
    buffersInUse = max(0, buffersInUse &- unsent)
    for packet in waiting where packet.connectionHandle == handle && hostRoom.isGranted { pass(packet) }
    waiting.removeAll { $0.connectionHandle == handle }
    hostRoom.forget(handle)
    send(DisconnectionComplete(status: .success, connectionHandle: handle, reason: reason))
  }
}

/// A link as its controller knows it.
struct ControllerLink: Hashable, Sendable {
  /// The host's name for it.
  var handle: UInt16
  /// The air's name for it.
  var link: Int
}

extension [UInt8] {
  /// The bytes in pieces of at most `size`.
  func chunks(of size: Int) -> [[UInt8]] {
    guard count > size, size > 0 else { return [self] }
    return stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min(count, $0 &+ size)]) }
  }
}
