import BluetoothTypes

/// What the link layer of a controller is doing (Core 5.4, Vol 6, Part B, 1.1); several at once but for standby, which is
/// none of the others.
public struct LinkLayerStates: OptionSet, Hashable, Sendable, CustomStringConvertible {
  /// The bits.
  public let rawValue: UInt8
  /// States from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It neither sends nor listens.
  public static let standby: LinkLayerStates = []
  /// It sends advertisements.
  public static let advertising = LinkLayerStates(rawValue: 1)
  /// It listens to advertisements for its host.
  public static let scanning = LinkLayerStates(rawValue: 2)
  /// It listens to the advertisements of whom it is to connect to.
  public static let initiating = LinkLayerStates(rawValue: 4)
  /// It has links.
  public static let connected = LinkLayerStates(rawValue: 8)

  /// Their names, in this order.
  public var description: String {
    let names: [(LinkLayerStates, String)] = [
      (.advertising, "advertising"), (.scanning, "scanning"), (.initiating, "initiating"), (.connected, "connected"),
    ]
    let present = names.filter { contains($0.0) }.map(\.1)
    return present.isEmpty ? "standby" : present.joined(separator: ", ")
  }
}

/// A controller of a world at a moment.
public struct ControllerState: Hashable, Sendable {
  /// One of its links.
  public struct Link: Hashable, Sendable {
    /// Which end of the link it is.
    public enum Role: Hashable, Sendable {
      /// The one that made the link, and that says when the ends meet.
      case central
      /// The one that advertised.
      case peripheral
    }

    /// The address of the other end.
    public let peer: BluetoothAddress
    /// Which role this end has.
    public let role: Role
  }

  /// What the world calls it: the name of the device, or `radio`.
  public let name: String
  /// The random address that its host has set, or its public one.
  public let address: BluetoothAddress
  /// Whether it is switched on.
  public let isPoweredOn: Bool
  /// What its link layer is doing.
  public let states: LinkLayerStates
  /// Its links, oldest first.
  public let links: [Link]
}

extension Air {
  /// What the controller at `index` is doing.
  func state(at index: Int, name: String) -> ControllerState {
    let controller = controllers[index]
    let links = links.compactMap { link -> ControllerState.Link? in
      guard let side = link.side(of: controller.id), link[side].isPresent else { return nil }
      return ControllerState.Link(peer: link[side].peer, role: side == .central ? .central : .peripheral)
    }
    let activity = controller.activity
    var states = LinkLayerStates.standby
    if activity.isAdvertising { states.insert(.advertising) }
    if activity.isScanning { states.insert(.scanning) }
    if activity.isConnecting { states.insert(.initiating) }
    if !links.isEmpty { states.insert(.connected) }
    return ControllerState(
      name: name,
      address: controller.randomAddress ?? controller.configuration.address,
      isPoweredOn: controller.isPowered,
      states: states,
      links: links
    )
  }
}

extension World {
  /// What each controller is doing now, in the order in which they came into the world.
  public var controllerStates: [ControllerState] { space.controllerStates }

  /// What each controller is doing: now, and after each change. Who is slow gets the newest; the stream ends with the
  /// world.
  public var controllerStateChanges: AsyncStream<[ControllerState]> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: [ControllerState].self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let id = space.watchStates { states in
      if let states { continuation.yield(states) } else { continuation.finish() }
    }
    continuation.onTermination = { [weak space] _ in space?.unwatchStates(id) }
    return stream
  }
}
