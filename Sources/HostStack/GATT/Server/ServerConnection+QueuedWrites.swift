import BluetoothTypes
import RadioPort

// Writes that a client prepares in parts and then executes (Core 5.4, Vol 3, Part F, 3.4.6).

/// What is left to do of an Execute Write Request.
struct ExecuteJob: Sendable {
  /// What the database keeps; written last, when all owners have agreed.
  var stored: [QueuedWrites.Write] = []
  /// What the owners are asked for, one owner after the other.
  private(set) var groups: [[QueuedWrites.Write]] = []
  private var owners: [UInt64] = []

  mutating func add(_ write: QueuedWrites.Write, of owner: UInt64) {
    if let index = owners.firstIndex(of: owner) {
      groups[index].append(write)
    } else {
      owners.append(owner)
      groups.append([write])
    }
  }

  /// Takes the group that was asked for last out.
  mutating func takeGroup() -> [QueuedWrites.Write]? {
    guard !groups.isEmpty else { return nil }
    owners.removeFirst()
    return groups.removeFirst()
  }
}

extension ServerConnection {
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
      var lengths: [AttributeHandle: Int] = [:]
      for write in writes {
        if let code = check(write, &lengths, database) { return fail(.executeWriteRequest, write.handle, code) }
      }
      var job = ExecuteJob()
      for write in writes {
        guard let attribute = database[write.handle] else { continue }
        if case .owner = attribute.source {
          job.add(write, of: attribute.owner)
        } else {
          job.stored.append(write)
        }
      }
      perform(job, &database)
    default: fail(.executeWriteRequest, AttributeHandle(0), .invalidPDU)
    }
  }

  /// - Parameter lengths: How long the values that are written will be by then.
  private func check(
    _ write: QueuedWrites.Write,
    _ lengths: inout [AttributeHandle: Int],
    _ database: GATTDatabase
  ) -> ATTErrorCode? {
    guard let attribute = database[write.handle] else { return .invalidHandle }
    if let refusal = attribute.permissions.refusalOfWrite(security) { return refusal }
    let end = write.offset + write.value.count
    guard end <= Self.longestValue else { return .invalidAttributeValueLength }
    if case .clientConfiguration = attribute.role {
      if let code = refusal(ofConfiguration: write.value, attribute.properties) { return code }
      return write.offset == 0 ? nil : .invalidOffset
    }
    if case .stored(let old) = attribute.source {
      guard write.offset <= lengths[write.handle] ?? old.count else { return .invalidOffset }
      lengths[write.handle] = end
    }
    return nil
  }

  /// Asks the next owner or, when all have agreed, writes what the database keeps.
  mutating func perform(_ job: ExecuteJob, _ database: inout GATTDatabase) {
    if let group = job.groups.first {
      let parts = group.map { WriteRequest.Part(attribute: $0.handle, offset: $0.offset, value: $0.value) }
      return ask(.write(parts), .execute(job), .executeWriteRequest)
    }
    for write in job.stored {
      let attribute = database[write.handle]
      var value = write.value
      if write.offset > 0, case .stored(let old)? = attribute?.source {
        value = Array(old.prefix(write.offset)) + value
      }
      if case .refused(let code) = take(value, write.handle, attribute, &database) {
        return fail(.executeWriteRequest, write.handle, code)
      }
    }
    send(ATTExecuteWriteResponse())
  }
}
