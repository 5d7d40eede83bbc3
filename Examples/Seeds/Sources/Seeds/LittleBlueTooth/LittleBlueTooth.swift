import Halcyon
import VirtualRadio

/// The README of LittleBlueTooth, with Halcyon.
enum LittleBlueTooth {
  static func run(in world: World) async throws {
    world.add(.heartRateBand(name: "Pulse"))
    let device = world.add(.punch())
    // "Instantiate": everything in the configuration has a default.
    let central = Central(.init(timeouts: .init(), reconnect: .never), radio: world.radio)
    try await central.ready()

    try await inOneExpression(central: central)
    try await scanWithTimeout(central: central)
    try await scanAndStop(central: central)
    try await scanAndBuffer(central: central)
    await scanAndConnect(central: central)?.disconnect()
    let id = try await connectFromDiscovery(central: central)
    try await connectFromIdentifier(id, central: central)

    let punch = try await central.scan(where: .named("PunchLX")).connect()
    try await readAcceleration(of: punch)
    try await write(to: punch)
    try await writeAndListen(to: punch)
    try await listen(to: punch)
    try await listenToAll(of: punch)
    await punch.disconnect()

    try await connectableListen(central: central)
    try await operators(central: central)
    try await observeConnection(central: central) { device.disconnect() }
    try await authenticateFirst(central: central)
  }
}
