/// What a test waits for did not happen in time.
struct TookTooLong: Error, CustomStringConvertible {
  let what: String
  var description: String { "\(what) took too long" }
}

/// Waits for `body`, but not longer than `limit` of real time: these tests deal with processes and sockets that are not
/// ours, and must end when those hang.
func bounded<Value: Sendable>(
  _ what: String,
  _ limit: Duration = .seconds(60),
  _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw TookTooLong(what: what)
    }
    defer { group.cancelAll() }
    guard let value = try await group.next() else { throw TookTooLong(what: what) }
    return value
  }
}
