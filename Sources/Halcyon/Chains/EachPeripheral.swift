import RadioPort
import Synchronization

/// A step that is done for each peripheral that comes, side by side: none waits for another.
///
/// The results come as they are there. It ends when no more peripherals come and every step has ended; it throws what
/// the sequence of peripherals throws, after the results of those that came before. When the iteration ends in any way,
/// the steps that are under way are cancelled.
public struct EachPeripheral<Base: AsyncSequence & Sendable, Value: Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// What a step has brought for a peripheral.
  public typealias Element = PeripheralResult<Value>
  /// What the sequence of peripherals throws, and `CancellationError`.
  public typealias Failure = any Error

  typealias Emit = @Sendable (Result<Value, any Error>) -> Void

  let base: Base
  let limit: Int?
  let peripheral: @Sendable (Base.Element) -> Peripheral
  let step: @Sendable (Base.Element, Emit) async -> Void

  /// A run of its own; nothing happens before the first `next`.
  public func makeAsyncIterator() -> Iterator { Iterator(run: EachRun(self)) }

  /// Reads the results one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let run: EachRun<Base, Value>

    /// The next result; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      try await run.next(isolation: actor)
    }

    /// The next result; `nil` at the end.
    public mutating func next() async throws -> Element? { try await next(isolation: #isolation) }
  }
}

/// One iteration. What it has started is cancelled when it goes.
final class EachRun<Base: AsyncSequence & Sendable, Value: Sendable>: Sendable where Base.Element: Sendable {
  private let each: EachPeripheral<Base, Value>
  private let work: EachWork<Base, Value>
  private let hasBegun = Mutex(false)

  init(_ each: EachPeripheral<Base, Value>) {
    self.each = each
    work = EachWork(each)
  }

  deinit { work.cancel() }

  func next(isolation: isolated (any Actor)? = #isolation) async throws -> PeripheralResult<Value>? {
    if hasBegun.withLock({ hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }) {
      // The first peripheral is awaited in the caller's task; it brings the executor on which all else runs.
      let source = Source(each.base.makeAsyncIterator())
      guard let first = try await source.next() else {
        work.mailbox.finish()
        return nil
      }
      work.begin(with: first, from: source)
    }
    return try await work.mailbox.next { [work] in work.cancel() }
  }

  // Used by one task at a time: by the caller for the first element, then only by the task that takes the others.
  final class Source: @unchecked Sendable {
    private var iterator: Base.AsyncIterator
    init(_ iterator: Base.AsyncIterator) { self.iterator = iterator }
    func next() async throws -> Base.Element? { try await iterator.next() }
  }
}

/// The tasks of one iteration.
final class EachWork<Base: AsyncSequence & Sendable, Value: Sendable>: Sendable where Base.Element: Sendable {
  let mailbox = Mailbox<PeripheralResult<Value>>()
  private let each: EachPeripheral<Base, Value>
  /// One for each step that may begin.
  private let permits = Mailbox<Void>()
  private let state = Mutex(State())

  private struct State {
    var tasks: [UInt64: Task<Void, Never>] = [:]
    var count: UInt64 = 0
    var running: Set<UInt64> = []
    var isCancelled = false
    /// How the sequence of peripherals has ended.
    var ending: Result<Void, any Error>?
  }

  init(_ each: EachPeripheral<Base, Value>) {
    self.each = each
    for _ in 0..<max(each.limit ?? 0, 1) { permits.send(()) }
  }

  func begin(with first: Base.Element, from source: EachRun<Base, Value>.Source) {
    let executor = each.peripheral(first).core.executor
    // Counted as one that runs, so that the end of the first step is not taken for the end of all.
    start(on: executor) { [self] in
      var ending = Result<Void, any Error>.success(())
      var isFirst = true
      do {
        while true {
          if each.limit != nil { _ = try await permits.next(onCancel: {}) }
          var element: Base.Element? = first
          if !isFirst { element = try await source.next() }
          guard let element else { break }
          isFirst = false
          start(on: executor) { [self] in
            let peripheral = each.peripheral(element)
            await each.step(element) { [mailbox] in mailbox.send(PeripheralResult(peripheral, $0)) }
            permits.send(())
          }
        }
      } catch {
        ending = .failure(error)
      }
      state.withLock { $0.ending = ending }
    }
  }

  /// Runs `body` as a task that is cancelled with the iteration.
  private func start(on executor: any RadioExecutor, _ body: @escaping @Sendable () async -> Void) {
    let number = state.withLock { state -> UInt64? in
      guard !state.isCancelled else { return nil }
      state.count &+= 1
      state.running.insert(state.count)
      return state.count
    }
    guard let number else { return }
    let task = Task(executorPreference: executor) { [self] in
      await body()
      ended(number)
    }
    // It may have ended already, or all may have been cancelled meanwhile.
    let isCancelled = state.withLock { state in
      if state.running.contains(number), !state.isCancelled { state.tasks[number] = task }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  private func ended(_ number: UInt64) {
    let ending = state.withLock { state in
      state.tasks[number] = nil
      state.running.remove(number)
      return state.running.isEmpty ? state.ending : nil
    }
    switch ending {
    case .success: mailbox.finish()
    case .failure(let error): mailbox.finish(error)
    case nil: break
    }
  }

  func cancel() {
    let tasks = state.withLock { state in
      state.isCancelled = true
      defer { state.tasks = [:] }
      return state.tasks
    }
    mailbox.discard()
    for (_, task) in tasks.sorted(by: { $0.key < $1.key }) { task.cancel() }
  }
}
