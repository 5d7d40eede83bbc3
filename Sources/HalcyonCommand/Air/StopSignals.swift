import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The signals by which a program is asked to end.
struct StopSignals {
  private let names: AsyncStream<String>

  /// Takes SIGINT and SIGTERM over. A second one ends the program at once, as if it was not prepared.
  init() {
    let (names, source) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
    self.names = names
    for (number, name) in [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM")] {
      signal(number, SIG_IGN)
      let watch = DispatchSource.makeSignalSource(signal: number, queue: .global())
      watch.setEventHandler {
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        source.yield(name)
        // The handler keeps its source until then.
        watch.cancel()
      }
      watch.activate()
    }
  }

  /// Waits for the first signal and returns its name.
  func first() async -> String { await names.first { _ in true } ?? "cancellation" }
}
