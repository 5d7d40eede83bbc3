import BluetoothTypes
import RadioPort

/// A central that uses the services of a ``PeripheralServer``, for as long as it is connected. When it connects again it
/// is another one with the same ``id``.
public struct ConnectedCentral: Hashable, Sendable, Identifiable, CustomStringConvertible {
  let link: LinkID

  /// What names the device to the program.
  public var id: PeerID { link.peer }
  /// The identifier.
  public var description: String { "\(id)" }
}

extension PeripheralServer {
  /// A central's subscription to one characteristic.
  public struct Subscription: Hashable, Sendable {
    /// Who has subscribed.
    public let central: ConnectedCentral
    /// What it has subscribed to.
    public let characteristic: Characteristic<[UInt8]>
    /// In which way the values go to it; one that has asked for both gets notifications.
    public let modes: SubscriptionModes
  }

  /// What happens to a server.
  public enum Event: Sendable {
    /// A central has connected.
    case connected(ConnectedCentral)
    /// A central is gone, and why.
    case disconnected(ConnectedCentral, BluetoothError)
    /// A central has subscribed, or to more or less than before.
    case subscribed(Subscription)
    /// A central has unsubscribed, by itself or by leaving.
    case unsubscribed(ConnectedCentral, Characteristic<[UInt8]>)
    /// A central takes values of another length: the most that fits one update, in bytes.
    case maximumUpdateLengthChanged(ConnectedCentral, Int)
    /// A handler has failed with an error that is not an ``ATTError``; the central got “Unlikely error”.
    case handlerFailed(ConnectedCentral, Characteristic<[UInt8]>, any Error)
    /// A device has opened a channel.
    case channelOpened(ConnectedCentral, L2CAPPSM)
    /// The handler of a channel has ended, and with it the channel; with the error that it has thrown.
    case channelClosed(ConnectedCentral, L2CAPPSM, (any Error)?)
    /// A write without response was lost, as too many waited for their handler.
    case writeDropped(ConnectedCentral, Characteristic<[UInt8]>)
  }

  /// Where a server stands.
  public enum State: Sendable {
    /// It does not serve; why, if it was not told to stop.
    case stopped(BluetoothError?)
    /// It waits for the radio, publishes its services or begins to advertise.
    case starting
    /// It serves and advertises.
    case running
    /// It does not advertise for the moment, as the error says. When Bluetooth was off and is on again, it goes on by
    /// itself; otherwise start it again.
    case suspended(BluetoothError)

    /// Whether it serves and advertises.
    public var isRunning: Bool { if case .running = self { true } else { false } }
  }
}
