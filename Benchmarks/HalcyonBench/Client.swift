import BluetoothTypes
import HostStack
import Measurement
import RadioPort
import Synchronization

/// A central at the port, one operation after the other: each begins in the completion of the one before, on the radio's
/// executor, as in a program that has nothing else to do.
struct Client: Sendable {
  let radio: HostRadio

  private func begin<Value: Sendable>(
    _ start: @escaping @Sendable (isolated HostRadio, @escaping @Sendable (Result<Value, RadioFailure>) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      radio.executor.submit {
        radio.assumeIsolated { start($0) { continuation.resume(with: $0) } }
      }
    }
  }

  /// Waits until the radio is on.
  func ready() async throws {
    let once = Once()
    let state: RadioState = try await begin { radio, done in
      if radio.state.power == .poweredOn { return done(.success(radio.state)) }
      _ = radio.observeState { state in
        if state.power != .unknown, state.power != .resetting, once.first() { done(.success(state)) }
      }
    }
    guard state.power == .poweredOn else { throw BenchmarkError(description: "the radio is not on: \(state)") }
  }

  /// Scans until `wanted` is heard.
  func find(_ wanted: @escaping @Sendable (Sighting) -> Bool) async throws -> PeerID {
    let once = Once()
    return try await begin { radio, done in
      let scan = Mutex<ScanID?>(nil)
      let shared = Box(scan)
      let id = radio.startScan(
        ScanRequest(),
        sighting: { sighting in
          guard wanted(sighting), once.first() else { return }
          self.radio.executor.submit {
            if let id = shared.value { self.radio.assumeIsolated { $0.stopScan(id) } }
            done(.success(sighting.peer))
          }
        },
        ended: { failure in if once.first() { done(.failure(failure)) } }
      )
      shared.value = id
    }
  }

  /// Counts sightings until there are `count`.
  func hear(_ count: Int) async throws {
    let left = Box(Mutex<Int?>(count))
    let once = Once()
    let _: Bool = try await begin { radio, done in
      _ = radio.startScan(
        ScanRequest(allowsDuplicates: true, isActive: false),
        sighting: { _ in if left.decrement(), once.first() { done(.success(true)) } },
        ended: { failure in if once.first() { done(.failure(failure)) } }
      )
    }
  }

  func connect(to peer: PeerID) async throws -> LinkID {
    try await begin { radio, done in
      _ = radio.connect(
        to: peer,
        options: LinkOptions(interval: .microseconds(7500) ... .microseconds(7500)),
        events: { _ in },
        completion: done
      )
    }
  }

  func discover(on link: LinkID) async throws -> [RemoteService] {
    try await begin { radio, done in _ = radio.discover(nil, on: link, completion: done) }
  }

  func read(_ handle: AttributeHandle, on link: LinkID) async throws -> [UInt8] {
    try await begin { radio, done in _ = radio.read(handle, on: link, completion: done) }
  }

  func write(_ value: [UInt8], to handle: AttributeHandle, on link: LinkID) async throws {
    let _: Void = try await begin { radio, done in _ = radio.write(value, to: handle, on: link, completion: done) }
  }

  /// Reads `count` times, one read after the other.
  func read(_ handle: AttributeHandle, on link: LinkID, count: Int) async throws {
    try await `repeat`(count) { radio, done in
      _ = radio.read(handle, on: link) { done($0.map { _ in }) }
    }
  }

  /// Writes without response `count` times; the next one when the controller has taken the one before.
  func pour(_ value: [UInt8], to handle: AttributeHandle, on link: LinkID, count: Int) async throws {
    try await `repeat`(count) { radio, done in
      _ = radio.writeWithoutResponse(value, to: handle, on: link, completion: done)
    }
  }

  /// Subscribes, lets `start` make the peer send, and waits for `count` values.
  func take(
    _ count: Int,
    from characteristic: RemoteCharacteristic,
    on link: LinkID,
    start: @Sendable () async throws -> Measurement
  ) async throws -> Measurement {
    let left = Box(Mutex<Int?>(count))
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let _: Void = try await begin { radio, done in
      _ = radio.subscribe(
        to: characteristic,
        on: link,
        handler: { _ in if left.decrement() { end.yield() } },
        completion: done
      )
    }
    let measurement = try await start()
    for await _ in ends { break }
    return measurement
  }

  private func `repeat`(_ count: Int, _ operation: @escaping Repetition.Operation) async throws {
    let radio = radio
    let _: Void = try await begin { _, done in
      Repetition(radio: radio, count: count, operation: operation, done: done).next()
    }
  }
}

/// One operation again and again, each begun when the one before is done.
private final class Repetition: Sendable {
  typealias Completion = @Sendable (Result<Void, RadioFailure>) -> Void
  typealias Operation = @Sendable (isolated HostRadio, @escaping Completion) -> Void

  private let radio: HostRadio
  private let left: Box<Int>
  private let entrance: ActorEntrance<HostRadio, Repetition>
  private let done: Completion

  init(radio: HostRadio, count: Int, operation: @escaping Operation, done: @escaping Completion) {
    self.radio = radio
    left = Box(Mutex(count))
    entrance = ActorEntrance(radio.executor) { radio, repetition in
      operation(radio) { result in
        if case .failure = result { return repetition.done(result) }
        if repetition.left.decrement() { return repetition.done(result) }
        repetition.next()
      }
    }
    self.done = done
  }

  /// Begins the next one; on the radio's executor.
  func next() { entrance(radio, self) }
}

/// Says yes once.
private final class Once: Sendable {
  private let isUsed = Mutex(false)

  func first() -> Bool {
    isUsed.withLock { isUsed in
      defer { isUsed = true }
      return !isUsed
    }
  }
}

/// A value that several closures share.
private final class Box<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value?>

  init(_ mutex: consuming Mutex<Value?>) { self.mutex = mutex }

  var value: Value? {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}

extension Box where Value == Int {
  /// Counts down; whether that was the last.
  func decrement() -> Bool {
    mutex.withLock { value in
      value = (value ?? 0) - 1
      return value == 0
    }
  }
}
