import HCITransport
import RadioPort
import VirtualRadio

/// One air for separate programs: whoever connects gets a controller on it.
struct AirCommand {
  let options: Arguments.Air
  let output: @Sendable (String) -> Void

  /// Serves until `stopped` returns, with the reason to stop.
  func run(until stopped: @Sendable () async -> String) async throws {
    let output = output
    try await World.live(seed: options.seed ?? .random(in: .min ... .max)) { world in
      guard let server = ControllerServer(in: world, tell: { output(Self.line($0)) }) else { return }
      do {
        for address in options.listen {
          output("air: listening at \(try await server.listen(at: address))")
        }
        if options.devices == .demo { addDevices(to: world) }
        for _ in 0..<options.kernelAdapters { _ = try await server.attachToKernel() }
        output("air: stopped by \(await stopped())")
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
  }

  private func addDevices(to world: World) {
    let devices: [VirtualDevice] = [
      world.add(.heartRateBand(name: "Pulse")).device,
      world.add(.thermometer(name: "Thermo")).device,
      world.add(.lamp(name: "Lamp")).device,
    ]
    for device in devices { output("air: device “\(device.name)” at \(device.address)") }
  }

  private static func line(_ event: ControllerServer.Event) -> String {
    switch event {
    case .attached(let guest):
      "air: program \(guest.number) (\(guest.peer)) has come, with the controller \(guest.address)"
    case .detached(let guest, let reason): "air: program \(guest.number) (\(guest.peer)) has gone: \(reason)"
    case .turnedAway(let peer): "air: a program (\(peer)) was turned away, as all places are taken"
    case .failed(let reason): "air: \(reason)"
    }
  }
}
