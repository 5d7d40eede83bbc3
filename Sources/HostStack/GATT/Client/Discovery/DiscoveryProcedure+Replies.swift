import BluetoothTypes
import RadioPort

extension DiscoveryProcedure {
  /// Takes the response to the request of the phase.
  mutating func take(_ frame: FrameBuffer) throws(RadioFailure) {
    switch phase {
    case .services: try takeServices(parse(frame))
    case .includes: try takeIncludes(parse(frame))
    case .includedUUIDs: try takeIncludedUUID(parse(frame))
    case .characteristics: try takeCharacteristics(parse(frame))
    case .configurations: try takeConfigurations(parse(frame))
    case .descriptors: try takeDescriptors(parse(frame))
    case .extendedProperties: try takeExtendedProperties(parse(frame))
    }
  }

  private func parse<Message: ATTMessage>(_ frame: FrameBuffer) throws(RadioFailure) -> Message {
    do {
      return try Message(frame: frame)
    } catch {
      throw .unreadable(Message.opcode, error)
    }
  }

  private func outOfOrder(_ what: String, _ handle: Int) -> RadioFailure {
    .violation(
      "the peer named \(what) at handle \(handle) where one between \(sweep.position) and "
        + "\(sweep.ranges.first?.upperBound ?? 0) was asked for"
    )
  }

  private func uuid(_ bytes: ArraySlice<UInt8>) throws(RadioFailure) -> BluetoothUUID {
    var reader = ByteReader(Array(bytes))
    do {
      return try BluetoothUUID(reading: &reader, byteCount: bytes.count)
    } catch {
      throw .unreadable(.readByTypeResponse, error)
    }
  }

  private static func integer(_ bytes: [UInt8], at index: Int) -> Int {
    Int(bytes[index]) | Int(bytes[index + 1]) << 8
  }

  private mutating func takeServices(_ response: ATTReadByGroupTypeResponse) throws(RadioFailure) {
    for record in response.records {
      let start = Int(record.handle.rawValue)
      let end = Int(record.groupEnd.rawValue)
      guard record.value.count == 2 || record.value.count == 16 else {
        throw .violation("the peer's service at handle \(start) has a UUID of \(counted(record.value.count, "byte"))")
      }
      guard sweep.expects(start), start <= end, table.add(start...end, try uuid(record.value[...]), isPrimary: true)
      else { throw outOfOrder("a service", start) }
      sweep.advance(past: end)
    }
  }

  private mutating func takeIncludes(_ response: ATTReadByTypeResponse) throws(RadioFailure) {
    for record in response.records {
      let handle = Int(record.handle.rawValue)
      guard record.value.count == 4 || record.value.count == 6 else {
        throw .violation("the peer's included service at handle \(handle) has \(counted(record.value.count, "byte"))")
      }
      let start = Self.integer(record.value, at: 0)
      let end = Self.integer(record.value, at: 2)
      guard sweep.expects(handle), start > 0, start <= end else { throw outOfOrder("an included service", handle) }
      let uuid = record.value.count == 6 ? try uuid(record.value[4...]) : nil
      table.includes.append(.init(handle: handle, service: start...end, uuid: uuid))
      sweep.advance(past: handle)
      // What only this reference leads to has includes of its own.
      if sweep.isPerService, table.uuid(ofServiceAt: start) == nil, start > handle { sweep.add(start...end) }
    }
  }

  /// Fills in the UUIDs of the services that are known already, and names the others, the first one last.
  mutating func includesToRead() -> [Int] {
    var unknown: [Int] = []
    for index in table.includes.indices where table.includes[index].uuid == nil {
      let start = table.includes[index].service.lowerBound
      table.includes[index].uuid = table.uuid(ofServiceAt: start)
      if table.includes[index].uuid == nil, !unknown.contains(start) { unknown.append(start) }
    }
    return unknown.reversed()
  }

  private mutating func takeIncludedUUID(_ response: ATTReadResponse) throws(RadioFailure) {
    guard let handle = reads.popLast() else { return }
    guard response.value.count == 16 || response.value.count == 2 else {
      throw .violation("the peer's service at handle \(handle) has a UUID of \(counted(response.value.count, "byte"))")
    }
    let uuid = try uuid(response.value[...])
    for index in table.includes.indices where table.includes[index].service.lowerBound == handle {
      table.includes[index].uuid = uuid
    }
  }

  /// What is included and no primary service is a secondary one.
  mutating func addIncludedServices() throws(RadioFailure) {
    for include in table.includes {
      guard let uuid = include.uuid, table.uuid(ofServiceAt: include.service.lowerBound) == nil else { continue }
      guard table.add(include.service, uuid, isPrimary: false) else {
        throw .violation("the peer's included service at handle \(include.service.lowerBound) overlaps with another")
      }
    }
  }

  private mutating func takeCharacteristics(_ response: ATTReadByTypeResponse) throws(RadioFailure) {
    for record in response.records {
      let handle = Int(record.handle.rawValue)
      guard record.value.count == 5 || record.value.count == 19 else {
        throw .violation("the peer's characteristic at handle \(handle) has \(counted(record.value.count, "byte"))")
      }
      let value = Self.integer(record.value, at: 1)
      guard sweep.expects(handle), value > handle else { throw outOfOrder("a characteristic", handle) }
      table.characteristics.append(
        .init(
          declaration: handle,
          value: value,
          properties: CharacteristicProperties(rawValue: UInt16(record.value[0])),
          uuid: try uuid(record.value[3...])
        )
      )
      // A characteristic has at least a declaration and a value, so a single handle need not be asked for.
      sweep.advance(past: value, least: 2)
    }
  }

  private mutating func takeConfigurations(_ response: ATTReadByTypeResponse) throws(RadioFailure) {
    for record in response.records {
      let handle = Int(record.handle.rawValue)
      guard sweep.expects(handle) else { throw outOfOrder("a descriptor", handle) }
      if !table.add(handle, Self.clientConfiguration) {
        table.notes.append("a descriptor at handle \(handle) belongs to no characteristic; it is ignored")
      }
      sweep.advance(past: handle)
    }
    // A characteristic has one; on to the next that may have it, if there is another.
    let from = sweep.position
    let next = table.characteristics.first { $0.sendsValues && $0.room.upperBound > from && $0.descriptors.isEmpty }
    guard let next else { return sweep = HandleSweep() }
    sweep.advance(past: max(from, next.room.lowerBound) - 1)
  }

  private mutating func takeDescriptors(_ response: ATTFindInformationResponse) throws(RadioFailure) {
    for record in response.records {
      let handle = Int(record.handle.rawValue)
      guard sweep.expects(handle) else { throw outOfOrder("an attribute", handle) }
      // The request reaches over declarations and values between the gaps too; those are no descriptors.
      if !Self.isDeclaration(record.uuid) { _ = table.add(handle, record.uuid) }
      sweep.advance(past: handle)
      if sweep.next == nil { return }
    }
    // On to the next handle that is not known; those behind the last one returned may be jumped over.
    let from = sweep.position
    guard let next = table.gaps.first(where: { $0.upperBound >= from }) else { return sweep = HandleSweep() }
    sweep.advance(past: max(from, next.lowerBound) - 1)
  }

  private static func isDeclaration(_ uuid: BluetoothUUID) -> Bool {
    uuid.uint16.map { (0x2800...0x2803).contains($0) } ?? false
  }

  private mutating func takeExtendedProperties(_ response: ATTReadResponse) throws(RadioFailure) {
    guard let handle = reads.popLast(), let bits = response.value.first else { return }
    let index = table.characteristics.firstIndex { $0.room.contains(handle) }
    guard let index else { return }
    let extended = CharacteristicProperties(rawValue: UInt16(bits & 0x03) << 8)
    table.characteristics[index].properties.formUnion(extended)
  }
}
