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
  public nonisolated let address: BluetoothAddress
  /// The device itself.
  public nonisolated var device: VirtualDevice { self }
  /// The world that it is in.
  public nonisolated let world: World

  /// The executor of the world.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  nonisolated let executor: any RadioExecutor
  nonisolated let channel: VirtualChannel
  nonisolated let layout: DeviceLayout
  nonisolated let description: Description
  nonisolated let board: Mutex<Board>
  /// The first number of the device's own source of chance.
  nonisolated let part: UInt64

  var host: Host
  /// Counts the openings of the channel: what an earlier one still delivers is dropped.
  var opening: UInt64 = 0
  var isOpen = false
  var isDelivering = false
  /// Memory for outputs on their way.
  private var spare: [HostOutput] = []
  var timer: (id: RadioTimer, deadline: RadioInstant)?
  /// The timers of values that are sent by themselves.
  var sendings: [AttributeHandle: Sending] = [:]
  /// How often each of those values is sent.
  var intervals: [AttributeHandle: Duration] = [:]
  /// Values that wait until a client takes them, oldest first.
  var waiting: [LinkID: [Waiting]] = [:]
  /// Brings the device back into range.
  var comeback: RadioTimer?

  /// A value that is sent by itself.
  struct Sending {
    let timer: RadioTimer
    let due: RadioInstant
  }

  /// A value that one client is still to get.
  struct Waiting {
    let handle: AttributeHandle
    let value: [UInt8]
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
    self.layout = layout
    self.address = address
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
    host = Host(
      configuration: HostConfiguration(
        name: description.name,
        appearance: description.appearance.rawValue,
        services: layout.services,
        mtu: UInt16(clamping: description.mtu),
        randomAddress: address.kind == .public ? nil : address,
        randomness: chance.next(),
        interceptsRequests: true
      )
    )
    var board = Board()
    for entry in layout.entries { board.values[entry.value] = entry.characteristic.value }
    self.board = Mutex(board)
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
    // The channel keeps the device for as long as it is on.
    channel.open(
      receive: { packet in self.assumeIsolated { $0.receive(packet, opening) } },
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
    host.receive(packet, now: executor.now)
    deliver()
  }

  // MARK: Delivery

  /// Sends and handles all that came out of the host, in order. What that causes in turn comes behind it.
  func deliver() {
    guard !isDelivering else { return }
    isDelivering = true
    var batch: [HostOutput] = []
    swap(&batch, &spare)
    while true {
      host.exchangeOutputs(&batch)
      if batch.isEmpty { break }
      // What is handled may switch the device off and on; the rest is not for the controller then.
      let opening = opening
      for output in batch {
        switch output {
        case .send(let packet): if isOpen, opening == self.opening { channel.send(packet) }
        case .event(let event): handle(event)
        }
      }
      batch.removeAll(keepingCapacity: true)
    }
    swap(&batch, &spare)
    isDelivering = false
    arm()
  }

  /// Keeps one timer that fires no later than the host's deadline. One that fires too early does no harm.
  private func arm() {
    guard let deadline = host.currentDeadline() else {
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
