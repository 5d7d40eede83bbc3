import RadioPort

/// Takes what a central tells of its work, for a program's own log.
public protocol LogSink: Sendable {
  /// Called on the radio's executor, in the order of the events; must not block.
  func log(_ entry: LogEntry)
}

/// One line of a log.
public struct LogEntry: Sendable, CustomStringConvertible {
  /// How much it matters.
  public enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// For who looks for a fault.
    case debug
    /// Worth knowing.
    case info
    /// Something went wrong.
    case warning

    /// Less is less important.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// When it was, in the radio's time.
  public let time: RadioInstant
  /// How much it matters.
  public let level: Level
  /// What happened, in English.
  public let text: String

  /// Time, level and text.
  public var description: String { "\(time.sinceStart) \(level) \(text)" }
}
