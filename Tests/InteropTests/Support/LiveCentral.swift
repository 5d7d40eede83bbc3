import Halcyon
import SystemRadio

/// Runs `body` with a central on our host, on the controller behind a TCP port, and closes the radio after it.
func withCentral<Value>(
  host: String = "127.0.0.1",
  port: UInt16,
  connectTimeout: Duration = .seconds(30),
  commandTimeout: Duration = .seconds(30),
  _ body: (Central, LiveRadio) async throws -> Value
) async throws -> Value {
  let live = LiveRadio(host: host, port: port, connectTimeout: connectTimeout, commandTimeout: commandTimeout)
  let result: Result<Value, any Error>
  do { result = .success(try await body(Central(radio: live.radio), live)) } catch { result = .failure(error) }
  await withCheckedContinuation { continuation in live.close { continuation.resume() } }
  return try result.get()
}
