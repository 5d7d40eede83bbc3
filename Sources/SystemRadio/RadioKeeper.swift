import HostStack
import RadioPort
import Synchronization

/// Switches a radio on again whose controller was not there or was lost, for as long as its owner wants it on.
///
/// Works on the radio's executor only, and does not keep the radio.
final class RadioKeeper: Sendable {
  /// The waits between attempts; the last one holds for all that follow.
  static let waits: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8)]

  private weak let radio: HostRadio?
  private let executor: any RadioExecutor
  private let state = Mutex(State())

  private struct State {
    var attempts = 0
    var isWaiting = false
  }

  init(_ radio: HostRadio) {
    self.radio = radio
    executor = radio.executor
  }

  /// Watches over the radio from now on.
  func begin() {
    radio?.assumeIsolated { radio in
      _ = radio.observeState { state in self.changed(to: state) }
    }
  }

  private func changed(to radioState: RadioState) {
    switch radioState.power {
    case .poweredOn: state.withLock { $0.attempts = 0 }
    case .poweredOff: planAttempt()
    default: break
    }
  }

  private func planAttempt() {
    let wait: Duration? = state.withLock { state in
      guard !state.isWaiting else { return nil }
      state.isWaiting = true
      defer { state.attempts += 1 }
      return Self.waits[min(state.attempts, Self.waits.count - 1)]
    }
    guard let wait else { return }
    executor.schedule(at: executor.now.advanced(by: wait)) { self.attempt() }
  }

  private func attempt() {
    state.withLock { $0.isWaiting = false }
    radio?.assumeIsolated { radio in
      guard radio.isWanted, radio.state.power == .poweredOff else { return }
      radio.powerOn()
    }
    // A second failure for the same reason is no change of state that an observer hears of.
    guard let isOff = radio?.assumeIsolated({ $0.isWanted && $0.state.power == .poweredOff }), isOff else { return }
    planAttempt()
  }
}
