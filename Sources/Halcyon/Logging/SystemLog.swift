#if canImport(os)
  import os

  /// Hands a log over to Apple's unified logging: the categories stay, entries of the level info become `info` and
  /// warnings `error`. What names devices is shown.
  public struct SystemLog: LogSink {
    private let subsystem: String

    /// Makes the sink.
    ///
    /// - Parameter subsystem: Under which name the entries are found.
    public init(subsystem: String = "halcyon") { self.subsystem = subsystem }

    /// Hands over the entry.
    public func log(_ entry: LogEntry) {
      let logger = Logger(subsystem: subsystem, category: entry.category.rawValue)
      switch entry.level {
      case .info: logger.info("\(entry.text, privacy: .public)")
      case .warning: logger.error("\(entry.text, privacy: .public)")
      }
    }
  }
#endif
