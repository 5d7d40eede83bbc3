import VirtualRadio

/// Runs the code of each text in a world of its own, where it tells what it does. With names as arguments, only those.
@main struct Seeds {
  private static let all: [(name: String, run: @Sendable (World) async throws -> Void)] = [
    ("OKBluetooth", OKBluetooth.run),
    ("PLXCoreBluetooth", PLXCoreBluetooth.run),
    ("Walkthrough", Walkthrough.run),
    ("LittleBlueTooth", LittleBlueTooth.run),
    ("HMBluetoothManager", HMBluetoothManager.run),
  ]

  static func main() async throws {
    let wanted = CommandLine.arguments.dropFirst()
    for (name, run) in all where wanted.isEmpty || wanted.contains(name) {
      print("\n== \(name)")
      try await World.simulated(seed: 1) { world in try await run(world) }
    }
  }
}
