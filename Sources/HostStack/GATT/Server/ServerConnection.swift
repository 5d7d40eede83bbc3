import BluetoothTypes
import RadioPort

/// The server's end of one link: answers one request at a time, in order.
struct ServerConnection: Sendable {
  /// What comes out.
  enum Output: Sendable {
    case send([UInt8])
    case ask(ReplyID, OwnerRequest)
    case notice(ServerNotice)
    /// There is room for indications again.
    case room
    /// The client sends requests without end and waits for no response.
    case flooded
  }

  /// What goes on while the owner is asked.
  enum Job: Sendable {
    case read(AttributeHandle)
    case blob(AttributeHandle, offset: Int)
    case multiple(handles: [AttributeHandle], values: [[UInt8]], isVariable: Bool)
    case byType(AttributeHandle)
    case write(AttributeHandle)
    case execute(ExecuteJob)
  }

  /// The longest value of an attribute (Core 5.4, Vol 3, Part F, 3.2.9).
  static let longestValue = 512
  /// How many requests may wait behind the one that is served. A client that keeps to the protocol never has a second
  /// one (Core 5.4, Vol 3, Part F, 3.3.2); one that is merely impatient is answered in order. A request that was not
  /// answered would leave the bearer dead in any case, so the link of a client with more ends at once.
  static let queueLimit = 8

  let link: LinkID
  var mtu = 23
  var security = LinkSecurity.open
  var configurations: [AttributeHandle: SubscriptionModes] = [:]
  /// What the client says that it can do.
  var features: ClientFeatures = []
  /// Whether the client knows of the last change of the database.
  var awareness = ChangeAwareness()
  /// Whether values wait until it does.
  private var holdsValuesBack = false
  var queued = QueuedWrites()
  var indications = IndicationQueue()
  var outputs: [Output] = []

  private(set) var job: (id: ReplyID, opcode: ATTOpcode, work: Job)?
  private var waiting: [[UInt8]] = []
  /// The value of which a client reads one part after the other, so that all parts are of one whole.
  private var longRead: (handle: AttributeHandle, value: [UInt8])?
  private var counter: UInt64

  /// - Parameter firstReply: Where the numbers of this connection's questions begin.
  init(link: LinkID, firstReply: UInt64) {
    self.link = link
    counter = firstReply
  }

  // MARK: Requests

  /// Takes one PDU from the client.
  mutating func receive(_ pdu: [UInt8], _ database: inout GATTDatabase) {
    guard let first = pdu.first else { return }
    let opcode = ATTOpcode(rawValue: first)
    // Commands are never kept back: they are served in the order in which they came, whatever else is open.
    // A confirmation belongs to the server's own PDUs, which know nothing of requests (Core 5.4, Vol 3, Part F, 3.3.2):
    // an owner who answers only when its indication was confirmed would else wait for ever.
    if job != nil, !opcode.isCommand, opcode != .handleValueConfirmation {
      if waiting.count < Self.queueLimit { waiting.append(pdu) } else { outputs.append(.flooded) }
      return
    }
    serve(pdu, opcode, &database)
  }

  /// The owner has answered; whether the answer was awaited.
  mutating func answer(_ id: ReplyID, _ result: Result<[UInt8], ATTErrorCode>, _ database: inout GATTDatabase) -> Bool {
    guard let current = job, current.id == id else { return false }
    job = nil
    resume(current.work, current.opcode, result, &database)
    while job == nil, !waiting.isEmpty {
      let pdu = waiting.removeFirst()
      serve(pdu, ATTOpcode(rawValue: pdu.first ?? 0), &database)
    }
    return true
  }

  /// Lets go of all that belongs to handles that are no more.
  mutating func withdraw(_ range: ClosedRange<AttributeHandle>, _ database: inout GATTDatabase) {
    longRead = nil
    if let job, job.work.handles.contains(where: range.contains) {
      outputs.append(.notice(.ended(job.id)))
      _ = answer(job.id, .failure(.invalidHandle), &database)
    }
    giveUpIndications(range, .withdrawn)
    for handle in configurations.keys.filter(range.contains).sorted() {
      configurations[handle] = nil
      outputs.append(.notice(.subscription(handle, [])))
    }
  }

  private mutating func serve(_ pdu: [UInt8], _ opcode: ATTOpcode, _ database: inout GATTDatabase) {
    let parsed: ATTPDU
    do { parsed = try ATTPDU(bytes: pdu) } catch {
      if opcode.isRequest { fail(opcode, AttributeHandle(0), .invalidPDU) }
      return
    }
    if opcode.isRequest {
      let isRefused = awareness.refuses(isBound: parsed.isBoundToDatabase, isRobust: isRobust)
      tellOfAwareness()
      if isRefused { return fail(opcode, parsed.namedHandle, .databaseOutOfSync) }
    } else if opcode.isCommand, !awareness.isAware, isRobust {
      // What the client means may not be what stands there now.
      return
    }
    if opcode != .readBlobRequest, opcode.isRequest { longRead = nil }
    switch parsed {
    case .findInformationRequest(let request): findInformation(request, database)
    case .findByTypeValueRequest(let request): findByTypeValue(request, database)
    case .readByTypeRequest(let request): readByType(request, database)
    case .readByGroupTypeRequest(let request): readByGroupType(request, database)
    case .readRequest(let request): read(.read(request.handle), request.handle, opcode, database)
    case .readBlobRequest(let request):
      // From its beginning a value is read anew.
      if request.offset > 0, let longRead, longRead.handle == request.handle {
        sendBlob(longRead.value, request.handle, Int(request.offset))
      } else {
        read(.blob(request.handle, offset: Int(request.offset)), request.handle, opcode, database)
      }
    case .readMultipleRequest(let request):
      readMultiple(.multiple(handles: request.handles, values: [], isVariable: false), opcode, database)
    case .readMultipleVariableRequest(let request):
      readMultiple(.multiple(handles: request.handles, values: [], isVariable: true), opcode, database)
    case .writeRequest(let request): write(request, &database)
    case .writeCommand(let command): writeWithoutResponse(command, &database)
    case .prepareWriteRequest(let request): prepare(request, database)
    case .executeWriteRequest(let request): execute(request, &database)
    case .handleValueConfirmation: confirmed()
    default:
      // Commands that are not known, signed writes without a key to check them, and what only a client may get are
      // ignored; all else is a request that is not supported.
      if opcode.isRequest { fail(opcode, AttributeHandle(0), .requestNotSupported) }
    }
  }

  private mutating func resume(
    _ work: Job,
    _ opcode: ATTOpcode,
    _ result: Result<[UInt8], ATTErrorCode>,
    _ database: inout GATTDatabase
  ) {
    switch (work, result) {
    case (.read(let handle), .success(let value)): sendRead(value, handle)
    case (.read(let handle), .failure(let code)): fail(opcode, handle, code)
    case (.blob(let handle, let offset), .success(let value)):
      longRead = (handle, value)
      sendBlob(value, handle, offset)
    case (.blob(let handle, _), .failure(let code)): fail(opcode, handle, code)
    case (.multiple(let handles, let values, let isVariable), .success(let value)):
      readMultiple(.multiple(handles: handles, values: values + [value], isVariable: isVariable), opcode, database)
    case (.multiple(let handles, let values, _), .failure(let code)):
      fail(opcode, values.count < handles.count ? handles[values.count] : AttributeHandle(0), code)
    case (.byType(let handle), .success(let value)):
      send(ATTReadByTypeResponse(records: [.init(handle: handle, value: Array(value.prefix(min(mtu - 4, 253))))]))
    case (.byType(let handle), .failure(let code)): fail(opcode, handle, code)
    case (.write, .success): send(ATTWriteResponse())
    case (.write(let handle), .failure(let code)): fail(opcode, handle, code)
    case (.execute(var job), .success):
      _ = job.takeGroup()
      perform(job, &database)
    case (.execute(let job), .failure(let code)):
      fail(opcode, job.groups.first?.first?.handle ?? AttributeHandle(0), code)
    }
  }

  // MARK: Answers

  mutating func send(_ message: some ATTMessage) { outputs.append(.send(message.bytes)) }

  mutating func fail(_ request: ATTOpcode, _ handle: AttributeHandle, _ code: ATTErrorCode) {
    send(ATTErrorResponse(request: request, handle: handle, code: code))
  }

  mutating func ask(_ request: OwnerRequest, _ work: Job, _ opcode: ATTOpcode) {
    counter &+= 1
    let id = ReplyID(rawValue: counter)
    job = (id, opcode, work)
    outputs.append(.ask(id, request))
  }

  mutating func sendRead(_ value: [UInt8], _ handle: AttributeHandle) {
    // Also a short one: whether its part looks like the last one is for the client to judge, who may go by an older MTU.
    longRead = (handle, value)
    send(ATTReadResponse(value: value.count < mtu ? value : Array(value.prefix(mtu - 1))))
  }

  mutating func sendBlob(_ value: [UInt8], _ handle: AttributeHandle, _ offset: Int) {
    guard offset <= value.count else { return fail(.readBlobRequest, handle, .invalidOffset) }
    send(ATTReadBlobResponse(value: Array(value.dropFirst(offset).prefix(mtu - 1))))
  }

  // MARK: Values

  /// Whether values for the client are to wait: it is about to be told of a change of the database. If so, `.room` tells
  /// when they may go.
  ///
  /// - Parameter serviceChanged: The value whose indications tell of changes.
  mutating func holdBack(_ serviceChanged: AttributeHandle) -> Bool {
    guard !mayBeSent, configurations[serviceChanged, default: []].contains(.indications) else { return false }
    holdsValuesBack = true
    return true
  }

  /// Tells who waits that the client knows of the last change now.
  mutating func tellOfAwareness() {
    guard holdsValuesBack, mayBeSent else { return }
    holdsValuesBack = false
    outputs.append(.room)
  }

  /// Whether the client wants to be held to what it knows of the database.
  var isRobust: Bool { features.contains(.robustCaching) }

  enum Access {
    case value([UInt8])
    case owner
    case refused(ATTErrorCode)
  }

  /// What reading an attribute gives.
  func access(_ attribute: GATTDatabase.Attribute) -> Access {
    if let refusal = attribute.permissions.refusalOfRead(security) { return .refused(refusal) }
    if case .clientConfiguration(let value) = attribute.role {
      let bits = configurations[value, default: []].rawValue
      return .value([UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits &>> 8)])
    }
    if attribute.role == .clientFeatures { return .value([features.rawValue]) }
    return switch attribute.source {
    case .stored(let value): .value(value)
    case .owner: .owner
    }
  }
}

extension ServerConnection.Job {
  /// What the owner is being asked about.
  var handles: [AttributeHandle] {
    switch self {
    case .read(let handle), .blob(let handle, _), .byType(let handle), .write(let handle): [handle]
    case .multiple(let handles, let values, _): values.count < handles.count ? [handles[values.count]] : []
    case .execute(let job): job.groups.first?.map(\.handle) ?? []
    }
  }
}
