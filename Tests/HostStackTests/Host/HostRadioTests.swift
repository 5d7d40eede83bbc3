import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("The radio over our host")
struct HostRadioTests {
  let executor = TestExecutor()
  let channel: ScriptedChannel
  let radio: HostRadio

  init() {
    channel = ScriptedChannel(executor)
    radio = HostRadio(executor: executor, channel: channel, configuration: HostConfiguration())
  }

  private func act<Result: Sendable>(_ body: @Sendable (isolated HostRadio) throws -> Result) rethrows -> Result {
    let result = try radio.assumeIsolated { try body($0) }
    executor.run()
    return result
  }

  private func on() {
    act { $0.powerOn() }
    #expect(act { $0.state } == .poweredOn)
  }

  @Test("powers on over the channel, and off; observers are told in order until they end")
  func power() {
    let states = Log<RadioState.Power>()
    #expect(act { $0.state } == .unknown)
    let observation = act { $0.observeState { states.add($0.power) } }
    on()
    act { $0.powerOn() }
    act { $0.powerOff() }
    act { $0.powerOff() }
    act { $0.powerOn() }
    act { $0.endObservation(observation) }
    act { $0.powerOff() }
    #expect(states.all == [.poweredOn, .poweredOff, .poweredOn])
    #expect(channel.state.withLock { $0.openings } == 2)
    #expect(channel.state.withLock { $0.closings } == 2)
    #expect(executor.timerCount == 0)
  }

  @Test("a channel that can not be opened is told with its reason, and may be tried again")
  func refusedChannel() {
    channel.state.withLock { $0.refusal = HCIChannelFailure(.unreachable, reason: "nobody listens on port 7001") }
    act { $0.powerOn() }
    #expect(act { $0.state } == RadioState(.poweredOff, reason: "nobody listens on port 7001"))
    channel.state.withLock { $0.refusal = nil }
    on()
  }

  @Test("a controller that never answers is given up after 5 s; late packets of its channel are dropped")
  func silentController() {
    channel.state.withLock { $0.controller.answers[.reset] = { _ in [] } }
    act { $0.powerOn() }
    executor.pass(.seconds(6))
    #expect(act { $0.state.power } == .poweredOff)
    #expect(channel.state.withLock { $0.closings } == 1)
    #expect(executor.timerCount == 0)
  }

  @Test("a controller that fails at start-up is left, and may be tried again")
  func failedStart() {
    channel.state.withLock {
      $0.controller.answers[.reset] = { _ in [HostBench.refuse(.reset, .hardwareFailure)] }
    }
    act { $0.powerOn() }
    #expect(act { $0.state.power } == .poweredOff)
    #expect(channel.state.withLock { $0.closings } == 1)
    channel.state.withLock { $0.controller.answers = [:] }
    on()
  }

  @Test("F01: when the channel breaks, everything pending ends once with poweredOff")
  func channelBreaks() {
    on()
    let failures = Log<RadioFailure.Kind>()
    let events = Log<LinkEvent>()
    let link = Log<LinkID>()
    _ = act { $0.startScan(ScanRequest(), sighting: { _ in }, ended: { failures.add($0.kind) }) }
    let claim = act {
      $0.connect(
        to: PeerID(HostBench.peer(1)),
        options: LinkOptions(),
        events: { events.add($0) },
        completion: { if case .success(let made) = $0 { link.add(made) } }
      )
    }
    channel.connected(HostBench.peer(1))
    _ = act {
      $0.connect(
        to: PeerID(HostBench.peer(2)),
        options: LinkOptions(),
        events: { _ in },
        completion: { if case .failure(let failure) = $0 { failures.add(failure.kind) } }
      )
    }
    guard let made = link.all.first else {
      Issue.record("no link")
      return
    }
    @Sendable func note<Value>(_ result: Result<Value, RadioFailure>) {
      if case .failure(let failure) = result { failures.add(failure.kind) }
    }
    channel.state.withLock { $0.controller.answers[.readRSSI] = { _ in [] } }
    let requests = act { radio in
      [
        radio.read(AttributeHandle(3), on: made) { note($0) },
        radio.write([1], to: AttributeHandle(3), on: made) { note($0) },
        radio.discover(nil, on: made) { note($0) },
        radio.readRSSI(of: made) { note($0) },
      ]
    }
    #expect(Set(requests).count == 4)
    #expect(failures.all.isEmpty)
    channel.fail(HCIChannelFailure(.closed, reason: "the other end has closed the connection"))
    executor.run()
    #expect(failures.all == Array(repeating: .poweredOff, count: 6))
    #expect(events.all.count == 1)
    guard case .disconnected(let failure)? = events.all.first else {
      Issue.record("the link's end was not told")
      return
    }
    #expect(failure.kind == .poweredOff)
    // Afterwards nothing more is told, and a release ends at once.
    let released = Log<Bool>()
    act { $0.release(claim) { released.add(true) } }
    act { $0.powerOff() }
    executor.pass(.seconds(60))
    #expect(released.all == [true])
    #expect(failures.all.count == 6)
    #expect(executor.timerCount == 0)
    #expect(act { $0.requests.isEmpty && $0.claims.isEmpty && $0.scans.isEmpty && $0.releases.isEmpty })
  }

  @Test("what is asked for while the radio is off fails at once, each call once")
  func off() {
    let failures = Log<RadioFailure.Kind>()
    @Sendable func note<Value>(_ result: Result<Value, RadioFailure>) {
      if case .failure(let failure) = result { failures.add(failure.kind) }
    }
    let link = LinkID(peer: PeerID(HostBench.peer(1)), generation: 1)
    let characteristic = RemoteCharacteristic(
      declarationHandle: AttributeHandle(2),
      handle: AttributeHandle(3),
      uuid: BluetoothUUID(UInt16(0x2A37)),
      properties: .notify
    )
    act { radio in
      _ = radio.startScan(ScanRequest(), sighting: { _ in }, ended: { failures.add($0.kind) })
      _ = radio.connect(
        to: PeerID(HostBench.peer(1)),
        options: LinkOptions(),
        events: { _ in },
        completion: { note($0) }
      )
      _ = radio.readRSSI(of: link) { note($0) }
      _ = radio.discover(nil, on: link) { note($0) }
      _ = radio.read(AttributeHandle(1), on: link) { note($0) }
      _ = radio.write([], to: AttributeHandle(1), on: link) { note($0) }
      _ = radio.writeWithoutResponse([], to: AttributeHandle(1), on: link) { note($0) }
      _ = radio.subscribe(to: characteristic, on: link, handler: { _ in }, completion: { note($0) })
    }
    #expect(failures.all == Array(repeating: .poweredOff, count: 8))
    let ended = Log<Bool>()
    act { $0.unsubscribe(SubscriptionID(rawValue: 99)) { _ in ended.add(true) } }
    act { $0.release(ClaimID(rawValue: 99)) { ended.add(true) } }
    #expect(ended.all == [true, true])
  }

  @Test("F05, F06: none of a claim's closures is called after its release")
  func released() {
    on()
    let called = Log<String>()
    let claim = act {
      $0.connect(
        to: PeerID(HostBench.peer(1)),
        options: LinkOptions(),
        events: { _ in called.add("event") },
        completion: { _ in called.add("completion") }
      )
    }
    act { $0.release(claim) { called.add("released") } }
    channel.connected(HostBench.peer(1))
    executor.run()
    channel.say(
      DisconnectionComplete(
        status: .success,
        connectionHandle: 0x40,
        reason: .connectionTerminatedByLocalHost
      )
    )
    executor.run()
    #expect(called.all == ["released"])
  }

  @Test("a request that was abandoned gets no completion")
  func abandoned() {
    on()
    let link = Log<LinkID>()
    let called = Log<Bool>()
    _ = act {
      $0.connect(
        to: PeerID(HostBench.peer(1)),
        options: LinkOptions(),
        events: { _ in },
        completion: { if case .success(let made) = $0 { link.add(made) } }
      )
    }
    channel.connected(HostBench.peer(1))
    guard let made = link.all.first else {
      Issue.record("no link")
      return
    }
    channel.state.withLock { $0.controller.answers[.readRSSI] = { _ in [] } }
    act { radio in
      let rssi = radio.readRSSI(of: made) { _ in called.add(true) }
      let read = radio.read(AttributeHandle(1), on: made) { _ in called.add(true) }
      radio.abandon(rssi)
      radio.abandon(read)
    }
    channel.say(HostBench.complete(ReadRSSI.self, .init(handle: 0x40, rssi: -50)))
    channel.say(DisconnectionComplete(status: .success, connectionHandle: 0x40, reason: .connectionTimeout))
    executor.run()
    #expect(called.all.isEmpty)
  }

  @Test("a completion may call the radio again, and what follows comes behind")
  func reentrance() {
    let order = Log<String>()
    let radio = radio
    act {
      _ = $0.startScan(ScanRequest(), sighting: { _ in }) { _ in
        order.add("first ended")
        radio.assumeIsolated {
          _ = $0.startScan(ScanRequest(), sighting: { _ in }) { _ in order.add("second ended") }
        }
        order.add("first returns")
      }
    }
    #expect(order.all == ["first ended", "first returns", "second ended"])
  }

  @Test("the last that a controller hears is a reset, when the radio is switched off and when it is given up")
  func lastIsReset() {
    on()
    act { $0.powerOff() }
    #expect(channel.state.withLock { $0.sent.last } == Reset().packet)
    on()
    channel.state.withLock { $0.controller.answers[.readRSSI] = { _ in [] } }
    let link = connect()
    guard let link else { return }
    _ = act { $0.readRSSI(of: link) { _ in } }
    executor.pass(.seconds(6))
    #expect(act { $0.state.power } == .poweredOff)
    #expect(channel.state.withLock { $0.sent.last } == Reset().packet)
  }

  private func connect() -> LinkID? {
    let link = Log<LinkID>()
    _ = act {
      $0.connect(
        to: PeerID(HostBench.peer(1)),
        options: LinkOptions(),
        events: { _ in },
        completion: { if case .success(let made) = $0 { link.add(made) } }
      )
    }
    channel.connected(HostBench.peer(1))
    executor.run()
    if link.all.isEmpty { Issue.record("no link") }
    return link.all.first
  }

  @Test("who releases a claim twice is told twice, both when the link is gone")
  func releasedTwice() {
    on()
    let claim = act {
      $0.connect(to: PeerID(HostBench.peer(1)), options: LinkOptions(), events: { _ in }, completion: { _ in })
    }
    channel.connected(HostBench.peer(1))
    executor.run()
    let told = Log<Int>()
    act { $0.release(claim) { told.add(1) } }
    act { $0.release(claim) { told.add(2) } }
    #expect(told.all.isEmpty)
    channel.say(
      DisconnectionComplete(status: .success, connectionHandle: 0x40, reason: .connectionTerminatedByLocalHost)
    )
    executor.run()
    #expect(told.all == [1, 2])
    act { $0.release(claim) { told.add(3) } }
    #expect(told.all == [1, 2, 3])
  }

  @Test("who unsubscribes twice is told twice, both when the peer has agreed")
  func unsubscribedTwice() {
    on()
    guard let link = connect() else { return }
    let subscription = subscribe(on: link) {}
    let told = Log<Int>()
    act { $0.unsubscribe(subscription) { _ in told.add(1) } }
    act { $0.unsubscribe(subscription) { _ in told.add(2) } }
    #expect(told.all.isEmpty)
    data([0x13])
    #expect(told.all == [1, 2])
  }

  /// Subscribes to the indications of attribute 3.
  private func subscribe(on link: LinkID, _ handler: @escaping @Sendable () -> Void) -> SubscriptionID {
    // The MTU, which is asked for first.
    data([0x03, 23, 0])
    let subscription = act {
      $0.subscribe(
        to: RemoteCharacteristic(
          declarationHandle: AttributeHandle(2),
          handle: AttributeHandle(3),
          uuid: BluetoothUUID(UInt16(0x2A37)),
          properties: .indicate,
          descriptors: [.init(handle: AttributeHandle(4), uuid: BluetoothUUID(UInt16(0x2902)))]
        ),
        on: link,
        handler: { _ in handler() },
        completion: { _ in }
      )
    }
    data([0x13])
    return subscription
  }

  private func data(_ pdu: [UInt8]) {
    let frame = [UInt8(pdu.count), 0, 4, 0] + pdu
    channel.say(ACLPacket(connectionHandle: 0x40, boundary: .firstFlushable, data: frame).packet)
    executor.run()
  }

  @Test("what was for the controller before the radio went off and on again in a callback is not sent after")
  func offAndOnInCallback() {
    on()
    guard let link = connect() else { return }
    let radio = radio
    let channel = channel
    let sentBefore = Log<Int>()
    _ = subscribe(on: link) {
      radio.assumeIsolated {
        // The confirmation stands behind this in the same batch, and the command would be in the next.
        _ = $0.readRSSI(of: link) { _ in }
        $0.powerOff()
        sentBefore.add(channel.state.withLock { $0.sent.count })
        $0.powerOn()
      }
    }
    data([0x1D, 3, 0, 1])
    #expect(sentBefore.all.count == 1)
    let sent = channel.state.withLock { $0.sent }
    let after = sent.dropFirst(sentBefore.all.first ?? 0)
    #expect(after.first == Reset().packet)
    #expect(after.allSatisfy { $0.kind == .command } && !after.contains(ReadRSSI(handle: 0x40).packet))
    #expect(act { $0.state } == .poweredOn)
  }

  @Test("each observer sees every packet in both directions, until its observation ends")
  func packetObservers() throws {
    let (first, second) = (Log<HCIPacket.Direction>(), Log<HCIPacket.Direction>())
    let observation = try act { try $0.observePackets { first.add($0.direction) } }
    _ = try act { try $0.observePackets { second.add($0.direction) } }
    on()
    let sent = channel.state.withLock { $0.sent.count }
    #expect(first.all.count == 2 * sent)
    #expect(first.all.prefix(2) == [.toController, .toHost])
    #expect(second.all == first.all)

    act { $0.endObservation(observation) }
    act { $0.powerOff() }
    #expect(first.all.count == 2 * sent)
    #expect(second.all.count == 2 * sent + 1)
  }

  @Test("garbage in every kind of packet is told to the log, and a link goes on")
  func garbage() {
    on()
    let reports = Log<HostReport.Kind>()
    act { $0.setLog { reports.add($0.kind) } }
    _ = act {
      $0.connect(
        to: PeerID(HostBench.peer(1)),
        options: LinkOptions(),
        events: { _ in },
        completion: { _ in }
      )
    }
    channel.connected(HostBench.peer(1))
    for bytes: [UInt8] in [
      [4], [4, 0x3E], [4, 0x3E, 200, 1], [4, 0x77, 0], [4, 0x3E, 1, 0x77], [2, 1], [2, 1, 0, 9, 0], [2, 9, 0x20, 0, 0],
      [1, 3, 12, 0], [3, 0, 0, 0], [4, 0x13, 5, 1, 0x40, 0, 99, 0], [4, 0x0E, 4, 1, 3, 12, 0],
      [4, 5, 4, 0, 9, 0, 0x13],
    ] {
      if let packet = HCIPacket(bytes) { channel.say(packet) }
    }
    executor.run()
    #expect(reports.all.count == 13)
    #expect(act { $0.state } == .poweredOn)
    #expect(act { $0.host.links.count } == 1)
  }

  @Test("F44: a radio that nobody holds any more goes, and closes its channel")
  func goes() {
    let executor = TestExecutor()
    let channel = ScriptedChannel(executor)
    weak var weakRadio: HostRadio?
    do {
      let radio = HostRadio(executor: executor, channel: channel, configuration: HostConfiguration())
      radio.assumeIsolated { $0.powerOn() }
      executor.run()
      weakRadio = radio
    }
    #expect(weakRadio == nil)
    executor.run()
    #expect(channel.state.withLock { $0.closings } == 1)
    #expect(channel.state.withLock { $0.sent.last } == Reset().packet)
  }
}
