import BluetoothTypes
import RadioPort

// Writing attributes (Core 5.4, Vol 3, Part F, 3.4.5 and 3.4.6) and values that the server sends by itself (3.4.7).

extension ServerConnection {
  mutating func write(_ request: ATTWriteRequest, _ database: inout GATTDatabase) {
    let handle = request.handle
    switch take(request.value, handle, database[handle], &database) {
    case .done: send(ATTWriteResponse())
    case .refused(let code): fail(.writeRequest, handle, code)
    case .owner: ask(.write(handle, offset: 0, value: request.value), .write(handle), .writeRequest)
    }
  }

  mutating func writeWithoutResponse(_ command: ATTWriteCommand, _ database: inout GATTDatabase) {
    guard let attribute = database[command.handle] else { return }
    if case .owner = take(command.value, command.handle, attribute, &database) {
      outputs.append(.notice(.command(command.handle, value: command.value)))
    }
  }

  private enum Taken {
    case done
    case owner
    case refused(ATTErrorCode)
  }

  /// Writes a whole value where the database or the connection keeps it.
  private mutating func take(
    _ value: [UInt8],
    _ handle: AttributeHandle,
    _ attribute: GATTDatabase.Attribute?,
    _ database: inout GATTDatabase
  ) -> Taken {
    guard let attribute else { return .refused(.invalidHandle) }
    if let refusal = attribute.permissions.refusalOfWrite(security) { return .refused(refusal) }
    guard value.count <= Self.longestValue else { return .refused(.invalidAttributeValueLength) }
    if case .clientConfiguration(let valueHandle) = attribute.role {
      return configure(valueHandle, attribute.properties, value).map(Taken.refused) ?? .done
    }
    guard case .stored = attribute.source else { return .owner }
    database.store(value, at: handle)
    outputs.append(.notice(.stored(handle, value: value)))
    return .done
  }

  /// Takes a client configuration; the error if it makes no sense.
  private mutating func configure(
    _ handle: AttributeHandle,
    _ properties: CharacteristicProperties,
    _ value: [UInt8]
  ) -> ATTErrorCode? {
    guard value.count == 2 else { return .invalidAttributeValueLength }
    let bits = ClientConfiguration(rawValue: UInt16(value[0]) | UInt16(value[1]) &<< 8)
    if bits.contains(.notifications), !properties.contains(.notify) {
      return .clientCharacteristicConfigurationImproperlyConfigured
    }
    if bits.contains(.indications), !properties.contains(.indicate) {
      return .clientCharacteristicConfigurationImproperlyConfigured
    }
    let known = bits.intersection([.notifications, .indications])
    guard configurations[handle, default: []] != known else { return nil }
    configurations[handle] = known.isEmpty ? nil : known
    outputs.append(.notice(.subscription(handle, known)))
    return nil
  }

  // MARK: Queued writes

  mutating func prepare(_ request: ATTPrepareWriteRequest, _ database: GATTDatabase) {
    guard let attribute = database[request.handle] else {
      return fail(.prepareWriteRequest, request.handle, .invalidHandle)
    }
    if let refusal = attribute.permissions.refusalOfWrite(security) {
      return fail(.prepareWriteRequest, request.handle, refusal)
    }
    guard queued.append(request.handle, Int(request.offset), request.value) else {
      return fail(.prepareWriteRequest, request.handle, .prepareQueueFull)
    }
    send(ATTPrepareWriteResponse(handle: request.handle, offset: request.offset, value: request.value))
  }

  mutating func execute(_ request: ATTExecuteWriteRequest, _ database: inout GATTDatabase) {
    let parts = queued.takeAll()
    switch request.flags {
    case .cancel: send(ATTExecuteWriteResponse())
    case .write:
      let writes = QueuedWrites.join(parts)
      // Nothing is written unless all that can be checked beforehand is right.
      for write in writes {
        if let code = check(write, database) { return fail(.executeWriteRequest, write.handle, code) }
      }
      perform(writes, from: 0, &database)
    default: fail(.executeWriteRequest, AttributeHandle(0), .invalidPDU)
    }
  }

  private func check(_ write: QueuedWrites.Write, _ database: GATTDatabase) -> ATTErrorCode? {
    guard let attribute = database[write.handle] else { return .invalidHandle }
    guard write.offset + write.value.count <= Self.longestValue else { return .invalidAttributeValueLength }
    if case .value(let old) = access(attribute), write.offset > old.count { return .invalidOffset }
    return nil
  }

  /// Writes one value after the other; stops where the owner is asked and goes on with the answer.
  mutating func perform(_ writes: [QueuedWrites.Write], from start: Int, _ database: inout GATTDatabase) {
    var index = start
    while index < writes.count {
      let write = writes[index]
      let attribute = database[write.handle]
      var value = write.value
      if write.offset > 0, let attribute, case .value(let old) = access(attribute) {
        value = Array(old.prefix(write.offset)) + value
      }
      switch take(value, write.handle, attribute, &database) {
      case .done: index += 1
      case .refused(let code): return fail(.executeWriteRequest, write.handle, code)
      case .owner:
        return ask(
          .write(write.handle, offset: write.offset, value: write.value),
          .execute(writes: writes, next: index),
          .executeWriteRequest
        )
      }
    }
    send(ATTExecuteWriteResponse())
  }

  // MARK: Notifications and indications

  /// Whether a value may go to this client in one of both ways.
  func refusalToSend(_ value: [UInt8], _ handle: AttributeHandle, _ wanted: ClientConfiguration) -> NotifyRefusal? {
    guard configurations[handle, default: []].contains(wanted) else { return .notSubscribed }
    guard value.count <= mtu - 3 else { return .tooLong(limit: mtu - 3) }
    return nil
  }

  mutating func indicate(_ value: [UInt8], _ handle: AttributeHandle, now: RadioInstant) -> NotifyRefusal? {
    if let refusal = refusalToSend(value, handle, .indications) { return refusal }
    guard indications.append(handle, value) else { return .busy }
    sendIndication(now)
    return nil
  }

  private mutating func sendIndication(_ now: RadioInstant) {
    guard let next = indications.next(now: now) else { return }
    send(ATTHandleValueIndication(handle: next.handle, value: next.value))
  }

  mutating func confirmed() {
    guard let handle = indications.confirm() else { return }
    outputs.append(.notice(.confirmed(handle, isConfirmed: true)))
  }

  /// Sends the next indication after a confirmation.
  mutating func advanceIndications(now: RadioInstant) { sendIndication(now) }
}
