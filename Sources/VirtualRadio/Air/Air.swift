import BluetoothTypes
import RadioPort

/// The space between virtual controllers: who hears whom, when, and how strongly.
///
/// A synchronous machine. Packets from hosts go in with `receive`, time goes in with `advance`, packets to hosts are
/// drained with `takeOutputs`, and `nextEvent` says when there will be something to do. What nobody can observe, such as
/// advertisements that nobody listens to or empty connection events, takes no steps.
package struct Air: Sendable {
  /// A world of its own for each seed.
  package init(seed: UInt64) { self.seed = seed }

  private let seed: UInt64

  // MARK: Controllers

  /// Switches a new controller on.
  package mutating func addController(_ configuration: ControllerConfiguration) -> ControllerID {
    ControllerID(rawValue: 0)
  }

  /// Takes a controller away as if its battery was pulled: nobody is told, its links time out at their other ends.
  package mutating func removeController(_ id: ControllerID, now: RadioInstant) {}

  /// Switches a controller off or on again. Off, it hears and says nothing and has forgotten everything; its links time
  /// out at their other ends.
  package mutating func setPowered(_ isPowered: Bool, _ id: ControllerID, now: RadioInstant) {}

  // MARK: HCI

  /// Takes one packet from the host of a controller.
  package mutating func receive(_ packet: HCIPacket, from id: ControllerID, now: RadioInstant) {}

  /// When something happens next; `nil` if nothing does until a host says something.
  package var nextEvent: RadioInstant? { nil }

  /// Lets everything happen that is due until `now`.
  package mutating func advance(to now: RadioInstant) {}

  /// What the controllers have said to their hosts since the last call, in order.
  package mutating func takeOutputs() -> [(ControllerID, HCIPacket)] { [] }

  // MARK: Space

  /// How far a radio reaches, in metres.
  package mutating func setRange(_ metres: Double, now: RadioInstant) {}

  /// Moves a controller.
  package mutating func setPosition(_ position: RadioPosition, of id: ControllerID, now: RadioInstant) {}

  /// Puts a controller behind thick walls, whatever its position, or takes it out again.
  package mutating func setReachable(_ isReachable: Bool, _ id: ControllerID, now: RadioInstant) {}
}
