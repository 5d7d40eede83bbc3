import RadioPort

extension World {
  /// Runs `body` with a world whose time follows the wall clock, and ends the world when the body has ended, in
  /// whatever way: for demos, and for programs with threads of their own.
  ///
  /// ```swift
  /// try await World.live(speed: 10) { world in
  ///   world.add(.heartRateBand(name: "Pulse"))
  ///   try await MyApp(central: Central(radio: world.radio)).run()
  /// }
  /// ```
  ///
  /// The body stays where its caller runs. Radios and devices have a thread, which is gone, with all that it held, when
  /// this returns. What happens when depends on the machine too, so no two runs are the same: tests want
  /// ``simulated(seed:timeLimit:packetsKept:_:)``.
  ///
  /// - Parameters:
  ///   - speed: How many seconds go by in the world in one second, 0.01 to 1000; a value outside is brought into that
  ///     range. Where the machine can not keep up, things happen late.
  ///   - seed: Chooses addresses and the chance of devices and controllers; by default another one each time.
  ///   - packetsKept: How many packets the trace keeps.
  ///   - body: What happens in the world.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public nonisolated(nonsending) static func live<R>(
    speed: Double = 1,
    seed: UInt64 = .random(in: .min ... .max),
    packetsKept: Int = 2000,
    _ body: nonisolated(nonsending) (World) async throws -> R
  ) async rethrows -> R {
    let world = live(speed: speed, seed: seed, packetsKept: packetsKept)
    do {
      let result = try await body(world)
      await world.end()
      return result
    } catch {
      await world.end()
      throw error
    }
  }

  /// Makes a world whose time follows the wall clock, for programs that have no one scope to put it in. It goes on, on
  /// a thread of its own, until ``end()`` is called; letting go of it does not end it, as radios may be in use.
  ///
  /// The parameters are those of ``live(speed:seed:packetsKept:_:)``, which is safer where it fits.
  public static func live(
    speed: Double = 1,
    seed: UInt64 = .random(in: .min ... .max),
    packetsKept: Int = 2000
  ) -> World {
    World(seed: seed, executor: PollLoop(speed: speed), packetsKept: packetsKept)
  }

  /// Ends the world: all its radios are off, sleeps by its clock end by `CancellationError`, and nothing happens in it
  /// any more. For a live world its thread is gone when this returns. Ending once more does nothing.
  ///
  /// A simulated world ends by itself, with its body.
  public nonisolated(nonsending) func end() async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      let (executor, space) = (executor, space)
      executor.submit {
        space.end()
        guard let loop = executor as? PollLoop else { return done.resume() }
        loop.stop { done.resume() }
      }
    }
  }
}
