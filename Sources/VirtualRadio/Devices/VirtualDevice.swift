import BluetoothTypes
import HostStack
import RadioPort
import Synchronization

/// A device in a world: our host in the peripheral role on a virtual controller of its own.
///
/// It is made by ``World/add(_:)``. Behind ready-made devices such as ``HeartRateBand`` there is one too, as their
/// `device`, for what a test wants to do to any device: change values, answer wrongly, send nonsense, disappear.
public actor VirtualDevice: DeviceHandle {
  /// The name that it was described with.
  public nonisolated let name: String
  /// The address that it advertises with.
  public nonisolated var address: BluetoothAddress { board.withLock { $0.address } }
  /// The device itself.
  public nonisolated var device: VirtualDevice { self }
  /// The world that it is in.
  public nonisolated let world: World

  /// The executor of the world.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  nonisolated let executor: any RadioExecutor
  nonisolated let channel: VirtualChannel
  /// Where everything stands in the database now.
  nonisolated var layout: DeviceLayout { board.withLock { $0.layout } }
  nonisolated let description: Description
  nonisolated let board: Mutex<Board>
  /// The first number of the device's own source of chance.
  nonisolated let part: UInt64

  var host: Host
  /// Counts the hosts: each gives out its names anew, so that what is for an earlier one must not reach the next.
  var life: UInt64 = 0
  /// Counts the openings of the channel: what an earlier one still delivers is dropped.
  var opening: UInt64 = 0
  var isOpen = false
  var isDelivering = false
  var timer: (id: RadioTimer, deadline: RadioInstant)?
  /// The timers of values that are sent by themselves.
  var sendings: [AttributeHandle: Sending] = [:]
  /// How often each of those values is sent.
  var intervals: [AttributeHandle: Duration] = [:]
  /// Values that wait until a client takes them, oldest first.
  var waiting: [LinkID: WaitingValues] = [:]
  /// What is published on the host that the device has now, and the channels that are open.
  var channelListeners: [ChannelListenerID: Channel] = [:]
  var channels: [ChannelID: ChannelEntry] = [:]
  /// Brings the device back into range.
  var comeback: RadioTimer?

  /// A value that is sent by itself.
  struct Sending {
    let timer: RadioTimer
    let due: RadioInstant
  }

  init(_ description: Description, in world: World) {
    let count = world.countDevice(named: description.name)
    let part = SeededGenerator.part("device \(description.name) \(count)")
    var chance = SeededGenerator(seed: world.seed, part: part)
    // A static random address (Core 5.4, Vol 6, Part B, 1.3.2.1).
    let drawn = BluetoothAddress(chance.next() | 0xC000_0000_0000, .random)
    let address = description.address ?? drawn
    let layout = DeviceLayout(description)

    name = description.name
    self.world = world
    self.description = description
    self.part = part
    executor = world.executor
    channel = world.space.addController(
      ControllerConfiguration(
        address: address.kind == .public ? address : BluetoothAddress(0, .public),
        position: description.position,
        transmitPower: description.transmitPower
      ),
      name: description.name
    )
    host = Self.makeHost(description, layout.services, address: address, randomness: chance.next())
    var board = Board(address: address, layout: layout)
    for obstacle in layout.obstacles(to: description) {
      board.problems.append("\(world.executor.now.sinceStart): \(obstacle)")
    }
    self.board = Mutex(board)
    for entry in layout.entries { intervals[entry.value] = entry.characteristic.interval }
  }

  private static func makeHost(
    _ description: Description,
    _ services: [ServiceDefinition],
    address: BluetoothAddress,
    randomness: UInt64
  ) -> Host {
    Host(
      configuration: HostConfiguration(
        name: description.name,
        appearance: description.appearance.rawValue,
        services: services,
        mtu: UInt16(clamping: description.mtu),
        randomAddress: address.kind == .public ? nil : address,
        randomness: randomness,
        hasDatabaseHash: description.hasDatabaseHash,
        interceptsRequests: true
      )
    )
  }

  // MARK: Changes

  /// Starts again, with another address, a random one where that is `nil`, or with other services. Nobody is told.
  func restart(address wish: BluetoothAddress?? = nil, services: [Service]? = nil) {
    let wasOpen = isOpen
    shutDown()
    var chance = chance(for: "restart \(opening)")
    let drawn = BluetoothAddress(chance.next() | 0xC000_0000_0000, .random)
    let (address, layout) = board.withLock { board in
      if let wish { board.address = wish ?? drawn }
      if let services {
        var description = description
        description.services = services
        board.layout = DeviceLayout(description)
        board.adoptValues()
      }
      board.links = []
      board.mtu = [:]
      board.subscribers = [:]
      return (board.address, board.layout)
    }
    waiting = [:]
    endAllChannels(RadioFailure(.poweredOff, reason: "the device has started again"))
    for handle in sendings.keys { stopSending(handle) }
    if services != nil { adoptIntervals(of: layout) }
    let controller = channel.controller
    let own = address.kind == .public ? address : BluetoothAddress(0, .public)
    channel.space.changeAir { air, now in air.setAddress(own, of: controller, now: now) }
    life &+= 1
    host = Self.makeHost(description, layout.services, address: address, randomness: chance.next())
    channelListeners = [:]
    for (handle, value) in board.withLock({ $0.values }) { host.setValue(value, of: handle) }
    if let services { noteObstacles(services, layout) }
    if wasOpen { startUp() }
  }

  /// Puts other services in the place of all; clients that want to know are told.
  func replaceServices(_ services: [Service]) {
    let now = executor.now
    let old = layout
    for handle in sendings.keys { stopSending(handle) }
    for handle in old.handles { host.remove(handle, now: now) }
    let layout = board.withLock { board in
      board.layout.replace(with: services)
      board.adoptValues()
      board.subscribers = [:]
      return board.layout
    }
    waiting = [:]
    adoptIntervals(of: layout)
    for service in layout.services { _ = host.add(service, owner: 0, now: now) }
    noteObstacles(services, layout)
    deliver()
  }

  private func noteObstacles(_ services: [Service], _ layout: DeviceLayout) {
    for obstacle in layout.obstacles(to: services) { problem(obstacle) }
  }

  private func adoptIntervals(of layout: DeviceLayout) {
    intervals = [:]
    for entry in layout.entries { intervals[entry.value] = entry.characteristic.interval }
  }

  /// A source of chance for one part of this device's behaviour: the same for every run with the same seed.
  nonisolated func chance(for purpose: String) -> SeededGenerator {
    SeededGenerator(seed: world.seed, part: part ^ SeededGenerator.part(purpose))
  }

  /// Does something to the device, at once if the caller is in the world.
  nonisolated func perform(_ work: @escaping @Sendable (isolated VirtualDevice) -> Void) {
    executor.run { self.assumeIsolated { work($0) } }
  }

  // MARK: Power

  func startUp() {
    guard !isOpen else { return }
    channel.space.setPowered(true, channel.controller)
    isOpen = true
    opening &+= 1
    let opening = opening
    let receive = ActorEntrance<VirtualDevice, HCIPacket>(executor) { device, packet in
      device.receive(packet, opening)
    }
    // The channel keeps the device for as long as it is on.
    channel.open(
      receive: { packet in receive(self, packet) },
      closed: { failure in self.assumeIsolated { $0.closed(failure, opening) } }
    )
    let now = executor.now
    host.powerOn(now: now)
    host.startAdvertising(DeviceLayout.advertising(description), now: now)
    board.withLock { $0.isPowered = true }
    deliver()
  }

  func shutDown() {
    guard isOpen else { return }
    isOpen = false
    opening &+= 1
    channel.close()
    channel.space.setPowered(false, channel.controller)
    host.powerOff()
    board.withLock { $0.isPowered = false }
    deliver()
  }

  private func closed(_ failure: HCIChannelFailure, _ opening: UInt64) {
    guard opening == self.opening, isOpen else { return }
    isOpen = false
    host.powerOff(RadioState(.poweredOff, reason: failure.reason))
    board.withLock { $0.isPowered = false }
    if let comeback { executor.cancel(comeback) }
    comeback = nil
    deliver()
  }

  private func receive(_ packet: HCIPacket, _ opening: UInt64) {
    guard opening == self.opening, isOpen else { return }
    // What comes out of it is delivered behind the rest.
    guard !isDelivering else { return host.receive(packet, now: executor.now) }
    var batch: [HostOutput] = []
    var deadline: RadioInstant?
    _ = host.receive(packet, now: executor.now, outputs: &batch, deadline: &deadline)
    deliver(&batch, &deadline)
  }

  // MARK: Delivery

  /// Sends and handles all that came out of the host, in order. What that causes in turn comes behind it.
  func deliver() {
    guard !isDelivering else { return }
    var batch: [HostOutput] = []
    var deadline: RadioInstant?
    host.nextOutputs(&batch, deadline: &deadline)
    deliver(&batch, &deadline)
  }

  private func deliver(_ batch: inout [HostOutput], _ deadline: inout RadioInstant?) {
    isDelivering = true
    while !batch.isEmpty {
      // What is handled may switch the device off and on; the rest is not for the controller then.
      let (opening, life) = (opening, life)
      // Taken from the end they are moved: such an output costs more to copy than to handle.
      if batch.count > 1 { batch.reverse() }
      while let output = batch.popLast() {
        switch output {
        case .send(let packet): if isOpen, opening == self.opening { channel.send(packet) }
        // What an earlier host tells is of links and handles that the present one gives to others.
        case .event(let event): if life == self.life { handle(event) }
        }
      }
      host.nextOutputs(&batch, deadline: &deadline)
    }
    isDelivering = false
    arm(deadline)
  }

  /// Keeps one timer that fires no later than the host's deadline. One that fires too early does no harm.
  private func arm(_ deadline: RadioInstant?) {
    guard let deadline else {
      if let timer { executor.cancel(timer.id) }
      return timer = nil
    }
    if let timer {
      guard deadline < timer.deadline else { return }
      executor.cancel(timer.id)
    }
    let id = executor.schedule(at: deadline) { [weak self] in self?.assumeIsolated { $0.fired() } }
    timer = (id, deadline)
  }

  private func fired() {
    timer = nil
    host.wake(now: executor.now)
    deliver()
  }
}
