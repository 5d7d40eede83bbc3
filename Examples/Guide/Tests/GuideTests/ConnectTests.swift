import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("The guide: connect and disconnect", .reportsWorlds)
struct ConnectTests {
  @Test("OK-23: a scan lists what is near, and ends by itself")
  func scan() async throws {
    try await World.simulated(seed: 1) { world in
      world.add(.heartRateBand(name: "Pulse"))
      world.add(.lamp(name: "Lamp"))
      let central = Central(radio: world.radio)
      try await central.ready()
      var names: Set<String> = []
      // readme: begin
      for try await discovery in central.scan(duration: .seconds(10)) {
        print(discovery.name ?? "NONAME", discovery.id, discovery.rssi ?? 0)
        if let name = discovery.name { names.insert(name) }  // readme: leave out
      }
      // readme: end
      #expect(names == ["Pulse", "Lamp"])
    }
  }

  @Test("OK-23: connect from a scan, look at what the device offers, disconnect")
  func connect() async throws {
    try await World.simulated(seed: 1) { world in
      world.add(.heartRateBand(name: "Pulse"))
      let central = Central(radio: world.radio)
      try await central.ready()
      // readme: begin
      let band = try await central.scan(for: [.heartRate], timeout: .seconds(10))
        .filter { $0.name == "Pulse" }
        .connect(timeout: .seconds(10))
      // readme: end
      // readme: begin
      for service in try await band.services() {
        print(service.id)
        for characteristic in service.characteristics {
          print(" ", characteristic.uuid, characteristic.properties ?? [])
        }
      }
      // readme: end
      #expect(!band.services.isEmpty)
      let id = band.id
      // readme: begin
      await band.disconnect()
      // readme: end
      #expect(band.state.isDisconnected)
      // readme: begin
      let again = try await central.connect(to: id)  // an identifier, kept from an earlier run
      // readme: end
      #expect(again.state.isReady)
    }
  }

  @Test("OK-23: what went wrong is an error that says what to do")
  func failure() async throws {
    try await World.simulated(seed: 1) { world in
      let central = Central(radio: world.radio)
      try await central.ready()
      var kinds: [BluetoothError.Kind] = []
      // readme: begin
      do {
        let lamp = try await central.scan(where: .named("Lamp"), timeout: .seconds(10)).connect()
        print("connected to", lamp)
      } catch let error as BluetoothError where error.kind == .timedOut {
        print(error.message)
        kinds.append(error.kind)  // readme: leave out
      }
      // readme: end
      #expect(kinds == [.timedOut])
    }
  }

  @Test("OK-23: connections of all devices are one stream")
  func events() async throws {
    try await World.simulated(seed: 1) { world in
      world.add(.heartRateBand(name: "Pulse"))
      let central = Central(radio: world.radio)
      try await central.ready()
      // readme: begin
      let watcher = Task {
        for await event in central.connectionEvents {
          switch event {
          case .connected(let peripheral), .reconnected(let peripheral): print("connected:", peripheral)
          case .ready(let peripheral): print("ready:", peripheral)
          case .failed(_, let error), .disconnected(_, let error?): print(error.message)
          case .disconnected(let peripheral, nil): print("disconnected:", peripheral)
          }
          if case .disconnected = event { break }  // readme: leave out
        }
      }
      // readme: end
      try await world.settle()
      let band = try await central.scan(for: [.heartRate]).connect()
      await band.disconnect()
      await watcher.value
    }
  }
}
