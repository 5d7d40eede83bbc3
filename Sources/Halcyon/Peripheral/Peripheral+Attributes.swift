import BluetoothTypes

extension Peripheral {
  /// What the device offers. What is known of this connection is not asked for again, and callers at the same time share
  /// one discovery. The other operations discover by themselves what they need; this is for who wants to see it all.
  ///
  /// - Parameter only: Only these services; `nil` means all.
  /// - Returns: The services in the order of their handles. One that the device does not have is not among them.
  public func services(_ only: [ServiceID]?, timeout: Timeout = .default) async throws -> [Service] {
    try await core.services(only, timeout: timeout)
  }

  /// All that the device offers.
  ///
  /// See ``services(_:timeout:)``.
  public func services(timeout: Timeout = .default) async throws -> [Service] {
    try await services(nil, timeout: timeout)
  }

  /// Reads a value, whole, however long it is. Ends with its own reply also while the characteristic notifies.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.notConnected`, `.disconnected`, `.serviceNotFound`,
  ///   `.characteristicNotFound`, `.ambiguous`, `.notPermitted`, `.att`, `.timedOut`, `.undecodable`, `.empty` if there
  ///   are no bytes for a type that needs some, and others; `CancellationError`.
  public func read<Value: ByteReadable>(
    _ characteristic: Characteristic<Value>,
    timeout: Timeout = .default
  ) async throws -> Value {
    let bytes = try await core.read(characteristic.name, timeout: timeout)
    return try core.decode(bytes, of: characteristic.name, for: .read)
  }

  /// Writes a value. Without response, the call waits until the radio has room for it, so that nothing is lost; with
  /// response, until the device has agreed.
  ///
  /// - Throws: ``BluetoothError`` as for a read, and `.tooLong` or `.empty`, before anything is sent, if
  ///   the value is longer than can be carried or has no bytes; `CancellationError`: what was not sent by then never is.
  /// - Returns: The peripheral, for the next step.
  @discardableResult
  public func write<Value: ByteWritable>(
    _ value: Value,
    to characteristic: Characteristic<Value>,
    type: WriteType = .automatic,
    timeout: Timeout = .default
  ) async throws -> Peripheral {
    try await core.write(value.bytes, to: characteristic.name, type: type, timeout: timeout)
    return self
  }

  /// Reads the value of a descriptor, whole, however long it is.
  ///
  /// - Throws: ``BluetoothError`` as for the value of a characteristic, and `.descriptorNotFound`;
  ///   `CancellationError`.
  public func read<Value: ByteReadable>(
    _ descriptor: Descriptor<Value>,
    timeout: Timeout = .default
  ) async throws -> Value {
    let bytes = try await core.read(descriptor, timeout: timeout)
    return try core.decode(bytes, of: descriptor.characteristicName, for: .readDescriptor)
  }

  /// The same with a type other than the descriptor's own.
  public func read<Own, Value: ByteReadable>(
    _ descriptor: Descriptor<Own>,
    as type: Value.Type,
    timeout: Timeout = .default
  ) async throws -> Value {
    try await read(descriptor.typed(as: type), timeout: timeout)
  }

  /// Writes the value of a descriptor, and waits until the device has agreed.
  ///
  /// The descriptor that switches notifications is not written in this way: see ``values(of:buffering:onReconnect:timeout:)``.
  ///
  /// - Throws: ``BluetoothError`` as for the value of a characteristic, and `.descriptorNotFound`; `.notPermitted` for
  ///   the Client Characteristic Configuration; `CancellationError`: what was not sent by then never is.
  /// - Returns: The peripheral, for the next step.
  @discardableResult
  public func write<Own, Value: ByteWritable>(
    _ value: Value,
    to descriptor: Descriptor<Own>,
    timeout: Timeout = .default
  ) async throws -> Peripheral {
    try await core.write(value.bytes, to: descriptor, timeout: timeout)
    return self
  }

  /// The values of a characteristic as the device sends them, by notification or indication.
  ///
  /// Any number of readers may iterate at the same time: each gets each value once, and the device is asked once. It is
  /// told to stop when the last reader leaves. See ``Values`` for what begins, ends and resumes the stream.
  public func values<Value: ByteReadable>(
    of characteristic: Characteristic<Value>,
    buffering: Buffering = .unbounded,
    onReconnect: OnReconnect = .resubscribe,
    timeout: Timeout = .default
  ) -> Values<Value> {
    Values(core: core, plan: plan(characteristic, buffering, onReconnect, timeout))
  }

  /// Measures how strongly the device is heard, in dBm.
  ///
  /// - Throws: ``BluetoothError``, `.disconnected` among others if the connection is lost meanwhile; `CancellationError`.
  @discardableResult
  public func readRSSI(timeout: Timeout = .default) async throws -> Int { try await core.readRSSI(timeout: timeout) }
}
