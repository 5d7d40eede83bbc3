import BluetoothTypes
import HostStack
import RadioPort

extension VirtualDevice {
  /// A value that a client has written.
  public struct Write: Hashable, Sendable {
    /// The characteristic or descriptor.
    public let handle: AttributeHandle
    /// The characteristic's UUID; of the characteristic that it belongs to for a descriptor.
    public let characteristic: BluetoothUUID
    /// What was written.
    public let value: [UInt8]
    /// Whether the client waited for a response.
    public let withResponse: Bool
    /// When it came.
    public let time: RadioInstant
  }

  /// How many writes, messages of a PSM and problems a device remembers: peers may go on making them for ever.
  static let writesKept = 10_000
  static let messagesKept = 10_000
  static let problemsKept = 100

  /// What a handle shows at once, wherever the question comes from.
  struct Board: Sendable {
    var address: BluetoothAddress
    var layout: DeviceLayout
    var isPowered = false
    /// The links of centrals, oldest first.
    var links: [LinkID] = []
    var mtu: [LinkID: Int] = [:]
    var values: [AttributeHandle: [UInt8]] = [:]
    var subscribers: [AttributeHandle: Int] = [:]
    var written = Recent<Write>(keeping: VirtualDevice.writesKept)
    var problems = Recent<String>(keeping: VirtualDevice.problemsKept)
    /// How many values clients never got.
    var droppedValues = 0
    var openChannels: [OpenChannel] = []
    var messages: [L2CAPPSM: Recent<[UInt8]>] = [:]
    var onRequest: (@Sendable (Request) -> Answer)?

    init(address: BluetoothAddress, layout: DeviceLayout) {
      self.address = address
      self.layout = layout
      adoptValues()
    }

    /// Begins with the values of the description.
    mutating func adoptValues() {
      values = [:]
      for entry in layout.entries { values[entry.value] = entry.characteristic.value }
    }
  }
}

extension DeviceHandle {
  /// The name that the device was described with.
  public var name: String { device.name }
  /// The address that the device advertises with.
  public var address: BluetoothAddress { device.address }
  /// Whether the device is switched on.
  public var isPoweredOn: Bool { device.board.withLock { $0.isPowered } }
  /// Whether a central is connected, as far as the device knows: one that went out of range is gone for the device only
  /// when the supervision timeout is over.
  public var isConnected: Bool { connectionCount > 0 }
  /// How many centrals are connected.
  public var connectionCount: Int { device.board.withLock { $0.links.count } }
  /// How many clients have subscribed to a characteristic, to all of this UUID together if there are several.
  public func subscriberCount(of characteristic: BluetoothUUID) -> Int {
    let handles = device.handles(of: characteristic)
    return device.board.withLock { board in handles.reduce(0) { $0 + board.subscribers[$1, default: 0] } }
  }

  /// What the device's host found wrong: peers that break the protocol, values that it could not send. For the message
  /// of a test that fails. The last 100; ``problemCount`` says how many there were.
  public var problems: [String] { device.board.withLock { $0.problems.elements } }
  /// How many problems there were until now.
  public var problemCount: Int { device.board.withLock { $0.problems.count } }

  /// How many values clients that had subscribed never got, because they take them more slowly than the device sends.
  ///
  /// What there is no room for waits. A value that is sent by itself, at its interval, takes the place of one of the same
  /// characteristic that waits for the same client. Of all others up to 4000 wait for a client, and then the oldest goes.
  public var droppedValueCount: Int { device.board.withLock { $0.droppedValues } }

  // MARK: Space

  /// Puts the device where nobody hears it. Whoever is connected finds out by the supervision timeout.
  public func moveOutOfRange() { device.perform { $0.setReachable(false, backAfter: nil) } }

  /// Puts the device where nobody hears it, for a while.
  public func moveOutOfRange(for duration: Duration) {
    device.perform { $0.setReachable(false, backAfter: duration) }
  }

  /// Brings the device back from out of range, to the place where it was before.
  public func moveIntoRange() { device.perform { $0.setReachable(true, backAfter: nil) } }

  /// Puts the device at a distance from the middle of the world, where the world's own radio is at first.
  ///
  /// - Parameter distance: In metres; beyond the reach of the air it is out of range.
  public func move(to distance: Double) { move(to: RadioPosition(x: distance)) }

  /// Puts the device somewhere else, where it stays.
  public func move(to position: RadioPosition) {
    changeSpace { air, controller, now in air.setPosition(position, of: controller, now: now) }
  }

  /// Sends the device on a way that begins where it is.
  public func move(along movement: Movement) {
    changeSpace { air, controller, now in air.move(controller, along: movement, now: now) }
  }

  /// Where the device is at this moment.
  public var position: RadioPosition {
    let controller = device.channel.controller
    return device.channel.space.changeAir { air, now in air.position(of: controller, now: now) } ?? .origin
  }

  private func changeSpace(_ change: @escaping @Sendable (inout Air, ControllerID, RadioInstant) -> Void) {
    let (space, controller) = (device.channel.space, device.channel.controller)
    device.perform { _ in space.changeAir { air, now in change(&air, controller, now) } }
  }

  // MARK: Power and links

  /// The device ends the links to all centrals.
  public func disconnect() { device.perform { $0.endLinks() } }

  /// Switches the device off, as if its battery was pulled: nobody is told.
  public func powerOff() { device.perform { $0.shutDown() } }

  /// Switches the device on; it advertises again.
  public func powerOn() { device.perform { $0.startUp() } }

  /// Lets the device ask its centrals for other connection parameters, by L2CAP (Core 5.4, Vol 3, Part A, 4.20).
  ///
  /// - Parameters:
  ///   - interval: From one connection event to the next, 7.5 ms to 4 s; brought into range.
  ///   - latency: How many connection events the device may leave out, 0 to 499.
  ///   - supervisionTimeout: After how long without a packet the link counts as lost, 100 ms to 32 s.
  public func requestConnectionParameters(
    interval: ClosedRange<Duration>,
    latency: UInt16 = 0,
    supervisionTimeout: Duration = .seconds(5)
  ) {
    device.perform { $0.requestParameters(interval, latency, supervisionTimeout) }
  }

  /// Lets the device ask its centrals for a longer MTU, where nobody has yet.
  public func requestMTU() { device.perform { $0.exchangeMTU() } }

  /// Sends bytes to all centrals as an ATT PDU, whatever they are and however long.
  public func sendRaw(_ pdu: [UInt8]) { device.perform { $0.sendToAll(pdu) } }

  /// Lets `answer` say what becomes of each request and command that clients send from now on; `nil` for the usual.
  /// Not asked about the exchange of the MTU, nor about what a fault answers. It runs in the world.
  public func onRequest(_ answer: (@Sendable (VirtualDevice.Request) -> VirtualDevice.Answer)?) {
    device.board.withLock { $0.onRequest = answer }
  }
}
