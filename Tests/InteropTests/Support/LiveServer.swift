import Halcyon
import SystemRadio

/// Runs `body` with a server on our host, on the controller behind a TCP port, and closes the radio after it.
func withServer<Value>(
  host: String = "127.0.0.1",
  port: UInt16,
  advertising: PeripheralServer.Advertising,
  @ServiceBuilder services: () -> [Service],
  _ body: (PeripheralServer) async throws -> Value
) async throws -> Value {
  let live = LiveRadio(host: host, port: port, connectTimeout: .seconds(30))
  let result: Result<Value, any Error>
  do {
    let server = PeripheralServer(advertising: advertising, radio: live.radio, services: services)
    result = .success(try await body(server))
  } catch { result = .failure(error) }
  await withCheckedContinuation { continuation in live.close { continuation.resume() } }
  return try result.get()
}
