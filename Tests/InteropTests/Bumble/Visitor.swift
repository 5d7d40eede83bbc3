import BluetoothTypes

/// Bumble's host as a program on an air of ours, which does with one device what the test tells it to.
struct Visitor: Sendable {
  /// By which its link knows it.
  static let address = BluetoothAddress(0xF0F1_F2F3_F4FA, .random)

  let program: ChildProcess

  /// Runs `body` when the visitor has its controller and is ready; it ends with that.
  static func with(port: UInt16, device: String, _ body: (Visitor) async throws -> Void) async throws {
    let program = try Bumble.start("on_air.py", ["\(port)", "visitor", device])
    let result: Result<Void, any Error>
    do {
      _ = try await program.line("ready")
      result = .success(try await body(Visitor(program: program)))
    } catch { result = .failure(error) }
    await program.end()
    try result.get()
  }

  /// Connects and discovers; as long as nothing is heard for `timeout` of the air's time the link stays.
  func connect(count: Int = 1, supervisionTimeout timeout: Duration = .seconds(20)) async throws {
    try tell("connect \(timeout.components.seconds * 1000)")
    _ = try await program.line("services ", count: count)
  }

  func tell(_ order: String) throws { try program.tell(order) }

  /// Waits for the `count`th line that begins so, and gives what follows there.
  @discardableResult
  func line(_ start: String, count: Int = 1) async throws -> String { try await program.line(start, count: count) }
}
