import BluetoothTypes
import RadioPort
import Synchronization

/// Virtual devices and radios on one air, with a time of their own.
///
/// ```swift
/// try await World.simulated(seed: 1) { world in
///   let central = Central(radio: world.radio)
///   try await world.run(for: .seconds(600))
/// }
/// ```
public final class World: Sendable {
  /// What all chance in the world comes from.
  public let seed: UInt64
  /// Where the world's radios and devices run.
  package let executor: any RadioExecutor
  /// The air, and who is attached to it.
  package let space: AirSpace
  /// How many devices there are of each name.
  let deviceNames = Mutex<[String: Int]>([:])
  let radios = Mutex(WorldRadios())
  let faultBook = Mutex(FaultBook())
  let roster = Mutex(RadioRoster())

  package init(seed: UInt64, executor: any RadioExecutor, packetsKept: Int) {
    self.seed = seed
    self.executor = executor
    space = AirSpace(seed: seed, executor: executor, packetsKept: packetsKept)
  }

  // MARK: Time

  /// The world's time.
  public var now: RadioInstant { executor.now }

  /// The world's clock: for code under test that takes a clock.
  public var clock: RadioClock { executor.clock }

  /// Lets the world go on for `duration` of its own time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func run(for duration: Duration) async throws {
    try await clock.sleep(for: duration)
  }

  /// Lets everything run that can run now, without a step of time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func settle() async throws {
    try await clock.sleep(until: now)
  }

  // MARK: Chance

  /// A source of chance for the part of the test that `name` says: the same for every run with the same seed, whatever
  /// others draw.
  public func randomness(for name: String) -> some RandomNumberGenerator & Sendable {
    SeededGenerator(seed: seed, part: SeededGenerator.part(name))
  }

  // MARK: Trace

  /// The HCI packets of all controllers until now.
  public var trace: PacketTrace { space.trace }

  /// The world whose body the current task is a part of.
  @TaskLocal public static var current: World?
}
