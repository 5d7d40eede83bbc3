import RadioPort
import Synchronization

extension AsyncSequence where Element == Discovery {
  /// Connects to the first device that comes; the scan stops before the connect begins.
  ///
  /// ```swift
  /// let peripheral = try await central.scan(for: [.heartRate])
  ///   .filter { $0.name == "Pulse" }
  ///   .connect()
  /// ```
  /// - Throws: ``BluetoothError`` of the kind `.notFound` if the scan ends without a device, what the scan throws, and
  ///   what ``Central/connect(to:timeout:options:)-(Discovery,_,_)`` throws; `CancellationError`.
  public nonisolated(nonsending) func connect(
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions()
  ) async throws -> Peripheral {
    // What ends without a device has none to tell the central's language by, so the scan takes it down.
    let note = LanguageNote()
    let first = try await LanguageNote.$current.withValue(note) { try await firstElement() }
    guard let discovery = first else {
      throw BluetoothError(.notFound, .scan, language: note.language ?? .english)
    }
    try await discovery.peripheral.core.connect(options, timeout: timeout)
    return discovery.peripheral
  }

  /// The first element. The iterator goes with this call, and with it the scan.
  private nonisolated(nonsending) func firstElement() async throws -> Discovery? {
    var iterator = makeAsyncIterator()
    return try await iterator.next(isolation: #isolation)
  }
}

/// Where the scan behind a chain of operators takes down its central's language. Task-local, because the operators do not
/// show what is behind them.
final class LanguageNote: Sendable {
  @TaskLocal static var current: LanguageNote?

  private let noted = Mutex<Language?>(nil)

  var language: Language? {
    get { noted.withLock { $0 } }
    set { noted.withLock { $0 = newValue } }
  }
}
