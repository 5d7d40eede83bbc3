/// What becomes of values that come faster than they are read.
public enum Buffering: Hashable, Sendable {
  /// All are kept, however many.
  case unbounded
  /// The newest of this number (at least 1) are kept; what is dropped is counted in ``Values/dropped``.
  case newest(Int)
  /// At most this number (at least 1) are kept; with one more the stream ends: what was kept is read, then it throws
  /// `.overflow`.
  case failing(Int)

  func limit<Element>(for type: Element.Type) -> MailboxMachine<Element>.Limit {
    switch self {
    case .unbounded: .none
    case .newest(let count): .newest(max(count, 1))
    case .failing(let count): .failing(max(count, 1))
    }
  }
}

/// What a stream of values does when its connection is lost.
public enum OnReconnect: Hashable, Sendable {
  /// It waits, and goes on when the same central has connected to the device again. A connection that the program ended
  /// ends the stream all the same.
  case resubscribe
  /// It ends by throwing `.disconnected` with the reason.
  case end
}
