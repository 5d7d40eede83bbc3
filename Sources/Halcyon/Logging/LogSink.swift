import RadioPort

/// Takes what a central or a peripheral server tells of its work, for a program's own log.
///
/// Nothing is told unless a sink is set in the configuration. ``StandardErrorLog`` prints, `SystemLog` hands over to
/// Apple's unified logging, and ``LogSink/only(_:of:)`` lets through a part.
public protocol LogSink: Sendable {
  /// Called on the radio's executor, in the order of the events; must not block.
  func log(_ entry: LogEntry)
}

/// One line of a log.
public struct LogEntry: Sendable, CustomStringConvertible {
  /// How much it matters.
  public enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// What happens in its course.
    case info
    /// Something went wrong.
    case warning

    /// Less is less important.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// What it is about; an open set.
  public struct Category: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the category.
    public let rawValue: String
    /// A category from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name.
    public var description: String { rawValue }

    /// The radio: whether Bluetooth can be used.
    public static let radio = Category(rawValue: "radio")
    /// Looking for devices.
    public static let scanning = Category(rawValue: "scanning")
    /// Connections: made, lost, ended.
    public static let connection = Category(rawValue: "connection")
    /// What devices offer: services, characteristics and their values.
    public static let attributes = Category(rawValue: "attributes")
    /// Channels.
    public static let channels = Category(rawValue: "channels")
    /// The peripheral server.
    public static let server = Category(rawValue: "server")
  }

  /// When it was, in the radio's time.
  public let time: RadioInstant
  /// How much it matters.
  public let level: Level
  /// What it is about.
  public let category: Category
  /// What happened, in the language of the configuration.
  public let text: String

  /// Time, level, category and text.
  public var description: String { "\(time.sinceStart) \(level) \(category): \(text)" }
}

extension LogSink {
  /// Hands over an entry in the language of who logs.
  func log(
    _ level: LogEntry.Level,
    _ category: LogEntry.Category,
    at time: RadioInstant,
    _ language: Language,
    _ english: () -> String,
    _ chinese: () -> String?
  ) {
    let text =
      switch language {
      case .english: english()
      case .simplifiedChinese: chinese() ?? english()
      }
    log(LogEntry(time: time, level: level, category: category, text: text))
  }
}
