import Synchronization

/// Where the scan behind a chain of operators takes down its central. Task-local, because the operators do not show what
/// is behind them.
final class ChainNote: Sendable {
  @TaskLocal static var current: ChainNote?

  private let noted = Mutex<CentralCore?>(nil)

  var core: CentralCore? {
    get { noted.withLock { $0 } }
    set { noted.withLock { $0 = newValue } }
  }
}
