import BluetoothTypes

/// The values that one client is still to get, oldest first, and no more of them than a device would keep.
///
/// A value that is sent by itself takes the place of one of the same characteristic that was, and still waits: a client
/// that is slower than the interval gets what is new. All others wait in their order; where there are too many, the
/// oldest is dropped.
struct WaitingValues: Sendable {
  struct Item: Sendable {
    let handle: AttributeHandle
    var value: [UInt8]
    /// Whether it is sent by itself, because its time has come.
    let isTimed: Bool
  }

  /// How many values wait for one client.
  static let limit = 4000

  private var items: [Item] = []
  private var head = 0

  var isEmpty: Bool { head == items.count }
  var count: Int { items.count &- head }
  var first: Item? { head < items.count ? items[head] : nil }

  /// Puts a value behind the others.
  ///
  /// - Returns: Whether one was dropped for it.
  mutating func append(_ item: Item) -> Bool {
    if item.isTimed, let index = items[head...].lastIndex(where: { $0.handle == item.handle }), items[index].isTimed {
      items[index].value = item.value
      return true
    }
    let isFull = count >= Self.limit
    if isFull { removeFirst() }
    items.append(item)
    return isFull
  }

  mutating func removeFirst() {
    guard head < items.count else { return }
    head &+= 1
    guard head >= 64, head &* 2 >= items.count else { return }
    items.removeFirst(head)
    head = 0
  }
}
