/// Takes what the framework tells over the border of isolation.
// @unchecked: the framework calls where the radio runs, so it does not leave the thread.
struct Passed<Value>: @unchecked Sendable { let value: Value }

extension CoreBluetoothRadio {
  /// Does something with what the framework has told. The caller runs on the radio's executor.
  nonisolated func enter<Value>(_ value: Value, _ body: @Sendable (isolated CoreBluetoothRadio, Value) -> Void) {
    let passed = Passed(value: value)
    assumeIsolated { body($0, passed.value) }
  }
}
