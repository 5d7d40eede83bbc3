import BluetoothTypes
import RadioPort

/// The channels of a radio as they are seen by who runs on its executor already: each call is made at once.
struct ChannelAccess: Sendable {
  let radio: any ChannelRadio
  let executor: any RadioExecutor

  init(_ radio: any ChannelRadio) {
    self.radio = radio
    executor = radio.executor
  }

  private func enter<Result: Sendable>(_ body: @Sendable (isolated any ChannelRadio) -> Result) -> Result {
    func open<Opened: ChannelRadio>(_ radio: Opened) -> Result { radio.assumeIsolated { body($0) } }
    return open(radio)
  }

  func open(
    _ psm: L2CAPPSM,
    on link: LinkID,
    _ options: ChannelOptions,
    events: @escaping @Sendable (ChannelEvent) -> Void,
    completion: @escaping @Sendable (Result<ChannelInfo, RadioFailure>) -> Void
  ) -> ChannelID {
    enter { $0.openChannel(to: psm, on: link, options: options, events: events, completion: completion) }
  }

  func publish(
    _ publication: ChannelPublication,
    incoming: @escaping @Sendable (ChannelID, ChannelInfo) -> @Sendable (ChannelEvent) -> Void,
    completion: @escaping @Sendable (Result<L2CAPPSM, RadioFailure>) -> Void
  ) -> ChannelListenerID {
    enter { $0.publishChannel(publication, incoming: incoming, completion: completion) }
  }

  func unpublish(_ listener: ChannelListenerID) { enter { $0.unpublishChannel(listener) } }

  func send(_ message: [UInt8], on channel: ChannelID) throws(RadioFailure) -> ChannelSendOutcome {
    let result: Result<ChannelSendOutcome, RadioFailure> = enter { radio in
      Result { () throws(RadioFailure) in try radio.send(message, on: channel) }
    }
    return try result.get()
  }

  func receive(on channel: ChannelID) -> [UInt8]? { enter { $0.receive(on: channel) } }

  func close(_ channel: ChannelID, _ closing: ChannelClosing, completion: @escaping @Sendable () -> Void = {}) {
    enter { $0.closeChannel(channel, closing, completion: completion) }
  }
}
