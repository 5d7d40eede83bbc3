import RadioPort
import Synchronization

extension AsyncSequence where Self: Sendable, Element == Discovery {
  /// Connects to every device that comes, side by side, while the scan goes on.
  ///
  /// ```swift
  /// for try await peripheral in central.scan(for: [.heartRate], timeout: .never).connectEach() {
  ///   print(try await peripheral.read(.bodySensorLocation))
  /// }
  /// ```
  /// A device that is connected or being connected is left alone when it is found again. One that could not be connected
  /// is left out, and tried anew when the scan tells of it again; ``Central/connectionEvents`` tell why.
  ///
  /// - Parameters:
  ///   - max: The scan stops and the sequence ends once this many connections were made; `nil` for any number.
  ///   - timeout: How long each connect may take.
  ///   - options: How each link is to be made.
  ///   - reconnect: As for ``Central/connect(to:timeout:options:reconnect:setUp:)-(Discovery,_,_,_,_)``.
  ///   - setUp: Likewise.
  public func connectEach(
    max: Int? = nil,
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions(),
    reconnect: Reconnect? = nil,
    setUp: ConnectionSetUp? = nil
  ) -> ConnectedEach<Self> {
    ConnectedEach(
      base: self,
      max: max,
      timeout: timeout,
      wish: ConnectionWish(options: options, reconnect: reconnect, setUp: setUp)
    )
  }
}

/// The peripherals that a scan finds, connected, in the order in which the connections come up.
///
/// Each iteration is a scan of its own, which begins with the first `next` and stops when the iteration ends in any way;
/// connects that are under way then are cancelled. A peripheral that was delivered stays connected for as long as somebody
/// keeps it. The iteration ends when the scan has ended and all connects have, throws what the scan throws, and throws
/// `CancellationError` as soon as its task is cancelled.
public struct ConnectedEach<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == Discovery {
  /// A peripheral that is connected.
  public typealias Element = Peripheral
  /// What the scan throws, or `CancellationError`.
  public typealias Failure = any Error

  let base: Base
  let max: Int?
  let timeout: Timeout
  let wish: ConnectionWish

  /// An iteration of its own; nothing happens before the first `next`.
  public func makeAsyncIterator() -> Iterator { Iterator(run: ConnectingRun(self)) }

  /// Reads the peripherals one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let run: ConnectingRun<Base>

    /// The next peripheral; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Peripheral? {
      try await run.next(isolation: actor)
    }

    /// The next peripheral; `nil` at the end.
    public mutating func next() async throws -> Peripheral? { try await run.next() }
  }
}

/// One iteration: a task that reads the scan and connects. It is cancelled when this goes.
final class ConnectingRun<Base: AsyncSequence & Sendable>: Sendable where Base.Element == Discovery {
  private let plan: ConnectedEach<Base>
  private let state: ConnectingState

  init(_ plan: ConnectedEach<Base>) {
    self.plan = plan
    state = ConnectingState(max: plan.max)
  }

  deinit { state.stop() }

  func next(isolation: isolated (any Actor)? = #isolation) async throws -> Peripheral? {
    try Task.checkCancellation()
    state.begin {
      // The chain's own central says where the task is to run; nothing of the scan begins by asking.
      let note = ChainNote()
      _ = ChainNote.$current.withValue(note) { plan.base.makeAsyncIterator() }
      return Task(executorPreference: note.core?.executor) { [plan, state] in await Self.read(plan, state) }
    }
    return try await state.mailbox.next { [state] in state.stop() }
  }

  private static func read(_ plan: ConnectedEach<Base>, _ state: ConnectingState) async {
    var ending: (any Error)?
    await withDiscardingTaskGroup { group in
      do {
        for try await discovery in plan.base {
          guard let peripheral = state.found(discovery.peripheral) else { continue }
          group.addTask { await connect(peripheral, plan, state) }
        }
      } catch {
        ending = error
        group.cancelAll()
      }
    }
    state.mailbox.finish(ending)
  }

  /// Connects to a device and, where that fails, to the next one that waits for its place.
  private static func connect(_ first: Peripheral, _ plan: ConnectedEach<Base>, _ state: ConnectingState) async {
    var next: Peripheral? = first
    while let peripheral = next, !Task.isCancelled {
      do {
        try await peripheral.core.connect(plan.wish, timeout: plan.timeout)
        return state.connected(peripheral)
      } catch {
        next = state.failed(peripheral)
      }
    }
  }
}

/// Which devices are being connected, and how many more are wanted.
final class ConnectingState: Sendable {
  private struct Contents {
    var task: Task<Void, Never>?
    var connecting: Set<PeerID> = []
    /// Found while there was no place for them.
    var waiting: [Peripheral] = []
    var places: Int?
    var missing: Int?
  }

  let mailbox = Mailbox<Peripheral>()
  private let contents: Mutex<Contents>

  init(max: Int?) { contents = Mutex(Contents(places: max, missing: max)) }

  func begin(_ start: () -> Task<Void, Never>) {
    contents.withLock { contents in
      guard contents.task == nil, contents.missing.map({ $0 > 0 }) ?? true else { return }
      contents.task = start()
    }
    if contents.withLock({ $0.task == nil }) { mailbox.finish() }
  }

  func stop() { contents.withLock { $0.task }?.cancel() }

  /// Returns the device if it is to be connected now.
  func found(_ peripheral: Peripheral) -> Peripheral? {
    guard peripheral.state.isDisconnected else { return nil }
    return contents.withLock { contents in
      guard !contents.connecting.contains(peripheral.id), !contents.waiting.contains(peripheral) else { return nil }
      if let places = contents.places {
        guard places > 0 else {
          contents.waiting.append(peripheral)
          return nil
        }
        contents.places = places - 1
      }
      contents.connecting.insert(peripheral.id)
      return peripheral
    }
  }

  func connected(_ peripheral: Peripheral) {
    mailbox.send(peripheral)
    let task: Task<Void, Never>? = contents.withLock { contents in
      contents.connecting.remove(peripheral.id)
      guard let missing = contents.missing else { return nil }
      contents.missing = missing - 1
      return missing <= 1 ? contents.task : nil
    }
    guard let task else { return }
    mailbox.finish()
    task.cancel()
  }

  /// Returns who gets the place.
  func failed(_ peripheral: Peripheral) -> Peripheral? {
    contents.withLock { contents in
      contents.connecting.remove(peripheral.id)
      guard contents.places != nil else { return nil }
      guard !contents.waiting.isEmpty else {
        contents.places = contents.places.map { $0 + 1 }
        return nil
      }
      let next = contents.waiting.removeFirst()
      contents.connecting.insert(next.id)
      return next
    }
  }
}
