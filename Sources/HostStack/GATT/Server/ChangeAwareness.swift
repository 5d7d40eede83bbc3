import BluetoothTypes

/// Whether a client knows of the last change of the database (Core 5.4, Vol 3, Part G, 2.5.2.1). A client without a bond
/// is aware of all that was before its connection.
struct ChangeAwareness: Sendable {
  private enum State: Sendable {
    case aware
    case unaware
    /// The client was told, by an error or by the hash: its next request shows that it has heard.
    case told
  }

  private var state = State.aware

  var isAware: Bool { state == .aware }

  /// The database has changed.
  mutating func databaseChanged() { state = .unaware }

  /// The client has confirmed the indication of Service Changed that tells of the last change.
  mutating func confirmed() { state = .aware }

  /// The client has read the Database Hash.
  mutating func hashRead() { if state == .unaware { state = .told } }

  /// A request has come.
  ///
  /// - Parameters:
  ///   - isBound: Whether it names an attribute by a handle that the client may have from before the change.
  ///   - isRobust: Whether the client wants the error.
  /// - Returns: Whether to answer with Database Out Of Sync; that is done once for a change.
  mutating func refuses(isBound: Bool, isRobust: Bool) -> Bool {
    if state == .told { state = .aware }
    guard state == .unaware, isBound, isRobust else { return false }
    state = .told
    return true
  }
}

extension ATTPDU {
  /// Whether a request depends on what a client knows of the database, and is to be refused if that is out of date. The
  /// requests of a discovery do not.
  var isBoundToDatabase: Bool {
    switch self {
    case .readRequest, .readBlobRequest, .readMultipleRequest, .readMultipleVariableRequest,
      .writeRequest,
      .prepareWriteRequest:
      true
    case .readByTypeRequest(let request):
      request.type != .includeDeclaration && request.type != .characteristicDeclaration
        && (request.start.rawValue != 0x0001 || request.end.rawValue != 0xFFFF)
    default: false
    }
  }

  /// The attribute that a request names, for the error.
  var namedHandle: AttributeHandle {
    switch self {
    case .readRequest(let request): request.handle
    case .readBlobRequest(let request): request.handle
    case .readMultipleRequest(let request): request.handles.first ?? AttributeHandle(0)
    case .readMultipleVariableRequest(let request): request.handles.first ?? AttributeHandle(0)
    case .writeRequest(let request): request.handle
    case .prepareWriteRequest(let request): request.handle
    case .readByTypeRequest(let request): request.start
    default: AttributeHandle(0)
    }
  }
}
