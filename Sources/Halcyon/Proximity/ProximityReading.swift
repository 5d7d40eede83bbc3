import RadioPort

/// How near a device is at one moment.
public struct ProximityReading: Hashable, Sendable {
  /// When it was measured, in the radio's time.
  public let time: RadioInstant
  /// How strongly the device was heard, in dBm; `nil` where the distance comes from the device.
  public let rssi: Int?
  /// How far away the device is, in metres, made steady; `nil` before anything could be measured.
  public let distance: Double?
  /// Whether it is near or far.
  public let proximity: Proximity
  /// Whether it has just become near or far.
  public let hasChanged: Bool

  init(time: RadioInstant, rssi: Int?, filter: ProximityFilter, change: Proximity?) {
    self.time = time
    self.rssi = rssi
    distance = filter.distance
    proximity = filter.proximity
    hasChanged = change != nil
  }
}

extension Peripheral {
  /// How near the device is, from the strength of its signal on this connection; see ``SignalProximity``.
  public func proximity(_ configuration: ProximityConfiguration) -> SignalProximity {
    SignalProximity(peripheral: self, configuration: configuration)
  }

  /// How near the device is, from distances that it tells itself by notification; see ``RangedProximity``.
  ///
  /// - Parameters:
  ///   - configuration: What counts as near and far; its interval has no effect.
  ///   - characteristic: What the device tells.
  ///   - distance: Makes metres of a value; `nil` for a value that tells none.
  public func proximity<Value: ByteReadable>(
    _ configuration: ProximityConfiguration,
    from characteristic: Characteristic<Value>,
    distance: @escaping @Sendable (Value) -> Double?
  ) -> RangedProximity<Value> {
    RangedProximity(
      values: values(of: characteristic),
      clock: RadioClock(executor: core.executor),
      configuration: configuration,
      distance: distance
    )
  }
}

/// How near a device is, from the strength of its signal: measured at each interval of the radio's time, one reading for
/// each measurement.
///
/// Each iteration measures for itself and begins anew. It needs a connection, holds the peripheral for as long as it
/// goes on, and never ends normally. It throws
/// - ``BluetoothError`` of the kind `.notConnected` without a connection, `.disconnected` when it is lost, or what else
///   ``Peripheral/readRSSI(timeout:)`` throws; only a measurement that takes too long is left out,
/// - `CancellationError` as soon as the task is cancelled.
public struct SignalProximity: AsyncSequence, Sendable {
  /// One for each measurement.
  public typealias Element = ProximityReading
  /// ``BluetoothError`` or `CancellationError`.
  public typealias Failure = any Error

  let peripheral: Peripheral
  let configuration: ProximityConfiguration

  /// Measures for itself; nothing happens before the first `next`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(peripheral: peripheral, filter: ProximityFilter(configuration), interval: configuration.valid.interval)
  }

  /// Measures one time after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let peripheral: Peripheral
    private let interval: Duration
    private let clock: RadioClock
    private var filter: ProximityFilter
    private var due: RadioInstant

    init(peripheral: Peripheral, filter: ProximityFilter, interval: Duration) {
      self.peripheral = peripheral
      self.filter = filter
      self.interval = interval
      clock = RadioClock(executor: peripheral.core.executor)
      due = clock.now
    }

    /// The next reading.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ProximityReading? {
      while true {
        try await clock.sleep(until: due)
        // Where a measurement took longer than the interval, the next one begins at once, and none is made up for.
        due = Swift.max(due.advanced(by: interval), clock.now)
        do {
          let rssi = try await peripheral.readRSSI()
          let now = clock.now
          let change = filter.add(rssi: rssi, at: now)
          return ProximityReading(time: now, rssi: rssi, filter: filter, change: change)
        } catch let error as BluetoothError where error.kind == .timedOut {
          continue
        }
      }
    }

    /// The next reading.
    public mutating func next() async throws -> ProximityReading? { try await next(isolation: #isolation) }
  }
}

/// How near a device is, from distances that it tells itself: one reading for each value that tells one.
///
/// Each iteration is a reader of the values of its own; it ends and fails as ``Values`` does, and takes a connection that
/// is made anew as one that never was lost.
public struct RangedProximity<Value: ByteReadable>: AsyncSequence, Sendable {
  /// One for each value.
  public typealias Element = ProximityReading
  /// ``BluetoothError`` or `CancellationError`.
  public typealias Failure = any Error

  let values: Values<Value>
  let clock: RadioClock
  let configuration: ProximityConfiguration
  let distance: @Sendable (Value) -> Double?

  /// A reader of its own; nothing happens before the first `next`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      values: values.makeAsyncIterator(),
      filter: ProximityFilter(configuration),
      clock: clock,
      distance: distance
    )
  }

  /// Reads the distances one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var values: Values<Value>.Iterator
    var filter: ProximityFilter
    let clock: RadioClock
    let distance: @Sendable (Value) -> Double?

    /// The next reading.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ProximityReading? {
      while let value = try await values.next(isolation: actor) {
        guard let metres = distance(value) else { continue }
        let now = clock.now
        let change = filter.add(distance: metres, at: now)
        return ProximityReading(time: now, rssi: nil, filter: filter, change: change)
      }
      return nil
    }

    /// The next reading.
    public mutating func next() async throws -> ProximityReading? { try await next(isolation: #isolation) }
  }
}
