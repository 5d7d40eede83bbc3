import BluetoothTypes
import RadioPort

// Writing attributes (Core 5.4, Vol 3, Part F, 3.4.5) and values that the server sends by itself (3.4.7).

extension ServerConnection {
  mutating func write(_ request: ATTWriteRequest, _ database: inout GATTDatabase) {
    let handle = request.handle
    switch take(request.value, handle, database[handle], &database) {
    case .done: send(ATTWriteResponse())
    case .refused(let code): fail(.writeRequest, handle, code)
    case .owner:
      ask(
        .write([WriteRequest.Part(attribute: handle, offset: 0, value: request.value)]),
        .write(handle),
        .writeRequest
      )
    }
  }

  mutating func writeWithoutResponse(_ command: ATTWriteCommand, _ database: inout GATTDatabase) {
    guard let attribute = database[command.handle] else { return }
    if case .owner = take(command.value, command.handle, attribute, &database) {
      outputs.append(.notice(.command(command.handle, value: command.value)))
    }
  }

  enum Taken {
    case done
    case owner
    case refused(ATTErrorCode)
  }

  /// Writes a whole value where the database or the connection keeps it.
  mutating func take(
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
    if attribute.role == .clientFeatures { return enable(value).map(Taken.refused) ?? .done }
    guard case .stored = attribute.source else { return .owner }
    database.store(value, at: handle)
    outputs.append(.notice(.stored(handle, value: value)))
    return .done
  }

  /// Takes what the client says that it can do, which it can not take back (Core 5.4, Vol 3, Part G, 7.2).
  private mutating func enable(_ value: [UInt8]) -> ATTErrorCode? {
    guard let first = value.first else { return .invalidAttributeValueLength }
    let known = ClientFeatures(rawValue: first).intersection([
      .robustCaching, .enhancedBearer, .multipleNotifications,
    ])
    guard known.isSuperset(of: features) else { return .valueNotAllowed }
    features = known
    return nil
  }

  /// Takes a client configuration; the error if it makes no sense.
  private mutating func configure(
    _ handle: AttributeHandle,
    _ properties: CharacteristicProperties,
    _ value: [UInt8]
  ) -> ATTErrorCode? {
    if let code = refusal(ofConfiguration: value, properties) { return code }
    let bits = SubscriptionModes(rawValue: UInt16(value[0]) | UInt16(value[1]) &<< 8)
    let known = bits.intersection([.notifications, .indications])
    guard configurations[handle, default: []] != known else { return nil }
    configurations[handle] = known.isEmpty ? nil : known
    if !known.contains(.indications) { giveUpIndications(handle...handle, .unsubscribed) }
    outputs.append(.notice(.subscription(handle, known)))
    return nil
  }

  /// Why a value makes no sense as a client configuration.
  func refusal(ofConfiguration value: [UInt8], _ properties: CharacteristicProperties) -> ATTErrorCode? {
    guard value.count == 2 else { return .invalidAttributeValueLength }
    let bits = SubscriptionModes(rawValue: UInt16(value[0]) | UInt16(value[1]) &<< 8)
    if bits.contains(.notifications), !properties.contains(.notify) {
      return .clientCharacteristicConfigurationImproperlyConfigured
    }
    if bits.contains(.indications), !properties.contains(.indicate) {
      return .clientCharacteristicConfigurationImproperlyConfigured
    }
    return nil
  }

  // MARK: Notifications and indications

  /// Whether the client takes values now: one that wants to be held to what it knows of the database gets none of which
  /// it does not know (Core 5.4, Vol 3, Part G, 2.5.2.1).
  var mayBeSent: Bool { awareness.isAware || !isRobust }

  /// Whether a value may go to this client in one of both ways.
  func refusalToSend(_ value: [UInt8], _ handle: AttributeHandle, _ wanted: SubscriptionModes) -> NotifyRefusal? {
    guard configurations[handle, default: []].contains(wanted), mayBeSent else { return .notSubscribed }
    let limit = Self.updateLimit(mtu: mtu)
    guard value.count <= limit else { return .tooLong(limit: limit) }
    return nil
  }

  /// The longest value that one PDU takes, and that an attribute may have.
  static func updateLimit(mtu: Int) -> Int { min(mtu - 3, longestValue) }

  mutating func indicate(_ item: IndicationQueue.Item, now: RadioInstant) -> NotifyRefusal? {
    if let refusal = refusalToSend(item.value, item.handle, .indications) { return refusal }
    guard indications.append(item) else { return .busy }
    sendIndication(now)
    return nil
  }

  mutating func giveUpIndications(_ range: ClosedRange<AttributeHandle>, _ reason: Confirmation) {
    for item in indications.withdraw(range) {
      outputs.append(.notice(.confirmed(item.handle, token: item.token, reason)))
    }
  }

  private mutating func sendIndication(_ now: RadioInstant) {
    guard let next = indications.next(now: now) else { return }
    send(ATTHandleValueIndication(handle: next.handle, value: next.value))
  }

  mutating func confirmed() {
    guard let item = indications.confirm() else { return }
    // Of a change that came meanwhile it knows nothing yet.
    if item.isChange, !indications.hasChange {
      awareness.confirmed()
      tellOfAwareness()
    }
    outputs.append(.notice(.confirmed(item.handle, token: item.token, .confirmed)))
    if indications.takeRoom() { outputs.append(.room) }
  }

  /// Sends the next indication after a confirmation.
  mutating func advanceIndications(now: RadioInstant) { sendIndication(now) }
}
