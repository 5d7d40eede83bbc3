/// The last elements of a row that may go on for ever, and how many there were in all.
struct Recent<Element> {
  /// How many are kept, 1 or more.
  let limit: Int
  private var kept: [Element] = []
  /// How many there ever were.
  private(set) var count = 0

  init(keeping limit: Int) { self.limit = max(1, limit) }

  mutating func append(_ element: Element) {
    kept.append(element)
    count &+= 1
    // Not with each one, so that an element costs the same however many are kept.
    if kept.count >= 2 &* limit { kept.removeFirst(kept.count &- limit) }
  }

  /// Those that are kept, oldest first.
  var elements: [Element] { kept.count > limit ? Array(kept.suffix(limit)) : kept }
}

extension Recent: Sendable where Element: Sendable {}
