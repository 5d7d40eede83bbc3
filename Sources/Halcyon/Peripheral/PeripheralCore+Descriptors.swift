import BluetoothTypes
import RadioPort

extension PeripheralCore {
  /// The descriptor that switches notifications and indications.
  private static let clientConfiguration = BluetoothUUID(UInt16(0x2902))

  func read<Value>(_ descriptor: Descriptor<Value>, timeout: Timeout) async throws -> [UInt8] {
    let limit = timeout.duration(standard: central.configuration.timeouts.read)
    let attempt = attempt(.readDescriptor, descriptor.characteristicName, limit: limit)
    let deadline = central.deadline(after: limit)
    let ticket = enterOrder()
    defer { leaveOrder(ticket) }
    let (link, handle) = try await resolve(descriptor, ticket, for: attempt, deadline: deadline)
    return try await request(attempt, on: link, deadline: deadline, leaving: ticket) { access, completion in
      access.read(handle, on: link, completion: completion)
    }
  }

  func write<Value>(_ bytes: [UInt8], to descriptor: Descriptor<Value>, timeout: Timeout) async throws {
    let limit = timeout.duration(standard: central.configuration.timeouts.write)
    let attempt = attempt(.writeDescriptor, descriptor.characteristicName, limit: limit)
    let deadline = central.deadline(after: limit)
    // It belongs to the subscriptions, which would not know what is so.
    guard descriptor.uuid != Self.clientConfiguration else { throw attempt.error(.notPermitted, detail: .subscription) }
    guard !bytes.isEmpty else { throw attempt.error(.empty) }
    guard bytes.count <= Self.longestValue else {
      throw attempt.error(.tooLong, detail: .length(bytes.count, maximum: Self.longestValue))
    }
    let ticket = enterOrder()
    defer { leaveOrder(ticket) }
    let (link, handle) = try await resolve(descriptor, ticket, for: attempt, deadline: deadline)
    try await request(attempt, on: link, deadline: deadline, leaving: ticket) { access, completion in
      access.write(bytes, to: handle, on: link, completion: completion)
    }
  }

  /// Finds the descriptor that is meant, and discovers what is needed for it.
  private func resolve<Value>(
    _ descriptor: Descriptor<Value>,
    _ ticket: UInt64?,
    for attempt: Attempt,
    deadline: RadioInstant?
  ) async throws -> (LinkID, AttributeHandle) {
    let target = try await resolve(descriptor.characteristicName, ticket, for: attempt, deadline: deadline)
    let found = target.characteristic.descriptors.filter {
      $0.uuid == descriptor.uuid && (descriptor.handle ?? $0.handle) == $0.handle
    }
    guard let first = found.first else {
      throw attempt.error(.descriptorNotFound, detail: descriptor.handle == nil ? nil : .outdated)
    }
    guard found.count == 1 else { throw attempt.error(.ambiguous, detail: .count(found.count)) }
    return (target.link, first.handle)
  }
}
