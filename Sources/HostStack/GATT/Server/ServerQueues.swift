import BluetoothTypes
import RadioPort

/// The prepared parts of writes that a client has not executed yet.
struct QueuedWrites: Sendable {
  /// Bytes for one attribute from an offset on.
  struct Write: Hashable, Sendable {
    var handle: AttributeHandle
    var offset: Int
    var value: [UInt8]
  }

  /// How many parts a client may prepare.
  static let partLimit = 128
  /// How many bytes all parts together may have.
  static let byteLimit = 4096

  private var parts: [Write] = []
  private var byteCount = 0

  /// Adds a part; `false` if the queue is full.
  mutating func append(_ handle: AttributeHandle, _ offset: Int, _ value: [UInt8]) -> Bool {
    guard parts.count < Self.partLimit, byteCount + value.count <= Self.byteLimit else { return false }
    parts.append(Write(handle: handle, offset: offset, value: value))
    byteCount += value.count
    return true
  }

  /// Empties the queue.
  mutating func takeAll() -> [Write] {
    defer { self = QueuedWrites() }
    return parts
  }

  /// Joins parts of one attribute that follow each other without a gap.
  static func join(_ parts: [Write]) -> [Write] {
    var writes: [Write] = []
    for part in parts {
      if let last = writes.last, last.handle == part.handle, last.offset + last.value.count == part.offset {
        writes[writes.count - 1].value += part.value
      } else {
        writes.append(part)
      }
    }
    return writes
  }
}

/// The indications of one link: one at a time, each awaits its confirmation (Core 5.4, Vol 3, Part F, 3.3.2).
struct IndicationQueue: Sendable {
  struct Item: Hashable, Sendable {
    let handle: AttributeHandle
    let value: [UInt8]
    /// Names it to who sent it; 0 for the server's own.
    let token: UInt64
    /// Whether it tells of a change of the services.
    var isChange = false
  }

  /// How many may wait.
  static let limit = 64
  /// How long a client may take to confirm; after that the bearer is dead.
  static let timeout = Duration.seconds(30)

  private var waiting: [Item] = []
  private var awaited: Item?
  /// A change of the services that the client has yet to be told: it goes first, and later ones are joined to it.
  private var change: (handle: AttributeHandle, range: ClosedRange<AttributeHandle>)?
  /// Whether somebody was refused for want of room.
  private var hasRefused = false
  private(set) var deadline: RadioInstant?

  var isFull: Bool { waiting.count >= Self.limit }

  /// Adds a value behind the others; `false` if there is no room.
  mutating func append(_ item: Item) -> Bool {
    guard !isFull else {
      refuse()
      return false
    }
    waiting.append(item)
    return true
  }

  /// Somebody waits for room.
  mutating func refuse() { hasRefused = true }

  /// Whether who was refused is to be told that there is room; says so once.
  mutating func takeRoom() -> Bool {
    guard hasRefused, waiting.count <= Self.limit / 2 else { return false }
    hasRefused = false
    return true
  }

  /// The services in `range` have changed; `handle` is that of Service Changed.
  mutating func note(_ range: ClosedRange<AttributeHandle>, _ handle: AttributeHandle) {
    let old = change?.range ?? range
    change = (handle, min(old.lowerBound, range.lowerBound)...max(old.upperBound, range.upperBound))
  }

  /// The next one to send, if none is under way.
  mutating func next(now: RadioInstant) -> Item? {
    guard awaited == nil else { return nil }
    let item: Item
    if let change {
      var writer = ByteWriter(capacity: 4)
      writer.write(change.range.lowerBound.rawValue)
      writer.write(change.range.upperBound.rawValue)
      item = Item(handle: change.handle, value: writer.bytes, token: 0, isChange: true)
      self.change = nil
    } else {
      guard !waiting.isEmpty else { return nil }
      item = waiting.removeFirst()
    }
    awaited = item
    deadline = now.advanced(by: Self.timeout)
    return item
  }

  /// Whether the client has yet to be told of a change of the services.
  var hasChange: Bool { change != nil }

  /// The one under way is confirmed.
  mutating func confirm() -> Item? {
    defer {
      awaited = nil
      deadline = nil
    }
    return awaited
  }

  /// Gives up those that wait and that nobody wants any more. The one under way stays: its confirmation comes.
  mutating func withdraw(_ range: ClosedRange<AttributeHandle>) -> [Item] {
    let gone = waiting.filter { range.contains($0.handle) }
    waiting.removeAll { range.contains($0.handle) }
    return gone
  }

  /// All that will never be confirmed.
  mutating func abandon() -> [Item] {
    defer { self = IndicationQueue() }
    return (awaited.map { [$0] } ?? []) + waiting
  }
}
