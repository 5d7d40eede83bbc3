#if os(Linux)
  import BluetoothTypes
  import RadioPort
  import Synchronization
  import VirtualRadio

  /// One end of a channel: sends so many bytes, of which each can be told by its place, and checks those that come; or
  /// sends and takes single SDUs.
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
      /// The lengths of the SDUs that came.
      var lengths: [Int] = []
      /// How often there was no room, and how often there was again.
      var refusals = 0
      var rooms = 0
      /// Whether what comes is received.
      var isReading = true
      var ends: [RadioFailure?] = []
      /// How often the end that was asked for has come.
      var closings = 0
    }

    let radio: any Radio
    private let state = Mutex(State())

    init(_ radio: any Radio, toSend: Int = 0) {
      self.radio = radio
      state.withLock { $0.toSend = toSend }
    }

    var now: State { state.withLock { $0 } }
    var isDone: Bool { now.sent == now.toSend }

    private static func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: place &* 31 &+ place &>> 8) }

    private func enter<Value: Sendable>(_ body: @Sendable (isolated any Radio) -> Value) -> Value {
      func open<Opened: Radio>(_ radio: Opened) -> Value { radio.assumeIsolated { body($0) } }
      return open(radio)
    }

    // MARK: Calls

    func open(to psm: L2CAPPSM, on link: LinkID, _ options: ChannelOptions = ChannelOptions()) {
      let executor = radio.executor
      let id = enter { radio in
        radio.openChannel(to: psm, on: link, options: options, events: { self.take($0) }) { result in
          self.state.withLock { $0.openings += 1 }
          switch result {
          case .success(let info):
            self.state.withLock { $0.info = info }
            // The number is known only when the call has returned.
            executor.submit { self.sendMore() }
          case .failure(let failure): self.state.withLock { $0.failure = failure }
          }
        }
      }
      state.withLock { $0.channel = id }
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

    /// Sends one SDU of this length; what the radio says, or throws.
    func sendOne(_ length: Int) -> Result<ChannelSendOutcome, RadioFailure> {
      let (id, from) = state.withLock { ($0.channel, $0.sent) }
      guard let id else { return .failure(RadioFailure(.notConnected, reason: "there is no channel")) }
      let sdu = (from..<(from + length)).map(Self.byte)
      let result: Result<ChannelSendOutcome, RadioFailure> = enter { radio in
        Result { () throws(RadioFailure) in try radio.send(sdu, on: id) }
      }
      if case .success(.taken) = result {
        state.withLock { ($0.sent, $0.toSend) = ($0.sent + length, $0.toSend + length) }
      }
      return result
    }

    func setReading(_ isReading: Bool) {
      state.withLock { $0.isReading = isReading }
      if isReading { receiveMore() }
    }

    func close(_ closing: ChannelClosing) {
      guard let id = now.channel else { return }
      enter { radio in radio.closeChannel(id, closing) { self.state.withLock { $0.closings += 1 } } }
    }

    // MARK: Events

    private func take(_ event: ChannelEvent) {
      switch event {
      case .readyToSend:
        state.withLock { $0.rooms += 1 }
        sendMore()
      case .readyToReceive: if now.isReading { receiveMore() }
      case .ended(let failure): state.withLock { $0.ends.append(failure) }
      }
    }

    private func sendMore() {
      guard let id = now.channel, let info = now.info else { return }
      while true {
        let (from, end) = state.withLock { ($0.sent, min($0.toSend, $0.sent + info.sendLimit)) }
        guard from < end else { return }
        let sdu = (from..<end).map(Self.byte)
        switch enter({ radio in try? radio.send(sdu, on: id) }) {
        case .taken: state.withLock { $0.sent = end }
        case .full: return state.withLock { $0.refusals += 1 }
        case nil: return
        }
      }
    }

    private func receiveMore() {
      guard let id = now.channel else { return }
      while let sdu = enter({ $0.receive(on: id) }) {
        state.withLock { state in
          for (offset, byte) in sdu.enumerated() where byte != Self.byte(state.received + offset) {
            state.isWrong = true
          }
          state.received += sdu.count
          state.lengths.append(sdu.count)
        }
      }
    }
  }
#endif
