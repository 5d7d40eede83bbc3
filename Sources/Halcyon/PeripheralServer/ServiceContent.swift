import BluetoothTypes
import RadioPort

/// What a link must offer before a central may use an ability of a characteristic.
public enum AccessProtection: Hashable, Sendable, CaseIterable {
  /// Nothing.
  case open
  /// An encrypted link; a central that is not paired has to pair.
  case encrypted
  /// A link encrypted with a key that was made with protection against a man in the middle.
  case authenticated
}

/// What an ATT request is refused with; throw one from a handler, such as `ATTError.valueNotAllowed`.
public typealias ATTError = ATTErrorCode

/// What a handler is told of the request that it answers.
public struct CentralRequest: Hashable, Sendable {
  /// Who asks.
  public let central: ConnectedCentral
  /// Where in the value the part that is meant begins, in bytes. For reads the library cuts the value itself.
  public let offset: Int
}

/// A characteristic that can be read.
///
/// The handler runs on the radio's executor and is bounded by the server's
/// ``PeripheralServer/Timeouts-swift.struct/handler``. What it throws is the answer: an ``ATTError`` as it is, anything
/// else as “Unlikely error”. It is cancelled when the central leaves.
public struct Readable<Value: ByteWritable>: ServiceContent {
  /// What it adds to the service.
  public let parts: [CharacteristicPart]

  /// Asks `read` for the value each time.
  public init(
    _ characteristic: Characteristic<Value>,
    protection: AccessProtection = .open,
    _ read: @escaping @Sendable () async throws -> Value
  ) {
    self.init(characteristic, protection) { _ in try await read().bytes }
  }

  /// Asks `read` for the value each time, and says who wants it.
  public init(
    _ characteristic: Characteristic<Value>,
    protection: AccessProtection = .open,
    _ read: @escaping @Sendable (CentralRequest) async throws -> Value
  ) {
    self.init(characteristic, protection) { request in try await read(request).bytes }
  }

  /// Serves a value that stays until ``PeripheralServer/setValue(_:of:)`` changes it.
  public init(_ characteristic: Characteristic<Value>, protection: AccessProtection = .open, value: Value) {
    parts = [CharacteristicPart(name: characteristic.name, ability: .read(.stored(value.bytes), protection))]
  }

  private init(
    _ characteristic: Characteristic<Value>,
    _ protection: AccessProtection,
    _ handler: @escaping @Sendable (CentralRequest) async throws -> [UInt8]
  ) {
    parts = [CharacteristicPart(name: characteristic.name, ability: .read(.handler(handler), protection))]
  }
}

/// A characteristic that can be written.
///
/// Writes of one central to one characteristic are handled one after the other, in their order. Bytes that do not make a
/// value of the type are refused before the handler is asked. The handler runs like that of a ``Readable``; for a write
/// without response, which nobody waits for, it runs to its end also when the central leaves.
///
/// A central may prepare values of several characteristics and have them written as one. If the bytes of one of them make
/// no value, all are refused before any handler runs. Else the handlers run one after the other, in the order in which
/// the values were prepared; the first that throws ends it: the central gets its error, the handlers behind it do not run,
/// and what those before it have done is done. The specification says no more of the values after that than that they are
/// not known (Core 5.4, Vol 3, Part F, 3.4.6.3). Where that is not good enough, let one characteristic take all of it.
public struct Writable<Value: ByteReadable>: ServiceContent {
  /// What it adds to the service.
  public let parts: [CharacteristicPart]

  /// Gives each written value to `write`.
  ///
  /// - Parameters:
  ///   - type: How it may be written; `.automatic` means in both ways.
  ///   - isReliable: Whether to say that it takes reliable writes.
  public init(
    _ characteristic: Characteristic<Value>,
    type: WriteType = .withResponse,
    isReliable: Bool = false,
    protection: AccessProtection = .open,
    _ write: @escaping @Sendable (Value) async throws -> Void
  ) {
    self.init(characteristic, type, isReliable, protection) { bytes, request throws(ATTErrorCode) in
      guard request.offset == 0 else { throw .invalidOffset }
      let value = try Self.decode(bytes)
      return { try await write(value) }
    }
  }

  /// Gives each written value to `write` and says who wrote it. A central may write a part of a value, from an offset on;
  /// that is refused unless the value's type is `[UInt8]`.
  ///
  /// - Parameters:
  ///   - type: How it may be written; `.automatic` means in both ways.
  ///   - isReliable: Whether to say that it takes reliable writes.
  public init(
    _ characteristic: Characteristic<Value>,
    type: WriteType = .withResponse,
    isReliable: Bool = false,
    protection: AccessProtection = .open,
    _ write: @escaping @Sendable (Value, CentralRequest) async throws -> Void
  ) {
    self.init(characteristic, type, isReliable, protection) { bytes, request throws(ATTErrorCode) in
      guard request.offset == 0 || Value.self == [UInt8].self else { throw .invalidOffset }
      let value = try Self.decode(bytes)
      return { try await write(value, request) }
    }
  }

  private init(
    _ characteristic: Characteristic<Value>,
    _ type: WriteType,
    _ isReliable: Bool,
    _ protection: AccessProtection,
    _ handler: @escaping WriteHandler
  ) {
    parts = [
      CharacteristicPart(
        name: characteristic.name,
        ability: .write(handler, type, isReliable: isReliable, protection)
      )
    ]
  }

  private static func decode(_ bytes: [UInt8]) throws(ATTErrorCode) -> Value {
    do { return try Value(bytes: bytes) } catch {
      if let code = error as? ATTErrorCode { throw code }
      if case .invalid? = (error as? ByteError)?.problem { throw .valueNotAllowed }
      throw error is ByteError ? .invalidAttributeValueLength : .valueNotAllowed
    }
  }
}

/// A characteristic whose values are notified to who has subscribed.
public struct Notifying<Value: ByteWritable>: ServiceContent {
  /// What it adds to the service.
  public let parts: [CharacteristicPart]
  let identity: PartIdentity
  let name: CharacteristicName

  /// Makes it; send values with ``PeripheralServer/send(_:on:to:timeout:)-(_,Characteristic<Value>,_,_)``.
  ///
  /// - Parameter subscribed: Runs for each central from its subscription on; cancelled when it unsubscribes or leaves.
  public init(
    _ characteristic: Characteristic<Value>,
    protection: AccessProtection = .open,
    _ subscribed: (@Sendable (Subscriber<Value>) async throws -> Void)? = nil
  ) {
    let part = CharacteristicPart(characteristic, .notification, protection, subscribed)
    parts = [part]
    identity = part.identity
    name = part.name
  }
}

/// A characteristic whose values are indicated to who has subscribed: each is confirmed by the central.
public struct Indicating<Value: ByteWritable>: ServiceContent {
  /// What it adds to the service.
  public let parts: [CharacteristicPart]
  let identity: PartIdentity
  let name: CharacteristicName

  /// Makes it; send values with ``PeripheralServer/send(_:on:to:timeout:)-(_,Characteristic<Value>,_,_)``.
  ///
  /// - Parameter subscribed: Runs for each central from its subscription on; cancelled when it unsubscribes or leaves.
  public init(
    _ characteristic: Characteristic<Value>,
    protection: AccessProtection = .open,
    _ subscribed: (@Sendable (Subscriber<Value>) async throws -> Void)? = nil
  ) {
    let part = CharacteristicPart(characteristic, .indication, protection, subscribed)
    parts = [part]
    identity = part.identity
    name = part.name
  }
}

extension CharacteristicPart {
  fileprivate init<Value: ByteWritable>(
    _ characteristic: Characteristic<Value>,
    _ mode: SendMode,
    _ protection: AccessProtection,
    _ subscribed: (@Sendable (Subscriber<Value>) async throws -> Void)?
  ) {
    let handler = subscribed.map { subscribed -> SubscriptionHandler in
      { feed in try await subscribed(Subscriber(feed: feed)) }
    }
    self.init(name: characteristic.name, ability: .send(mode, handler, protection))
  }
}

/// A descriptor of a characteristic that other parts declare: its user description, or any other with a fixed value.
public struct Described: ServiceContent {
  /// What it adds to the service.
  public let parts: [CharacteristicPart]

  /// Adds a user description.
  public init<Value>(_ characteristic: Characteristic<Value>, _ text: String) {
    parts = [CharacteristicPart(name: characteristic.name, ability: .description(text))]
  }

  /// Adds a descriptor that can be read.
  public init<Value>(_ characteristic: Characteristic<Value>, by descriptor: BluetoothUUID, _ value: [UInt8]) {
    parts = [CharacteristicPart(name: characteristic.name, ability: .descriptor(descriptor, value))]
  }
}

/// Characteristics of their own, even where others with the same UUID stand in the same service.
public struct Separate: ServiceContent {
  /// What it adds to the service.
  public let parts: [CharacteristicPart]

  /// Keeps what is in `content` apart from the rest of the service.
  public init(@ServiceContentBuilder _ content: () -> [CharacteristicPart]) {
    let group = PartIdentity()
    parts = content().map { part in
      var part = part
      part.group = part.group ?? group
      return part
    }
  }
}

/// A central that has subscribed to a characteristic, as the handler of the subscription sees it.
public struct Subscriber<Value: ByteWritable>: Sendable {
  let feed: ServerCore.Feed

  /// Who has subscribed.
  public var central: ConnectedCentral { feed.central }

  /// Sends a value to this central only; see ``PeripheralServer/send(_:on:to:timeout:)-(_,Characteristic<Value>,_,_)``.
  public func send(_ value: Value, timeout: Timeout = .default) async throws {
    try await feed.send(value.bytes, timeout)
  }
}
