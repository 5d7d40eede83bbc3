import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

/// An air with controllers that are driven by raw HCI, and all that they have said, with the time of it.
struct AirBench {
  struct Heard {
    var time: RadioInstant
    var packet: HCIPacket
    var event: AnyHCIEvent? { try? AnyHCIEvent(packet) }
    var data: ACLPacket? { try? ACLPacket(packet) }
  }

  /// Two controllers with a link between them.
  struct Pair {
    var central: ControllerID
    var peripheral: ControllerID
    var centralHandle: UInt16
    var peripheralHandle: UInt16
  }

  var air: Air
  var now = RadioInstant.zero
  var heard: [ControllerID: [Heard]] = [:]
  private var addressCount: UInt64 = 0

  init(seed: UInt64 = 1) { air = Air(seed: seed) }

  mutating func add(_ change: (inout ControllerConfiguration) -> Void = { _ in }) -> ControllerID {
    addressCount += 1
    var configuration = ControllerConfiguration(address: address(addressCount))
    change(&configuration)
    let id = air.addController(configuration)
    send(SetEventMask(eventMask: .standard), to: id)
    send(LESetEventMask(leEventMask: .standard), to: id)
    heard[id] = []
    return id
  }

  /// The address of the controller that was added as the `number`th.
  func address(_ number: UInt64) -> BluetoothAddress { BluetoothAddress(0xC0DE_0000_0000 + number, .public) }

  // MARK: In

  mutating func send(_ command: some HCICommand, to id: ControllerID) { send(command.packet, to: id) }

  mutating func send(_ packet: HCIPacket, to id: ControllerID) {
    air.receive(packet, from: id, now: now)
    collect()
  }

  mutating func send(_ data: [UInt8], on handle: UInt16, to id: ControllerID) {
    send(ACLPacket(connectionHandle: handle, boundary: .firstNonFlushable, data: data).packet, to: id)
  }

  /// Lets time pass, one event of the air after the other; a pause of the air it does not end.
  mutating func run(for duration: Duration) {
    let end = now.advanced(by: duration)
    while !air.isPaused, let next = air.nextEvent, next <= end {
      now = next
      air.advance(to: now)
      collect()
    }
    now = end
    air.advance(to: now)
    collect()
  }

  private mutating func collect() {
    for (id, packet) in air.takeOutputs() { heard[id, default: []].append(Heard(time: now, packet: packet)) }
  }

  // MARK: Out

  /// Takes the events of one kind that a controller has sent.
  mutating func take<Event: HCIEvent>(_ type: Event.Type, from id: ControllerID) -> [Event] {
    let events = heard[id, default: []].compactMap { $0.event?.event as? Event }
    heard[id]?.removeAll { $0.event?.event is Event }
    return events
  }

  /// Takes the events of one kind, and gives the first, which must be there.
  mutating func takeFirst<Event: HCIEvent>(_ type: Event.Type, from id: ControllerID) throws -> Event {
    let events = take(type, from: id)
    return try #require(events.first)
  }

  func count<Event: HCIEvent>(_ type: Event.Type, from id: ControllerID) -> Int {
    heard[id, default: []].count { $0.event?.event is Event }
  }

  /// The status in the last answer to a command.
  func status(_ opcode: HCIOpcode, from id: ControllerID) -> HCIStatus? {
    for item in heard[id, default: []].reversed() {
      switch item.event {
      case .commandComplete(let event) where event.opcode == opcode: return event.status
      case .commandStatus(let event) where event.opcode == opcode: return event.status
      default: continue
      }
    }
    return nil
  }

  /// The statuses in all answers to a command.
  func answers(to opcode: HCIOpcode, from id: ControllerID) -> [HCIStatus?] {
    heard[id, default: []].compactMap { item in
      switch item.event {
      case .commandComplete(let event) where event.opcode == opcode: .some(event.status)
      case .commandStatus(let event) where event.opcode == opcode: .some(event.status)
      default: nil
      }
    }
  }

  /// What the last answer to a command of one kind returned.
  func answer<Command: HCICommand>(_ command: Command.Type, from id: ControllerID) -> Command.Return? {
    for item in heard[id, default: []].reversed() {
      if case .commandComplete(let event) = item.event, event.opcode == Command.opcode {
        return try? event.returned(by: command)
      }
    }
    return nil
  }

  /// The data that a controller has passed on.
  func received(by id: ControllerID) -> [[UInt8]] { heard[id, default: []].compactMap { $0.data?.data } }

  /// When a controller passed on its first packet of data.
  func firstData(at id: ControllerID) -> RadioInstant? { heard[id, default: []].first { $0.data != nil }?.time }

  // MARK: Scenes

  mutating func advertise(
    _ id: ControllerID,
    type: AdvertisingType = .connectableUndirected,
    interval: UInt16 = 160
  ) {
    send(
      LESetAdvertisingParameters(
        advertisingIntervalMin: interval,
        advertisingIntervalMax: interval,
        advertisingType: type
      ),
      to: id
    )
    send(LESetAdvertisingData(advertisingData: [2, 1, 6]), to: id)
    send(LESetScanResponseData(scanResponseData: [3, 9, 0x48, 0x69]), to: id)
    send(LESetAdvertisingEnable(advertisingEnable: true), to: id)
  }

  mutating func scan(
    _ id: ControllerID,
    _ type: LEScanType = .active,
    interval: UInt16 = 16,
    window: UInt16 = 16,
    filter: Bool = false
  ) {
    var parameters = LESetScanParameters()
    parameters.leScanType = type
    parameters.leScanInterval = interval
    parameters.leScanWindow = window
    send(parameters, to: id)
    send(LESetScanEnable(leScanEnable: true, filterDuplicates: filter), to: id)
  }

  static func connection(interval: UInt16 = 24, latency: UInt16 = 0, timeout: UInt16 = 100) -> LECreateConnection {
    var command = LECreateConnection()
    command.leScanInterval = 16
    command.leScanWindow = 16
    command.initiatorFilterPolicy = .peerAddress
    command.ownAddressType = .public
    command.connectionIntervalMin = interval
    command.connectionIntervalMax = interval
    command.maxLatency = latency
    command.supervisionTimeout = timeout
    return command
  }

  mutating func connect(
    _ id: ControllerID,
    to peer: BluetoothAddress,
    interval: UInt16 = 24,
    latency: UInt16 = 0,
    timeout: UInt16 = 100
  ) {
    var command = Self.connection(interval: interval, latency: latency, timeout: timeout)
    command.peerAddress = peer
    send(command, to: id)
  }

  /// Links two new controllers; what was said on the way is forgotten.
  mutating func link(
    interval: UInt16 = 24,
    latency: UInt16 = 0,
    timeout: UInt16 = 100,
    at position: RadioPosition = .origin,
    _ changePeripheral: (inout ControllerConfiguration) -> Void = { _ in }
  ) throws -> Pair {
    let central = add { $0.position = position }
    let peripheral = add {
      $0.position = position
      changePeripheral(&$0)
    }
    advertise(peripheral)
    connect(central, to: address(addressCount), interval: interval, latency: latency, timeout: timeout)
    run(for: .seconds(2))
    let one = try takeFirst(LEConnectionComplete.self, from: central)
    let other = try takeFirst(LEConnectionComplete.self, from: peripheral)
    #expect(one.status == .success)
    heard = [:]
    return Pair(
      central: central,
      peripheral: peripheral,
      centralHandle: one.connectionHandle,
      peripheralHandle: other.connectionHandle
    )
  }
}
