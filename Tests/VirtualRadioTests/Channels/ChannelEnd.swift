import BluetoothTypes
import HostStack
import RadioPort
import Synchronization
import VirtualRadio

/// One end of a channel: sends so many bytes, of which each can be told by its place, and checks those that come.
final class ChannelEnd: Sendable {
  struct State {
    var channel: ChannelID?
    var info: ChannelInfo?
    var failure: RadioFailure?
    /// How often the wish for the channel has ended.
    var openings = 0
    var toSend = 0
    var sent = 0
    var received = 0
    var isWrong = false
    /// How often there was no room.
    var refusals = 0
    /// Whether what comes is received.
    var isReading = true
    var ends: [RadioFailure?] = []
    /// How often the end that was asked for has come.
    var closings = 0
  }

  let radio: HostRadio
  private let state = Mutex(State())

  init(_ radio: HostRadio, toSend: Int = 0) {
    self.radio = radio
    state.withLock { $0.toSend = toSend }
  }

  var now: State { state.withLock { $0 } }
  var isDone: Bool { now.sent == now.toSend }

  private static func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: place &* 31 &+ place &>> 8) }

  // MARK: Calls

  func open(to psm: L2CAPPSM, on link: LinkID, _ options: ChannelOptions) {
    radio.assumeIsolated { radio in
      let id = radio.openChannel(to: psm, on: link, options: options, events: { self.take($0) }) { result in
        self.state.withLock { $0.openings += 1 }
        switch result {
        case .success(let info):
          self.state.withLock { $0.info = info }
          // The number is known only when the call has returned.
          self.radio.executor.submit { self.sendMore() }
        case .failure(let failure): self.state.withLock { $0.failure = failure }
        }
      }
      state.withLock { $0.channel = id }
    }
  }

  /// A peer has opened the channel.
  func arrived(_ id: ChannelID, _ info: ChannelInfo) -> @Sendable (ChannelEvent) -> Void {
    state.withLock { ($0.channel, $0.info, $0.openings) = (id, info, 1) }
    radio.executor.submit { self.sendMore() }
    return { self.take($0) }
  }

  func send(_ count: Int) {
    state.withLock { $0.toSend += count }
    sendMore()
  }

  func setReading(_ isReading: Bool) {
    state.withLock { $0.isReading = isReading }
    if isReading { receiveMore() }
  }

  func close(_ closing: ChannelClosing) {
    guard let id = now.channel else { return }
    radio.assumeIsolated { $0.closeChannel(id, closing) { self.state.withLock { $0.closings += 1 } } }
  }

  // MARK: Events

  private func take(_ event: ChannelEvent) {
    switch event {
    case .readyToSend: sendMore()
    case .readyToReceive: if now.isReading { receiveMore() }
    case .ended(let failure): state.withLock { $0.ends.append(failure) }
    }
  }

  private func sendMore() {
    guard let id = now.channel, let info = now.info else { return }
    while true {
      let (from, end) = state.withLock { ($0.sent, min($0.toSend, $0.sent + info.sendLimit)) }
      guard from < end else { return }
      let outcome = radio.assumeIsolated { try? $0.send((from..<end).map(Self.byte), on: id) }
      switch outcome {
      case .taken: state.withLock { $0.sent = end }
      case .full: return state.withLock { $0.refusals += 1 }
      case nil: return
      }
    }
  }

  private func receiveMore() {
    guard let id = now.channel else { return }
    while let sdu = radio.assumeIsolated({ $0.receive(on: id) }) {
      state.withLock { state in
        for (offset, byte) in sdu.enumerated() where byte != Self.byte(state.received + offset) { state.isWrong = true }
        state.received += sdu.count
      }
    }
  }
}

/// Two radios in a world, one of which publishes a PSM and advertises.
final class ChannelPair: Sendable {
  struct State {
    var psm: L2CAPPSM?
    var listener: ChannelListenerID?
    var link: LinkID?
    var claim: ClaimID?
    var hasLostLink = false
    var accepted: [ChannelEnd] = []
  }

  let world: World
  let central: HostRadio
  let peripheral: HostRadio
  private let state = Mutex(State())

  init(_ world: World) {
    self.world = world
    central = world.mainRadio
    peripheral = world.makeHostRadio()
  }

  var now: State { state.withLock { $0 } }

  /// Calls a radio on its executor, where the test runs too.
  func enter<Result: Sendable>(_ radio: HostRadio, _ body: @Sendable (isolated HostRadio) -> Result) -> Result {
    radio.assumeIsolated { body($0) }
  }

  /// Publishes at the peripheral; each channel that comes sends so many bytes.
  func publish(_ publication: ChannelPublication, toSend: Int = 0) {
    peripheral.assumeIsolated { radio in
      let listener = radio.publishChannel(
        publication,
        incoming: { id, info in
          let end = ChannelEnd(self.peripheral, toSend: toSend)
          self.state.withLock { $0.accepted.append(end) }
          return end.arrived(id, info)
        },
        completion: { result in self.state.withLock { $0.psm = try? result.get() } }
      )
      state.withLock { $0.listener = listener }
    }
  }

  /// Advertises, finds and connects.
  func connect() async throws -> LinkID? {
    try await world.run(for: .seconds(1))
    enter(peripheral) { radio in
      let server = radio.openServer(events: { _ in })
      radio.startAdvertising(AdvertisingRequest(name: "Peer"), by: server, completion: { _ in })
    }
    return try await reconnect()
  }

  func reconnect() async throws -> LinkID? {
    let peers = Mutex<[PeerID]>([])
    let scan = enter(central) { radio in
      radio.startScan(
        ScanRequest(),
        sighting: { sighting in peers.withLock { $0.append(sighting.peer) } },
        ended: { _ in }
      )
    }
    try await world.run(for: .seconds(1))
    enter(central) { $0.stopScan(scan) }
    guard let peer = peers.withLock({ $0.first }) else { return nil }
    state.withLock { $0.link = nil }
    let claim = enter(central) { radio in
      radio.connect(
        to: peer,
        options: LinkOptions(interval: .milliseconds(15) ... .milliseconds(15)),
        events: { event in if case .disconnected = event { self.state.withLock { $0.hasLostLink = true } } },
        completion: { result in self.state.withLock { $0.link = try? result.get() } }
      )
    }
    state.withLock { $0.claim = claim }
    try await world.run(for: .seconds(1))
    return now.link
  }
}
