import BluetoothTypes
import RadioPort

// The credit-based channels.

extension HostLink {
  /// Asks the peer for a channel; ends with `.opened`.
  package mutating func openChannel(
    _ id: ChannelID,
    to psm: L2CAPPSM,
    _ options: ChannelOptions,
    now: RadioInstant
  ) {
    guard !hasEnded else { return outputs.append(.channel(id, .opened(.failure(Self.goneFailure)))) }
    channels.open(id, to: psm, ChannelParameters(options), now: now, &identifiers, &outputs)
  }

  /// Takes a channel that the peer has asked for, unless it has asked for what can not be.
  ///
  /// - Returns: The longest SDUs; `nil` if there is no channel, and the peer was told why.
  package mutating func accept(
    _ request: L2CAPLECreditBasedConnectionRequest,
    identifier: UInt8,
    as id: ChannelID,
    _ options: ChannelOptions
  ) -> ChannelLimits? {
    guard !hasEnded else { return nil }
    return channels.accept(request, identifier: identifier, as: id, ChannelParameters(options), &outputs)
  }

  /// Refuses a channel that the peer has asked for.
  package mutating func refuse(channel identifier: UInt8, _ result: L2CAPConnectionResult) {
    guard !hasEnded else { return }
    outputs.append(.signalling(identifier, L2CAPLECreditBasedConnectionResponse(refused: result)))
  }

  /// Sends an SDU; `false` if there is no room, and then `.room` tells when.
  ///
  /// - Throws: `.tooLong`, and `.notConnected` if the channel is not open.
  package mutating func send(_ sdu: [UInt8], on channel: ChannelID) throws(RadioFailure) -> Bool {
    guard !hasEnded else { throw Self.goneFailure }
    return try channels.send(sdu, on: channel, &outputs)
  }

  /// The owner has so many SDUs of a channel; the oldest are the first.
  package mutating func consumed(_ count: Int, on channel: ChannelID) {
    channels.consume(channel, count: count, &identifiers, &outputs)
  }

  /// Closes a channel, or gives it up; ends with `.released`.
  package mutating func close(_ channel: ChannelID, _ closing: ChannelClosing, now: RadioInstant) {
    guard !hasEnded else { return outputs.append(.channel(channel, .released)) }
    channels.close(channel, closing, now: now, &identifiers, &outputs)
  }
}
