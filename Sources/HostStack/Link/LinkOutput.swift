import BluetoothTypes
import RadioPort

/// What a ``HostLink`` wants done or tells; its owner drains these in order.
package enum LinkOutput: Sendable {
  /// An L2CAP frame to send, after all that came before it. With a token, tell `frameSent` when the controller has all
  /// of it.
  case frame(FrameBuffer, FrameToken?)
  /// Nobody wants this frame any more: do not send it, if none of it was sent yet. It needs no `frameSent`.
  case withdraw(FrameToken)
  /// A request has ended.
  case finished(RequestID, LinkResult)
  /// A subscription is in place, or it failed and its handler is gone.
  case subscribed(SubscriptionID, Result<Void, RadioFailure>)
  /// The peer has agreed to the end of a subscription, or was not asked.
  case unsubscribed(SubscriptionID, Result<Void, RadioFailure>)
  /// A value for one subscriber.
  case value(SubscriptionID, [UInt8])
  /// The longest ATT PDU has changed.
  case mtuChanged(Int)
  /// As central: the peripheral wants these parameters; it was told that they will be asked for.
  case parameterUpdateRequested(L2CAPConnectionParameterUpdateRequest)
  /// As peripheral: the central has taken the parameters; or it has refused them, did not answer within its time, or the
  /// link is gone.
  case parameterUpdateAnswered(Result<Void, RadioFailure>)
  /// The peer's services are known, with the hash that stands for them, if the peer has one: worth to be remembered.
  case databaseKnown(RememberedDatabase)
  /// The peer's services in this range are not what they were; the table is forgotten.
  case servicesChanged(ClosedRange<AttributeHandle>)
  /// An ATT request, command or confirmation for the server at this end; never longer than the MTU. The exchange of
  /// the MTU is answered already.
  case serverPDU([UInt8])
  /// The peer wants a channel: say what becomes of that to ``HostLink/accept(_:identifier:as:_:)`` or
  /// ``HostLink/refuse(channel:_:)``.
  case channelRequested(identifier: UInt8, L2CAPLECreditBasedConnectionRequest)
  /// Something happened to a channel.
  case channel(ChannelID, ChannelNews)
  /// What the peer sent breaks the protocol; a line for the log.
  case violation(String)
  /// The link can not be used any more: end it.
  case dropLink(RadioFailure)
}

/// How a request ended.
package enum LinkResult: Sendable {
  /// `discover`
  case services(Result<[RemoteService], RadioFailure>)
  /// `read`
  case value(Result<[UInt8], RadioFailure>)
  /// `read` of several
  case values(Result<[[UInt8]], RadioFailure>)
  /// `write` and `writeWithoutResponse`
  case done(Result<Void, RadioFailure>)
  /// `exchangeMTU`: the MTU that holds from now on
  case mtu(Result<Int, RadioFailure>)
}

/// Names a frame whose sending somebody waits for.
package enum FrameToken: Hashable, Sendable {
  /// A write without response of the client.
  case write(RequestID)
  /// A PDU of the server; the number is the server's own.
  case server(UInt64)
  /// A frame of any credit-based channel.
  case channel
}

extension LinkOutput {
  /// A command on the signalling channel.
  static func signalling(_ identifier: UInt8, _ message: some SignallingMessage) -> LinkOutput {
    .frame(FrameBuffer(.leSignalling, SignallingCommand(identifier: identifier, message)), nil)
  }
}
