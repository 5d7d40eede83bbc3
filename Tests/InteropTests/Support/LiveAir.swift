import HCITransport
import Testing
import VirtualRadio

/// Runs `body` in a live world with a port at which programs get controllers, and unplugs them after it.
///
/// - Parameters:
///   - isLegacy: Whether the controllers are without extended advertising.
///   - tell: Hears who comes and goes.
func withAir(
  isLegacy: Bool = false,
  tell: @escaping @Sendable (VirtualRadio.ControllerServer.Event) -> Void = { _ in },
  _ body: (World, UInt16) async throws -> Void
) async throws {
  try await World.live(speed: 1, seed: 1) { world in
    let made = VirtualRadio.ControllerServer(in: world, features: isLegacy ? .legacy : .all, tell: tell)
    let server = try #require(made)
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
