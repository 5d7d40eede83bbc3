import RadioPort

/// Work on a connection that has just come up, before anything else may use it.
public typealias ConnectionSetUp = @Sendable (Peripheral) async throws -> Void

/// How a device is to be connected, as the program said last.
struct ConnectionPlan: Sendable {
  var options = LinkOptions()
  var reconnect: Reconnect
  var setUp: ConnectionSetUp?
}

/// What a connect says of the plan; `nil` leaves what stands.
struct ConnectionWish: Sendable {
  var options = LinkOptions()
  var reconnect: Reconnect?
  var setUp: ConnectionSetUp?
}

/// The connection whose set-up a task belongs to. Only such tasks may use it before it is ready.
struct SetUpScope: Hashable, Sendable {
  let peripheral: ObjectIdentifier
  let claim: UInt64

  @TaskLocal static var current: [SetUpScope] = []
}

/// A set-up that runs, with what bounds it; both end when nobody holds this any more.
final class SetUpRun: Sendable {
  private let task: Task<Void, Never>
  private let timer: RadioTimer?
  private let executor: any RadioExecutor

  init(_ task: Task<Void, Never>, timer: RadioTimer?, on executor: any RadioExecutor) {
    self.task = task
    self.timer = timer
    self.executor = executor
  }

  deinit {
    task.cancel()
    if let timer { executor.cancel(timer) }
  }
}

/// A connection that is being made again.
struct Reconnecting: Sendable {
  /// Counts from 1 since the connection was ready.
  var attempt = 0
  /// Whether the attempt has the time limit of a connect.
  var isBounded = false
  /// The pause before the attempt, or its time limit.
  var timer: RadioTimer?
  /// What follows the radio's state, where the attempt waits for that.
  var watch: UInt64?
}

/// A first connect that waits until Bluetooth is on again.
struct PowerWait: Sendable {
  let watch: UInt64
  var timer: RadioTimer?
}
