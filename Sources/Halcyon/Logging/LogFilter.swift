/// Lets a part of a log through to another sink; made by ``LogSink/only(_:of:)``.
public struct LogFilter: LogSink {
  private let sink: any LogSink
  private let level: LogEntry.Level
  private let categories: Set<LogEntry.Category>?

  init(sink: any LogSink, level: LogEntry.Level, categories: Set<LogEntry.Category>?) {
    self.sink = sink
    self.level = level
    self.categories = categories
  }

  /// Hands the entry on, unless it is to be left out.
  public func log(_ entry: LogEntry) {
    guard entry.level >= level, categories?.contains(entry.category) ?? true else { return }
    sink.log(entry)
  }
}

extension LogSink {
  /// A sink that takes only entries of at least this level, and only of these categories; `nil` means all.
  public func only(_ level: LogEntry.Level = .info, of categories: Set<LogEntry.Category>? = nil) -> LogFilter {
    LogFilter(sink: self, level: level, categories: categories)
  }
}
