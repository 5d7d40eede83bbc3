import HCITransport
import Testing
import VirtualRadio

/// Runs `body` in a live world with a port at which programs get controllers, and unplugs them after it.
///
/// - Parameter isLegacy: Whether the controllers are without extended advertising.
func withAir(isLegacy: Bool = false, _ body: (World, UInt16) async throws -> Void) async throws {
  try await World.live(speed: 1, seed: 1) { world in
    let server = try #require(VirtualRadio.ControllerServer(in: world, features: isLegacy ? .legacy : .all) { _ in })
    let place = try await server.listen(at: .tcp(host: "127.0.0.1", port: 0))
    let result: Result<Void, any Error>
    do {
      guard case .tcp(_, let port) = place else { return }
      result = .success(try await body(world, port))
    } catch { result = .failure(error) }
    await server.stop()
    try result.get()
  }
}
