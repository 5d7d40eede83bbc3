import RadioPort
import Synchronization

/// A lock that opens as its user comes near and closes as the user goes: it disarms and arms a device by how far away it
/// is, or by whether it is connected.
///
/// ```swift
/// let lock = ProximityLock(scooter, by: .signal(.init(pathLoss: PathLoss(powerAtOneMeter: -59))), arm: 1, disarm: 0, to: .lock) {
///   command in await command == .disarm || !ride.isOn
/// }
/// try await lock.run()
/// ```
///
/// By distance, the device gets the command to disarm when it becomes near and the one to arm when it becomes far, while
/// it is connected; in between it keeps what it has. On each connection the first command is sent as soon as it is known
/// whether the device is near or far, as the device may have armed itself meanwhile. When the connection is lost the lock
/// waits for the next one, which is somebody else's task.
///
/// A command that the guard refuses, or that can not be sent, is tried again after a second for as long as it is wanted.
public final class ProximityLock: Sendable {
  /// What the device is told.
  public enum Command: Hashable, Sendable, CaseIterable {
    /// To lock.
    case arm
    /// To unlock.
    case disarm
  }

  /// What has happened.
  public enum Event: Sendable {
    /// A command was carried out, or the device does it by itself.
    case done(Command)
    /// The guard did not allow a command; it is asked again after a second.
    case refused(Command)
    /// A command failed; it is tried again after a second.
    case failed(Command, any Error)
  }

  /// What the lock goes by.
  public struct Mode: Sendable {
    enum Source: Sendable {
      case link
      case readings(@Sendable (Peripheral, (ProximityReading) async throws -> Void) async throws -> Void)
    }

    let source: Source

    /// The distance, from the strength of the signal.
    public static func signal(_ configuration: ProximityConfiguration) -> Mode {
      Mode(
        source: .readings { peripheral, body in
          for try await reading in peripheral.proximity(configuration) { try await body(reading) }
        }
      )
    }

    /// The distance, as the device tells it by notification.
    ///
    /// - Parameter distance: Makes metres of a value; `nil` for a value that tells none.
    public static func distance<Value: ByteReadable>(
      from characteristic: Characteristic<Value>,
      _ configuration: ProximityConfiguration,
      distance: @escaping @Sendable (Value) -> Double?
    ) -> Mode {
      Mode(
        source: .readings { peripheral, body in
          // A connection that was lost ends it: what the device does then is not known.
          let values = peripheral.values(of: characteristic, onReconnect: .end)
          let readings = RangedProximity(
            values: values,
            clock: RadioClock(executor: peripheral.core.executor),
            configuration: configuration,
            distance: distance
          )
          for try await reading in readings { try await body(reading) }
        }
      )
    }

    /// The connection: the device is disarmed when it connects and arms when the connection ends.
    public static let link = Mode(source: .link)

    var isLink: Bool { if case .link = source { true } else { false } }
  }

  /// The device.
  public let peripheral: Peripheral

  private let mode: Mode
  private let isAllowed: @Sendable (Command) async -> Bool
  private let perform: @Sendable (Command, Peripheral) async throws -> Void
  private let hub = UpdateHub<Event>(.events)
  private let latest = Mutex<Command?>(nil)

  /// A lock that does what you say.
  ///
  /// - Parameters:
  ///   - mode: What it goes by.
  ///   - isAllowed: Whether a command may be carried out now, such as not to arm while the user rides. Nothing is
  ///     measured until it answers.
  ///   - perform: Carries out a command. With ``Mode/link`` the command to arm comes when there is no connection any
  ///     more.
  public init(
    _ peripheral: Peripheral,
    by mode: Mode,
    if isAllowed: @escaping @Sendable (Command) async -> Bool = { _ in true },
    perform: @escaping @Sendable (Command, Peripheral) async throws -> Void
  ) {
    self.peripheral = peripheral
    self.mode = mode
    self.isAllowed = isAllowed
    self.perform = perform
  }

  /// A lock that writes a value for each command, and waits until the device has agreed.
  ///
  /// - Parameters:
  ///   - mode: What it goes by. With ``Mode/link`` nothing is written to arm, as there is no connection: the device is
  ///     expected to arm by itself.
  ///   - arm: What to write to arm.
  ///   - disarm: What to write to disarm.
  ///   - characteristic: Where to write it.
  ///   - isAllowed: Whether a command may be sent now; see ``init(_:by:if:perform:)``.
  public convenience init<Value: ByteWritable>(
    _ peripheral: Peripheral,
    by mode: Mode,
    arm: Value,
    disarm: Value,
    to characteristic: Characteristic<Value>,
    if isAllowed: @escaping @Sendable (Command) async -> Bool = { _ in true }
  ) {
    let isLink = mode.isLink
    self.init(peripheral, by: mode, if: isAllowed) { command, peripheral in
      if isLink, command == .arm { return }
      try await peripheral.write(command == .arm ? arm : disarm, to: characteristic, type: .withResponse)
    }
  }

  deinit { hub.close() }

  /// The command that the device has carried out last; `nil` if it is not known what the device does, as after a
  /// connection was lost.
  public var last: Command? { latest.withLock { $0 } }

  /// What happens from now on, all of it. Ends with the lock.
  public var events: Updates<Event> { Updates(hub: hub) }

  /// Runs the lock until the task is cancelled.
  ///
  /// - Throws: `CancellationError`; ``BluetoothError`` if the distance can not be had on a connection that stands, such
  ///   as `.characteristicNotFound`.
  public nonisolated(nonsending) func run() async throws {
    var machine = LockMachine()
    var wasReady = false
    defer { set(nil) }
    for await state in peripheral.states {
      try Task.checkCancellation()
      if state.isReady {
        wasReady = true
        try await runConnected(&machine)
      } else if wasReady, state.isDisconnected {
        wasReady = false
        set(nil)
        machine.end(wanting: mode.isLink ? .arm : nil)
        if mode.isLink { try await carryOut(&machine) { !self.peripheral.state.isReady } }
      }
    }
    try Task.checkCancellation()
  }

  private nonisolated(nonsending) func runConnected(_ machine: inout LockMachine) async throws {
    switch mode.source {
    case .link:
      machine.begin(wanting: .disarm)
      try await carryOut(&machine) { self.peripheral.state.isReady }
    case .readings(let follow):
      machine.begin()
      do {
        try await follow(peripheral) { reading in
          machine.follow(reading.proximity)
          try await self.attempt(&machine)
        }
      } catch let error as BluetoothError {
        // Without a connection the lock waits for the next one; the streams of states has the news.
        if peripheral.state.isReady, error.kind != .disconnected, error.kind != .notConnected { throw error }
      }
    }
  }

  /// Tries until the command is done, or the connection is not what it is for any more.
  private nonisolated(nonsending) func carryOut(
    _ machine: inout LockMachine,
    while condition: @Sendable () -> Bool
  ) async throws {
    let clock = RadioClock(executor: peripheral.core.executor)
    while condition(), let retry = machine.retry {
      try await clock.sleep(until: retry)
      guard condition() else { return }
      try await attempt(&machine)
    }
  }

  /// Tries the command that is due, if one is.
  private nonisolated(nonsending) func attempt(_ machine: inout LockMachine) async throws {
    let executor = peripheral.core.executor
    guard let command = machine.due(at: executor.now) else { return }
    guard await isAllowed(command) else {
      try Task.checkCancellation()
      machine.postponed(at: executor.now)
      hub.send(.refused(command))
      return
    }
    do {
      try await perform(command, peripheral)
      machine.succeeded(command)
      set(command)
      hub.send(.done(command))
    } catch {
      try Task.checkCancellation()
      machine.postponed(at: executor.now)
      hub.send(.failed(command, error))
    }
  }

  private func set(_ command: Command?) { latest.withLock { $0 = command } }
}
