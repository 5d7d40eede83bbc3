import RadioPort
import Synchronization

extension Central {
  /// What is near, as a list that lives: the strongest first, by ``Discovery/smoothedRSSI``.
  ///
  /// ```swift
  /// for try await devices in central.nearby(where: .hasName) {
  ///   for device in devices { print(device.name ?? "?", device.smoothedRSSI ?? .nan) }
  /// }
  /// ```
  /// For a view that observes the list see ``NearbyDevices``.
  ///
  /// - Parameters:
  ///   - services: Only devices that advertise at least one of these; empty means all.
  ///   - filter: Only what this lets through, such as `.hasName`.
  ///   - interval: The time that lies at least between two lists, so that a view does not flicker.
  ///   - memory: A device that was not heard for so long leaves the list, unless it is connected; `nil` to keep all.
  ///   - duration: It ends normally after this time.
  ///   - timeout: It ends with the error `.timedOut` after this time; by default it has no limit.
  ///   - limit: It ends normally once this many different devices were found.
  public func nearby(
    _ services: [ServiceID] = [],
    where filter: ScanFilter = .any,
    every interval: Duration = .seconds(1.5),
    forgetAfter memory: Duration? = .seconds(10),
    duration: Duration? = nil,
    timeout: Timeout = .never,
    limit: Int? = nil
  ) -> Nearby {
    let plan = ScanPlan(
      services: services,
      filter: filter,
      duplicates: .all,
      duration: duration,
      timeout: timeout.duration(standard: duration == nil ? configuration.timeouts.scan : nil),
      limit: limit
    )
    return Nearby(core: core, plan: plan, interval: interval, memory: memory)
  }
}

/// What is near, as a list that lives; see ``Central/nearby(_:where:every:forgetAfter:duration:timeout:limit:)``.
///
/// Each iteration is a scan of its own, with a list that is empty at first: that is its first element. Then comes a list
/// as soon as there is a device, and another one at each interval in which something was heard or a device has left. A
/// slow reader gets the newest only. A list holds as many devices as were heard last, 1,024 at least.
///
/// It begins, stops, ends and throws as ``Scan`` does; at a normal end the last list comes first.
public struct Nearby: AsyncSequence, Sendable {
  /// The devices, strongest first; those of unknown strength last.
  public typealias Element = [Discovery]
  /// ``BluetoothError`` or `CancellationError`.
  public typealias Failure = any Error

  let core: CentralCore
  let plan: ScanPlan
  let interval: Duration
  let memory: Duration?

  /// A scan of its own; nothing happens before the first `next`.
  public func makeAsyncIterator() -> Iterator { Iterator(session: NearbySession(self)) }

  /// Reads the lists one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let session: NearbySession

    /// The next list; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [Discovery]? {
      try await session.next(isolation: actor)
    }

    /// The next list; `nil` at the end.
    public mutating func next() async throws -> [Discovery]? { try await session.next() }
  }
}

/// One iteration of a list of what is near. The radio is told to stop when it goes.
final class NearbySession: ScanReader {
  private struct State {
    var list: NearbyList
    var timer: RadioTimer?
    var number: UInt64?
    var isOver = false
  }

  let core: CentralCore
  let plan: ScanPlan
  private let mailbox = Mailbox<[Discovery]>(limit: .newest(1))
  private let state: Mutex<State>

  init(_ nearby: Nearby) {
    core = nearby.core
    plan = nearby.plan
    let list = NearbyList(every: nearby.interval, forgetAfter: nearby.memory, capacity: ScanPlan.usualCapacity)
    state = Mutex(State(list: list))
  }

  deinit { stop() }

  var scanNumber: UInt64? {
    get { state.withLock { $0.number } }
    set { state.withLock { $0.number = newValue } }
  }

  func next(isolation: isolated (any Actor)? = #isolation) async throws -> [Discovery]? {
    if scanNumber == nil {
      try Task.checkCancellation()
      mailbox.send([])
      await core.begin(self)
    }
    return try await mailbox.next { [weak self] in self?.stop() }
  }

  // On the executor.
  func take(_ discovery: Discovery) {
    state.withLock { $0.list.add(discovery) }
    tell()
  }

  func finish(_ error: BluetoothError?) {
    let timer = state.withLock { state in
      state.isOver = true
      defer { state.timer = nil }
      return state.timer
    }
    if let timer { core.executor.cancel(timer) }
    if let last = state.withLock({ $0.list.takeChanged() }) { mailbox.send(last) }
    mailbox.finish(error)
  }

  /// Tells the list if it is time, and comes back when it may be.
  private func tell() {
    if let list = state.withLock({ $0.list.take(at: core.executor.now) }) { mailbox.send(list) }
    state.withLock { state in
      guard !state.isOver, state.timer == nil, let deadline = state.list.deadline else { return }
      state.timer = core.executor.schedule(at: deadline) { [weak self] in
        self?.state.withLock { $0.timer = nil }
        self?.tell()
      }
    }
  }

  private func stop() {
    let (timer, number) = state.withLock { state in
      state.isOver = true
      defer { state.timer = nil }
      return (state.timer, state.number)
    }
    if let timer { core.executor.cancel(timer) }
    guard let number else { return }
    core.executor.run { [core] in core.assumeIsolated { $0.endScan(number) } }
  }
}
