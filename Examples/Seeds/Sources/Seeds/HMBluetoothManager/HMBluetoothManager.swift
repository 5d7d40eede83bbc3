import Halcyon
import VirtualRadio

/// The tool class for one device, HMBluetoothManager, with Halcyon. `Examples/Wristband` has the same for Apple's API.
enum HMBluetoothManager {
  static func run(in world: World) async throws {
    world.add(.band())
    world.add(.lamp(name: "Lamp"))
    let central = Central(radio: world.radio)
    let manager = BandManager(sendingTo: "FF02", central: central)
    print("available at first:", manager.availability.isAvailable, manager.availability.reason)

    // Every part of the app can hear that a device is gone.
    let news = Task {
      for await event in central.connectionEvents {
        if case .disconnected(let peripheral, _) = event { return print("gone:", peripheral.name ?? "?") }
      }
    }
    let scanning = Task { try await manager.scan { _ in } }
    try await central.clock.sleep(for: .seconds(3))
    scanning.cancel()
    print("found:", await manager.found.compactMap(\.name).sorted())
    guard let discovery = await manager.found.first(where: { $0.name == "Band" }),
      case .connected(let band) = await manager.connect(to: discovery)
    else { return print("no band") }
    print("connected:", central.connected.compactMap(\.name))

    var values = 0
    for try await value in band {
      print(value.origin, value.characteristic.uuid, value.bytes)
      values += 1
      if values == 6 { break }
    }
    try await manager.send([2])
    await manager.disconnect()
    await news.value
    print("connected:", central.connected.compactMap(\.name))
  }
}
