import BluetoothTypes
import RadioPort

extension PeripheralCore {
  /// The longest attribute value there is (Core 5.4, Vol 3, Part F, 3.2.9).
  static let longestValue = 512

  /// The longest value in one write command or notification: the PDU without opcode and handle (Core 5.4, Vol 3,
  /// Part F, 3.4.5.3 and 3.4.7.1).
  static func writeLength(mtu: Int) -> Int { min(max(mtu, PeripheralFacts.defaultMTU) - 3, longestValue) }

  func read(_ name: CharacteristicName, timeout: Timeout) async throws -> [UInt8] {
    let limit = timeout.duration(standard: central.configuration.timeouts.read)
    let attempt = attempt(.read, name, limit: limit)
    let deadline = central.deadline(after: limit)
    let ticket = enterOrder()
    defer { leaveOrder(ticket) }
    let target = try await resolve(name, ticket, for: attempt, deadline: deadline)
    try require(.read, of: target, for: attempt)
    let bytes = try await request(attempt, on: target.link, deadline: deadline, leaving: ticket) { access, completion in
      access.read(target.characteristic.handle, on: target.link, completion: completion)
    }
    if central.received.hasReaders { tell(of: bytes, at: target.characteristic.handle, .read) }
    if name.uuid == Self.deviceName, name.service.uuid == Self.genericAccess { learnName(bytes) }
    return bytes
  }

  private static let deviceName = BluetoothUUID(UInt16(0x2A00))
  private static let genericAccess = BluetoothUUID(UInt16(0x1800))

  private func learnName(_ bytes: [UInt8]) {
    guard let name = String(validating: bytes, as: UTF8.self), !name.isEmpty else { return }
    updateFacts { $0.name = name }
  }

  func write(_ bytes: [UInt8], to name: CharacteristicName, type: WriteType, timeout: Timeout) async throws {
    let limit = timeout.duration(standard: central.configuration.timeouts.write)
    let attempt = attempt(.write, name, limit: limit)
    let deadline = central.deadline(after: limit)
    guard !bytes.isEmpty else { throw attempt.error(.empty) }
    let ticket = enterOrder()
    defer { leaveOrder(ticket) }
    let target = try await resolve(name, ticket, for: attempt, deadline: deadline)
    let withResponse = try usesResponse(type, for: bytes, to: target, attempt)
    try await request(attempt, on: target.link, deadline: deadline, leaving: ticket) { access, completion in
      access.write(bytes, to: target, withResponse, completion)
    }
  }

  /// Whether a value is to be written with response. Throws, before anything is sent, if it can not be written at all.
  func usesResponse(
    _ type: WriteType,
    for bytes: [UInt8],
    to target: CharacteristicName.Instance,
    _ attempt: Attempt
  ) throws(BluetoothError) -> Bool {
    let withResponse =
      switch type {
      case .withResponse: true
      case .withoutResponse: false
      case .automatic: target.characteristic.properties.contains(.write)
      }
    try require(withResponse ? .write : .writeWithoutResponse, of: target, for: attempt)
    let maximum = withResponse ? Self.longestValue : Self.writeLength(mtu: access.mtu(of: target.link))
    guard bytes.count <= maximum else {
      throw attempt.error(.tooLong, detail: .length(bytes.count, maximum: maximum))
    }
    return withResponse
  }

  func readRSSI(timeout: Timeout) async throws -> Int {
    let limit = timeout.duration(standard: central.configuration.timeouts.readRSSI)
    let attempt = attempt(.readRSSI, limit: limit)
    let deadline = central.deadline(after: limit)
    let link = try await usableLink(for: attempt, deadline: deadline)
    let ticket = enterOrder()
    defer { leaveOrder(ticket) }
    try await awaitOrder(ticket, for: attempt, deadline: deadline)
    let rssi = try await request(attempt, on: link, deadline: deadline, leaving: ticket) { access, completion in
      access.readRSSI(of: link, completion: completion)
    }
    updateFacts { $0.rssi = rssi }
    rssiReadings.send(rssi)
    return rssi
  }

  /// Throws, before anything is sent, unless the characteristic allows what is to be done.
  func require(
    _ properties: CharacteristicProperties,
    of target: CharacteristicName.Instance,
    for attempt: Attempt
  ) throws(BluetoothError) {
    guard target.characteristic.properties.isDisjoint(with: properties) else { return }
    throw attempt.error(.notPermitted, detail: .allowed(target.characteristic.properties))
  }

  /// Makes one request of the radio and waits for its reply.
  ///
  /// - Parameter ticket: The place in the order, which is left when the request is made.
  func request<Reply: Sendable>(
    _ attempt: Attempt,
    on link: LinkID,
    deadline: RadioInstant?,
    leaving ticket: UInt64?,
    send: (RadioAccess, @escaping @Sendable (Result<Reply, RadioFailure>) -> Void) -> RequestID
  ) async throws -> Reply {
    try await PendingOperation<Reply>.run(on: executor, deadline: deadline, timeout: { attempt.timedOut }) {
      operation in
      guard self.link == link else { return operation.finish(.failure(attempt.error(lastLoss))) }
      let number = nextNumber()
      running[number] = { loss in operation.giveUp(attempt.error(loss)) }
      let request = send(access) { result in
        operation.finish(result.mapError { attempt.error($0) })
      }
      leaveOrder(ticket)
      let access = access
      operation.onEnd { [weak self] givenUp in
        self?.assumeIsolated { $0.running[number] = nil }
        if givenUp != nil { access.abandon(request) }
      }
    }
  }

  /// Makes a value of bytes from the device.
  nonisolated func decode<Value: ByteReadable>(
    _ bytes: [UInt8],
    of name: CharacteristicName,
    for operation: BluetoothError.Operation
  ) throws(BluetoothError) -> Value {
    do {
      return try Value(bytes: bytes)
    } catch {
      let attempt = attempt(operation, name)
      guard !bytes.isEmpty else { throw attempt.error(.empty, underlying: error) }
      throw attempt.error(.undecodable, underlying: error, detail: .count(bytes.count))
    }
  }
}

extension RadioAccess {
  /// Writes a value in either way.
  func write(
    _ value: [UInt8],
    to target: CharacteristicName.Instance,
    _ withResponse: Bool,
    _ completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID {
    let handle = target.characteristic.handle
    return withResponse
      ? write(value, to: handle, on: target.link, completion: completion)
      : writeWithoutResponse(value, to: handle, on: target.link, completion: completion)
  }
}
