import RadioPort

/// The wishes for other PHYs of one link, one at the controller at a time: while one is under way it refuses another,
/// and its answers do not say which wish they answer (Core 5.4, Vol 4, Part E, 7.8.49).
struct PHYWishes: Sendable {
  struct Wish: Sendable {
    let preference: PHYPreference
    /// Who waits for the outcome; `nil` for what the options of the connection ask for.
    let request: RequestID?
  }

  private var current: Wish?
  /// Whether the controller has taken the current one. What it tells before that is the peer's doing.
  private var isTaken = false
  private var waiting = FIFO<Wish>()

  /// Adds a wish.
  ///
  /// - Returns: What is to be sent now; `nil` if it has to wait for its turn.
  mutating func add(_ wish: Wish) -> Wish? {
    waiting.append(wish)
    return next()
  }

  /// The controller has begun with the current wish.
  mutating func taken() { isTaken = current != nil }

  /// The current wish has come to its end: with the answer to the command, or later.
  ///
  /// - Returns: Who waits for it; `nil` if nobody does.
  mutating func refused() -> RequestID? { end() }

  /// The controller tells that a change is over.
  ///
  /// - Returns: Who waits for it; `nil` if nobody does.
  mutating func changed() -> RequestID? { isTaken ? end() : nil }

  /// The wish whose turn it is now, if none is under way.
  mutating func next() -> Wish? {
    guard current == nil, let wish = waiting.popFirst() else { return nil }
    current = wish
    return wish
  }

  /// Everybody who waits; none does any more.
  mutating func removeAll() -> [RequestID] {
    var requests = [current?.request]
    while let wish = waiting.popFirst() { requests.append(wish.request) }
    current = nil
    isTaken = false
    return requests.compactMap { $0 }
  }

  private mutating func end() -> RequestID? {
    defer {
      current = nil
      isTaken = false
    }
    return current?.request
  }
}
