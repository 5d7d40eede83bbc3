#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Prints a log to the standard error output, a line for each entry.
public struct StandardErrorLog: LogSink {
  /// Makes the sink.
  public init() {}

  /// Prints the entry. Where nobody reads the output, the radio waits for it.
  public func log(_ entry: LogEntry) {
    // One call, so that lines of several radios do not mix.
    let line = Array("\(entry)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
