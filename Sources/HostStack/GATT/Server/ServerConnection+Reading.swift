import BluetoothTypes

// Finding and reading attributes (Core 5.4, Vol 3, Part F, 3.4.3 and 3.4.4).

extension ServerConnection {
  /// The range of a request; answers with Invalid Handle and gives `nil` if it is none.
  private mutating func range(
    _ start: AttributeHandle,
    _ end: AttributeHandle,
    _ opcode: ATTOpcode
  ) -> ClosedRange<AttributeHandle>? {
    guard start.rawValue != 0, start <= end else {
      fail(opcode, start, .invalidHandle)
      return nil
    }
    return start...end
  }

  mutating func findInformation(_ request: ATTFindInformationRequest, _ database: GATTDatabase) {
    guard let range = range(request.start, request.end, .findInformationRequest) else { return }
    let found = database.attributes(in: range)
    guard let first = found.first else { return fail(.findInformationRequest, request.start, .attributeNotFound) }
    let size = first.type.attByteCount
    let room = (mtu - 2) / (2 + size)
    var records: [ATTFindInformationResponse.Record] = []
    for attribute in found {
      guard records.count < room, attribute.type.attByteCount == size else { break }
      records.append(.init(handle: attribute.handle, uuid: attribute.type))
    }
    send(ATTFindInformationResponse(format: size == 2 ? .short : .long, records: records))
  }

  mutating func findByTypeValue(_ request: ATTFindByTypeValueRequest, _ database: GATTDatabase) {
    guard let range = range(request.start, request.end, .findByTypeValueRequest) else { return }
    let type = BluetoothUUID(request.type)
    let room = (mtu - 1) / 4
    var records: [ATTFindByTypeValueResponse.Record] = []
    for attribute in database.attributes(in: range) where attribute.type == type {
      guard case .value(let value) = access(attribute), value == request.value else { continue }
      guard records.count < room else { break }
      records.append(.init(handle: attribute.handle, groupEnd: groupEnd(attribute)))
    }
    guard !records.isEmpty else { return fail(.findByTypeValueRequest, request.start, .attributeNotFound) }
    send(ATTFindByTypeValueResponse(records: records))
  }

  private func groupEnd(_ attribute: GATTDatabase.Attribute) -> AttributeHandle {
    if case .service(let end) = attribute.role { end } else { attribute.handle }
  }

  mutating func readByType(_ request: ATTReadByTypeRequest, _ database: GATTDatabase) {
    guard let range = range(request.start, request.end, .readByTypeRequest) else { return }
    if request.type == .databaseHash { awareness.hashRead() }
    var records: [ATTReadByTypeResponse.Record] = []
    var length = 0
    var room = mtu - 2
    for attribute in database.attributes(in: range) where attribute.type == request.type {
      switch access(attribute) {
      case .refused(let code):
        if records.isEmpty { return fail(.readByTypeRequest, attribute.handle, code) }
      case .owner:
        // One whose owner has to be asked comes alone; what was found before goes first.
        if records.isEmpty { return ask(.read(attribute.handle), .byType(attribute.handle), .readByTypeRequest) }
      case .value(let value):
        if records.isEmpty { length = value.count }
        let part = Array(value.prefix(min(mtu - 4, 253)))
        if value.count == length, room >= 2 + part.count {
          records.append(.init(handle: attribute.handle, value: part))
          room -= 2 + part.count
          continue
        }
      }
      break
    }
    guard !records.isEmpty else { return fail(.readByTypeRequest, request.start, .attributeNotFound) }
    send(ATTReadByTypeResponse(records: records))
  }

  mutating func readByGroupType(_ request: ATTReadByGroupTypeRequest, _ database: GATTDatabase) {
    guard let range = range(request.start, request.end, .readByGroupTypeRequest) else { return }
    guard request.type == .primaryServiceDeclaration || request.type == .secondaryServiceDeclaration else {
      return fail(.readByGroupTypeRequest, request.start, .unsupportedGroupType)
    }
    var records: [ATTReadByGroupTypeResponse.Record] = []
    var length = 0
    var room = mtu - 2
    for attribute in database.attributes(in: range) where attribute.type == request.type {
      guard case .value(let value) = access(attribute) else { break }
      if records.isEmpty { length = value.count }
      let part = Array(value.prefix(min(mtu - 6, 251)))
      guard value.count == length, room >= 4 + part.count else { break }
      records.append(.init(handle: attribute.handle, groupEnd: groupEnd(attribute), value: part))
      room -= 4 + part.count
    }
    guard !records.isEmpty else { return fail(.readByGroupTypeRequest, request.start, .attributeNotFound) }
    send(ATTReadByGroupTypeResponse(records: records))
  }

  /// Read Request and Read Blob Request.
  mutating func read(_ work: Job, _ handle: AttributeHandle, _ opcode: ATTOpcode, _ database: GATTDatabase) {
    guard let attribute = database[handle] else { return fail(opcode, handle, .invalidHandle) }
    switch access(attribute) {
    case .refused(let code): fail(opcode, handle, code)
    case .owner: ask(.read(handle), work, opcode)
    case .value(let value):
      if attribute.role == .databaseHash { awareness.hashRead() }
      if case .blob(_, let offset) = work {
        sendBlob(value, handle, offset)
      } else {
        sendRead(value, handle)
      }
    }
  }

  /// Collects the values of a Read Multiple Request of either kind; goes on where the owner's answer left it.
  mutating func readMultiple(_ work: Job, _ opcode: ATTOpcode, _ database: GATTDatabase) {
    guard case .multiple(let handles, var values, let isVariable) = work else { return }
    while values.count < handles.count {
      let handle = handles[values.count]
      guard let attribute = database[handle] else { return fail(opcode, handle, .invalidHandle) }
      switch access(attribute) {
      case .refused(let code): return fail(opcode, handle, code)
      case .value(let value): values.append(value)
      case .owner:
        return ask(.read(handle), .multiple(handles: handles, values: values, isVariable: isVariable), opcode)
      }
    }
    if isVariable {
      sendVariable(values)
    } else {
      send(ATTReadMultipleResponse(values: Array(values.joined().prefix(mtu - 1))))
    }
  }

  private mutating func sendVariable(_ values: [[UInt8]]) {
    var room = mtu - 1
    var parts: [ATTReadMultipleVariableResponse.Value] = []
    for value in values {
      // Only a value may be cut, never its length.
      guard room >= 2 else { break }
      parts.append(.init(length: value.count, bytes: Array(value.prefix(room - 2))))
      room -= 2 + min(value.count, room - 2)
    }
    send(ATTReadMultipleVariableResponse(values: parts))
  }
}
