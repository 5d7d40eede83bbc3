/// A table that keeps at least the `capacity` entries that were used last, and less than twice as many.
///
/// Two generations in place of an order by use: when the young one is full it becomes the old one, and what nobody has
/// used since it was young is forgotten. Each step takes constant time.
struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let capacity: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]

  init(capacity: Int) { self.capacity = max(capacity, 1) }

  var count: Int { young.count + old.count }

  /// The value of a key, which counts as used.
  mutating func use(_ key: Key) -> Value? {
    if let value = young[key] { return value }
    guard let value = old[key] else { return nil }
    self[key] = value
    return value
  }

  /// The value of a key, which counts as used when it is set.
  subscript(key: Key) -> Value? {
    get { young[key] ?? old[key] }
    set {
      old[key] = nil
      young[key] = newValue
      guard young.count >= capacity else { return }
      old = young
      young = [:]
    }
  }
}
