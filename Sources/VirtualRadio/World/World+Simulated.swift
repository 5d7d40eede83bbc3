import RadioPort

extension World {
  /// Runs `body` in a world whose time jumps to the next event when nothing is left to run, so that hours pass in
  /// milliseconds, and whose run is the same each time for the same seed.
  ///
  /// All tasks of the body run on the world's own thread: also plain and detached ones, the main actor's, and those of
  /// the code under test. Use the world's clock for every sleep. What is left when the body ends is brought to its end:
  /// all radios go off and sleeps end by `CancellationError`.
  ///
  /// - Parameters:
  ///   - seed: Chooses one of the possible courses of events.
  ///   - timeLimit: How much of the world's time may pass.
  ///   - packetsKept: How many packets the trace keeps; its digest is always of all.
  ///   - body: What happens in the world.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; a ``WorldError`` if the run could not be repeated or came to no end.
  public static func simulated<R>(
    seed: UInt64,
    timeLimit: Duration = .seconds(24 * 3600),
    packetsKept: Int = 2000,
    _ body: @escaping @Sendable (World) async throws -> sending R
  ) async throws -> sending R {
    try await simulated(seed: seed, limits: LoopLimits(time: timeLimit), packetsKept: packetsKept, body)
  }

  /// The same with all limits of the loop.
  package static func simulated<R>(
    seed: UInt64,
    limits: LoopLimits,
    packetsKept: Int = 2000,
    _ body: @escaping @Sendable (World) async throws -> sending R
  ) async throws -> sending R {
    let loop = SimulatedLoop()
    let world = World(seed: seed, executor: loop, packetsKept: packetsKept)
    let run = LoopRun(on: loop, limits: limits) { world.space.end() }
    let outcome = await World.$current.withValue(world) {
      await run { try await body(world) }
    }
    if let failure = outcome.failure {
      var bodyError: (any Error)?
      if case .failure(let error) = outcome.result { bodyError = error }
      let error = WorldError(failure, seed: seed, now: loop.now, bodyError: bodyError)
      WorldReport.deliver(error, from: world)
      throw error
    }
    switch outcome.result {
    case .success(let value):
      return value.value
    case .failure(let error):
      WorldReport.deliver(error, from: world)
      throw error
    case nil:
      // Without a failure the run goes on until there is a result.
      throw CancellationError()
    }
  }
}
