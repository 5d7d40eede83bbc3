import BluetoothTypes

/// What every radio has, whatever it can do.
///
/// A radio is an actor on its own executor. Its users are actors on the same executor and enter with `assumeIsolated`,
/// so that a call and all it causes is one step. Every closure that a radio is given is called on that executor too.
public protocol BasicRadio: Actor {
  /// Where the radio runs, and its clock.
  nonisolated var executor: any RadioExecutor { get }

  /// Whether the radio can be used.
  var state: RadioState { get }

  /// Calls `observer` for every change of the state from now on.
  func observeState(_ observer: @escaping @Sendable (RadioState) -> Void) -> RadioObservation

  /// Ends an observation.
  func endObservation(_ observation: RadioObservation)

  /// Calls `observer` for every packet between host and controller from now on, until `endObservation`. It must not
  /// block and must not call the radio.
  ///
  /// - Throws: `.unsupported` if the radio does not show its packets, as that of an operating system does not.
  func observePackets(_ observer: @escaping @Sendable (RadioPacket) -> Void) throws(RadioFailure) -> RadioObservation

  /// The longest ATT PDU on a link of either role, in bytes; 23 until exchanged, and for a link that is gone.
  func mtu(of link: LinkID) -> Int

  /// A number by chance, for who has to spread what it does over time: seeded in a virtual world, so that a run repeats.
  func randomNumber() -> UInt64
}

extension BasicRadio {
  /// The radio's own executor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// A number from the system, as is right for radios that are not virtual.
  public func randomNumber() -> UInt64 { .random(in: .min ... .max) }

  /// Refuses, as is right for radios whose packets are somebody else's.
  public func observePackets(
    _ observer: @escaping @Sendable (RadioPacket) -> Void
  ) throws(RadioFailure) -> RadioObservation {
    throw RadioFailure(
      .unsupported,
      reason:
        "This radio does not show its packets. Those of a radio on an HCI controller, and of a virtual one, can be seen."
    )
  }
}

/// A radio with all its roles.
public typealias Radio = CentralRadio & PeripheralRadio

/// Names one observation of a radio.
public struct RadioObservation: Hashable, Sendable {
  /// Given out by the radio, never twice.
  public let rawValue: UInt64
  /// An identifier from the number that the radio chose.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
