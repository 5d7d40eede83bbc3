/// Whether and how a connection is made again that was lost without the program ending it.
///
/// It holds from the moment that a connection was ready once; a first connect that fails throws, and is not repeated.
/// What ends it: ``Peripheral/disconnect()``, a decision to give up, and the end of the last reference to the peripheral.
/// Meanwhile the peripheral's state is ``ConnectionState/reconnecting(attempt:)``. While Bluetooth is off it waits
/// until that is on again, and no attempt is counted. At least 0.1 s lie between two attempts. Streams of values go on
/// with the next connection, or have ended with the last one, as their ``OnReconnect`` says; when it is given up they
/// end with the reason.
///
/// ```swift
/// let lock = try await central.connect(to: discovery, reconnect: .waiting) { lock in
///   try await lock.write(key, to: .unlock)  // each time, before anything else
/// }
/// ```
public struct Reconnect: Sendable {
  /// What to do about a connection that was lost, or an attempt that has failed.
  public enum Decision: Hashable, Sendable {
    /// Nothing more: the state becomes disconnected, and what waits for the connection fails.
    case giveUp
    /// Connect as soon as the device is heard, however long that takes.
    ///
    /// After an attempt that has failed all the same there is a pause first, as with ``waiting``.
    case wait
    /// Try again after this time, for as long as a connect may take.
    case retry(after: Duration)
  }

  /// An attempt: after a pause, and with the time limit of a connect or without one.
  struct Step: Hashable, Sendable {
    var pause: Duration
    var isBounded: Bool
  }

  typealias Decide = @Sendable (_ error: BluetoothError, _ attempt: Int, _ chance: Double) -> Step?

  /// The next step, `nil` to give up. `chance` is at least 0 and less than 1.
  let decide: Decide
  /// Whether the program makes connections again by itself.
  let isNever: Bool

  private init(isNever: Bool = false, decide: @escaping Decide) {
    self.isNever = isNever
    self.decide = decide
  }

  /// It stays lost, until the program connects again.
  public static let never = Reconnect(isNever: true) { _, _, _ in nil }

  /// The radio waits for the device without limit. Where the device takes the connection but the attempt fails all the
  /// same, as at its set-up, there is a pause before the next one, of 1 s at first and 30 s at most.
  public static let waiting = Reconnect { _, attempt, _ in
    let pause = pause(before: attempt - 1, initial: .seconds(1), factor: 2, cap: .seconds(30))
    return Step(pause: attempt <= 1 ? .zero : pause, isBounded: false)
  }

  /// Attempts with pauses that grow.
  ///
  /// - Parameters:
  ///   - initial: The pause before the first attempt.
  ///   - factor: By what each pause is longer than the one before; at least 1.
  ///   - cap: The longest pause.
  ///   - jitter: Which part of a pause, from 0 to 1, is left to chance, so that many who lost the same device do not all
  ///     come back at once: with 0.2 it is between 80 and 100 percent. The radio gives the chance, a virtual one by its
  ///     seed.
  ///   - attempts: How many there may be; `nil` for any number.
  public static func backoff(
    initial: Duration = .seconds(1),
    factor: Double = 2,
    cap: Duration = .seconds(60),
    jitter: Double = 0.2,
    attempts: Int? = nil
  ) -> Reconnect {
    let jitter = jitter.isFinite ? min(max(jitter, 0), 1) : 0
    return Reconnect { _, attempt, chance in
      if let attempts, attempt > attempts { return nil }
      let pause = pause(before: attempt, initial: initial, factor: factor, cap: cap)
      return Step(pause: pause * (1 - jitter * chance), isBounded: true)
    }
  }

  /// The program decides each time, with the error and the number of the attempt, which begins at 1 when a connection is
  /// lost. The closure is called on the radio's executor and must not block.
  public static func when(
    _ decide: @escaping @Sendable (_ error: BluetoothError, _ attempt: Int) -> Decision
  ) -> Reconnect {
    Reconnect { error, attempt, _ in
      switch decide(error, attempt) {
      case .giveUp: nil
      case .wait: waiting.decide(error, attempt, 0)
      case .retry(let pause): Step(pause: max(pause, .zero), isBounded: true)
      }
    }
  }

  private static func pause(before attempt: Int, initial: Duration, factor: Double, cap: Duration) -> Duration {
    let factor = factor.isFinite ? max(factor, 1) : 1
    var pause = min(max(initial, .zero), cap)
    var step = 1
    // Ends soon: it grows to the cap, or not at all.
    while step < attempt, pause < cap, factor > 1, pause > .zero {
      pause = min(pause * factor, cap)
      step += 1
    }
    return max(pause, .zero)
  }
}
