/// What an operation does that can not begin yet.
///
/// ```swift
/// let central = Central(.init(whenOff: .wait, whenNotConnected: .wait(atMost: .seconds(10))))
/// ```
public struct WaitPolicy: Hashable, Sendable {
  enum Rule: Hashable, Sendable {
    case fail
    case wait(Duration?)
  }

  let rule: Rule

  /// It fails at once, with the reason.
  public static let fail = WaitPolicy(rule: .fail)
  /// It waits until it can begin, for as long as its own time limit lets it.
  public static let wait = WaitPolicy(rule: .wait(nil))
  /// It waits for at most this long, and then fails with the reason, unless its own time limit passes before.
  public static func wait(atMost bound: Duration) -> WaitPolicy { WaitPolicy(rule: .wait(bound)) }

  var waits: Bool { rule != .fail }

  /// For how long it waits, if that is limited.
  var bound: Duration? { if case .wait(let bound) = rule { bound } else { nil } }
}
