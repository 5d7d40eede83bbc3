import HCITransport
import RadioPort
import Synchronization
import VirtualRadio

/// One air for separate programs: whoever connects gets a controller on it.
struct AirCommand {
  let options: Arguments.Air
  /// Whether the output is a terminal.
  var isTerminal = false
  let output: @Sendable (String) -> Void

  /// Serves until `stopped` returns, with the reason to stop.
  func run(until stopped: @Sendable () async -> String) async throws {
    // A scene that can not be used is found out before anything is begun.
    let scene = try options.scene.map { try Scene(contentsOf: $0) }
    let screen = Screen(AirScreen(isTerminal: isTerminal, isWatching: options.isWatching), output)
    let output: @Sendable (String) -> Void = { screen.message($0) }
    try await World.live(seed: options.seed ?? .random(in: .min ... .max)) { world in
      let server = ControllerServer(in: world, features: options.isLegacy ? .legacy : .all) { output(Self.line($0)) }
      guard let server else { return }
      do {
        for address in options.listen {
          output("air: listening at \(try await server.listen(at: address))")
        }
        if options.devices == .demo { tell(world.addDemoDevices(), output) }
        if let scene { tell(world.load(scene: scene), output) }
        for _ in 0..<options.kernelAdapters { _ = try await server.attachToKernel() }
        let watch = Task { for await states in world.controllerStateChanges { screen.show(states) } }
        let reason = await stopped()
        watch.cancel()
        await watch.value
        output("air: stopped by \(reason)")
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
  }

  /// The screen, which is written to from several threads.
  private final class Screen: Sendable {
    private let screen: Mutex<AirScreen>
    private let output: @Sendable (String) -> Void

    init(_ screen: AirScreen, _ output: @escaping @Sendable (String) -> Void) {
      self.screen = Mutex(screen)
      self.output = output
    }

    func message(_ text: String) { screen.withLock { output($0.message(text)) } }

    func show(_ states: [ControllerState]) {
      screen.withLock { screen in
        if let text = screen.show(states) { output(text) }
      }
    }
  }

  private func tell(_ devices: [VirtualDevice], _ output: @Sendable (String) -> Void) {
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
