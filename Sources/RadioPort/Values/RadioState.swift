/// Whether a radio can be used.
public struct RadioState: Hashable, Sendable {
  /// The states that Apple's managers have too.
  public enum Power: Hashable, Sendable, CaseIterable {
    /// Not known yet; it soon will be.
    case unknown
    /// The connection to the radio is lost for the moment.
    case resetting
    /// There is no radio for Low Energy here.
    case unsupported
    /// This program may not use it.
    case unauthorized
    /// It is switched off or not reachable.
    case poweredOff
    /// It can be used.
    case poweredOn
  }

  /// The state itself.
  public let power: Power
  /// Why, in words, if there is more to say than the state does.
  public let reason: String?

  /// A state with the reason for it.
  public init(_ power: Power, reason: String? = nil) {
    self.power = power
    self.reason = reason
  }

  /// Not known yet.
  public static let unknown = RadioState(.unknown)
  /// Ready for use.
  public static let poweredOn = RadioState(.poweredOn)
}

extension RadioState: CustomStringConvertible {
  /// The state, and the reason if there is one: `poweredOff: the radio was switched off`.
  public var description: String { "\(power)\(reason.map { ": \($0)" } ?? "")" }
}
