/// The identifiers of the requests that this end of a link sends: never 0, and none twice as long as the first use may
/// still be answered (Core 5.4, Vol 3, Part A, 4). Those of the peer's requests are the peer's own and may be the same.
struct SignallingIdentifiers: Sendable {
  private var last: UInt8 = 0
  private var pending: Set<UInt8> = []

  /// The next free identifier; `nil` if all 255 wait for an answer.
  mutating func take() -> UInt8? {
    guard pending.count < 255 else { return nil }
    repeat { last = last == .max ? 1 : last &+ 1 } while pending.contains(last)
    pending.insert(last)
    return last
  }

  /// An identifier for a command that nobody answers.
  mutating func takeOnce() -> UInt8 {
    guard let identifier = take() else { return last }
    release(identifier)
    return identifier
  }

  /// No answer is awaited any more.
  mutating func release(_ identifier: UInt8) { pending.remove(identifier) }
}
