import BluetoothTypes

/// What can be done with each peripheral of a sequence, as with those that connect one after the other.
///
/// ```swift
/// let readings = central.scan().connectEach(max: 5).readAll(in: .deviceInformation)
/// for try await reading in readings { print(reading.peripheral, reading.value ?? []) }
/// ```
extension AsyncSequence where Element == Peripheral, Self: Sendable {
  /// Does a step for each peripheral, side by side.
  ///
  /// - Parameter max: How many at a time; no limit by default.
  public func each<Value: Sendable>(
    max: Int? = nil,
    _ step: @escaping @Sendable (Peripheral) async throws -> Value
  ) -> EachPeripheral<Self, Value> {
    EachPeripheral(base: self, limit: max, peripheral: { $0 }) { peripheral, emit in
      await emit(Self.outcome { try await step(peripheral) })
    }
  }

  private static func outcome<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }

  /// Reads a characteristic of each.
  public func read<Value: ByteReadable>(
    _ characteristic: Characteristic<Value>,
    timeout: Timeout = .default
  ) -> EachPeripheral<Self, Value> {
    each { try await $0.read(characteristic, timeout: timeout) }
  }

  /// Discovers one service of each, or all, and reads every readable characteristic in it.
  public func readAll(
    in service: ServiceID? = nil,
    timeout: Timeout = .default
  ) -> EachPeripheral<Self, [CharacteristicReading]> {
    each { try await $0.readAll(in: service, timeout: timeout) }
  }

  /// Writes a value to each.
  public func write<Value: ByteWritable>(
    _ value: Value,
    to characteristic: Characteristic<Value>,
    type: WriteType = .automatic,
    timeout: Timeout = .default
  ) -> EachPeripheral<Self, Void> {
    each { _ = try await $0.write(value, to: characteristic, type: type, timeout: timeout) }
  }

  /// The values of a characteristic of all, in one sequence. The end of one's values is a failure among the others.
  public func values<Value: ByteReadable>(
    of characteristic: Characteristic<Value>,
    buffering: Buffering = .unbounded,
    onReconnect: OnReconnect = .resubscribe,
    timeout: Timeout = .default
  ) -> EachPeripheral<Self, Value> {
    EachPeripheral(base: self, limit: nil, peripheral: { $0 }) { peripheral, emit in
      let values = peripheral.values(
        of: characteristic,
        buffering: buffering,
        onReconnect: onReconnect,
        timeout: timeout
      )
      do { for try await value in values { emit(.success(value)) } } catch { emit(.failure(error)) }
    }
  }

  /// Ends the connection to each.
  public func disconnect() -> EachPeripheral<Self, Void> { each { await $0.disconnect() } }
}

/// The next steps of a chain: they are done where the last one has not failed.
extension AsyncSequence where Self: Sendable {
  /// Does another step for each peripheral, with what the last one has brought. Where that has failed, the error is
  /// passed on.
  ///
  /// - Parameter max: How many at a time; no limit by default.
  public func each<Previous: Sendable, Value: Sendable>(
    max: Int? = nil,
    _ step: @escaping @Sendable (Peripheral, Previous) async throws -> Value
  ) -> EachPeripheral<Self, Value> where Element == PeripheralResult<Previous> {
    EachPeripheral(base: self, limit: max, peripheral: { $0.peripheral }) { previous, emit in
      do { emit(.success(try await step(previous.peripheral, previous.get()))) } catch { emit(.failure(error)) }
    }
  }

  /// Reads a characteristic of each.
  public func read<Previous: Sendable, Value: ByteReadable>(
    _ characteristic: Characteristic<Value>,
    timeout: Timeout = .default
  ) -> EachPeripheral<Self, Value> where Element == PeripheralResult<Previous> {
    each { peripheral, _ in try await peripheral.read(characteristic, timeout: timeout) }
  }

  /// Writes a value to each.
  public func write<Previous: Sendable, Value: ByteWritable>(
    _ value: Value,
    to characteristic: Characteristic<Value>,
    type: WriteType = .automatic,
    timeout: Timeout = .default
  ) -> EachPeripheral<Self, Void> where Element == PeripheralResult<Previous> {
    each { peripheral, _ in _ = try await peripheral.write(value, to: characteristic, type: type, timeout: timeout) }
  }

  /// Ends the connection to each, also where the last step has failed, and passes on what that has brought.
  public func disconnect<Previous: Sendable>() -> EachPeripheral<Self, Previous>
  where Element == PeripheralResult<Previous> {
    EachPeripheral(base: self, limit: nil, peripheral: { $0.peripheral }) { previous, emit in
      await previous.peripheral.disconnect()
      emit(previous.result)
    }
  }
}
