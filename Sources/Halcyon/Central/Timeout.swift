/// How long an operation may take, in the radio's time. `nil` means without limit.
public struct Timeout: Hashable, Sendable, ExpressibleByNilLiteral {
  enum Rule: Hashable, Sendable {
    case standard
    case never
    case after(Duration)
  }

  let rule: Rule

  /// What the central's ``Central/Configuration/timeouts`` say for this operation.
  public static let `default` = Timeout(.standard)
  /// No limit.
  public static let never = Timeout(.never)

  private init(_ rule: Rule) { self.rule = rule }

  /// A limit; one that is not positive passes at once.
  public init(_ duration: Duration) { rule = .after(duration) }

  /// No limit.
  public init(nilLiteral: ()) { rule = .never }

  /// A limit in seconds.
  public static func seconds(_ seconds: some BinaryInteger) -> Timeout { Timeout(.seconds(seconds)) }
  /// A limit in seconds.
  public static func seconds(_ seconds: Double) -> Timeout { Timeout(.seconds(seconds)) }
  /// A limit in milliseconds.
  public static func milliseconds(_ milliseconds: some BinaryInteger) -> Timeout {
    Timeout(.milliseconds(milliseconds))
  }

  /// The limit itself, with `standard` for the default.
  func duration(standard: Duration?) -> Duration? {
    switch rule {
    case .standard: standard
    case .never: nil
    case .after(let duration): duration
    }
  }
}

extension Timeout: CustomStringConvertible {
  /// `default`, `never`, or the limit: `2.5 seconds`.
  public var description: String {
    switch rule {
    case .standard: "default"
    case .never: "never"
    case .after(let duration): "\(duration)"
    }
  }
}
