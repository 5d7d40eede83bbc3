import BluetoothTypes
import RadioPort

// The channels, and what is done with several values at once, of a radio that is not there.

extension UnavailableRadio {
  package func openChannel(
    to psm: L2CAPPSM,
    on link: LinkID,
    options: ChannelOptions,
    events: @escaping @Sendable (ChannelEvent) -> Void,
    completion: @escaping @Sendable (Result<ChannelInfo, RadioFailure>) -> Void
  ) -> ChannelID {
    completion(.failure(failure))
    return ChannelID(rawValue: next())
  }

  package func publishChannel(
    _ publication: ChannelPublication,
    incoming: @escaping @Sendable (ChannelID, ChannelInfo) -> @Sendable (ChannelEvent) -> Void,
    completion: @escaping @Sendable (Result<L2CAPPSM, RadioFailure>) -> Void
  ) -> ChannelListenerID {
    completion(.failure(failure))
    return ChannelListenerID(rawValue: next())
  }

  package func send(_ sdu: [UInt8], on channel: ChannelID) throws(RadioFailure) -> ChannelSendOutcome { throw failure }

  package func read(
    _ attributes: [AttributeHandle],
    on link: LinkID,
    completion: @escaping @Sendable (Result<[[UInt8]], RadioFailure>) -> Void
  ) -> RequestID {
    completion(.failure(failure))
    return RequestID(rawValue: next())
  }

  package func update(
    _ values: [ValueUpdate],
    to centrals: [LinkID]?,
    by server: ServerID
  ) throws(RadioFailure) -> UpdateOutcome { throw failure }
}
