import BluetoothTypes
import RadioPort

/// The radio as it is seen by who runs on its executor already: each call is made at once.
struct RadioAccess: Sendable {
  let radio: any Radio
  let executor: any RadioExecutor

  init(_ radio: any Radio) {
    self.radio = radio
    executor = radio.executor
  }

  /// Calls the radio. The caller is on its executor.
  func enter<Result: Sendable>(_ body: @Sendable (isolated any Radio) -> Result) -> Result {
    func open<Opened: Radio>(_ radio: Opened) -> Result { radio.assumeIsolated { body($0) } }
    return open(radio)
  }
}
