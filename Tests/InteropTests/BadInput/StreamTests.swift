import Halcyon
import HostStack
import Testing

/// What a stream of bytes may do to packets, and packets to each other.
@Suite("The stream of a controller", .timeLimit(.minutes(5)))
struct StreamTests {
  @Test("packets that come in pieces of any size are put together, through the whole job", arguments: 1...9)
  func pieces(_ size: Int) async throws {
    let server = try ControllerServer([.init(pieces: size)])
    defer { server.stop() }
    try await mainJob(server)
  }

  @Test("packets that come many at a time are taken apart")
  func together() async throws {
    let server = try ControllerServer()
    defer { server.stop() }
    try await mainJob(server)
  }

  private func mainJob(_ server: ControllerServer) async throws {
    try await withCentral(port: server.port) { central, _ in
      try await central.ready(within: .seconds(60))
      let device = try await central.scan(for: [.heartRate], timeout: .seconds(60)).connect(timeout: .seconds(60))
      #expect(device.name == "Model")
      #expect(try await device.read(.bodySensorLocation) == .chest)
      #expect(try await device.readRSSI() == -60)
      try await device.write(.resetEnergyExpended, to: .heartRateControlPoint)
      await device.disconnect()
    }
  }

  @Test("of a report that is cut short the whole advertisements are told, and the scan goes on")
  func shortReport() async throws {
    var second = ModelController.advertisement
    second.address = BluetoothAddress(0xC000_0000_0002, .random)
    let whole = LEAdvertisingReport(reports: [ModelController.advertisement, second]).packet.bytes
    // The second advertisement lacks its end, and the packet's length says so.
    var short = Array(whole.dropLast(5))
    short[2] -= 5
    let third = LEAdvertisingReport(reports: [second]).packet.bytes
    let bytes = short + third
    let server = try ControllerServer([
      .init(fault: { packet in
        guard ModelController.isCommand(packet, LESetScanEnable.self), packet.bytes[4] == 1 else { return .none }
        return .bytes(CommandComplete(opcode: LESetScanEnable.opcode, returnParameters: [0]).packet.bytes + bytes)
      })
    ])
    defer { server.stop() }
    try await withCentral(port: server.port) { central, _ in
      try await central.ready(within: .seconds(60))
      var found: [PeerID] = []
      for try await discovery in central.scan(for: [.heartRate], timeout: .seconds(60), limit: 2) {
        found.append(discovery.peripheral.id)
        #expect(discovery.name == "Model")
      }
      #expect(found == [PeerID(ModelController.device), PeerID(second.address)])
      #expect(central.state.power == .poweredOn)
    }
  }

  @Test("of advertising data that is cut short the good part is told")
  func shortData() async throws {
    var advertisement = ModelController.advertisement
    advertisement.data += [9, 0xFF, 0x4C]
    let report = LEAdvertisingReport(reports: [advertisement]).packet.bytes
    let server = try ControllerServer([
      .init(fault: { packet in
        guard ModelController.isCommand(packet, LESetScanEnable.self), packet.bytes[4] == 1 else { return .none }
        return .bytes(CommandComplete(opcode: LESetScanEnable.opcode, returnParameters: [0]).packet.bytes + report)
      })
    ])
    defer { server.stop() }
    try await withCentral(port: server.port) { central, _ in
      try await central.ready(within: .seconds(60))
      let found = try await central.scan(for: [.heartRate], timeout: .seconds(60)).first { _ in true }
      #expect(found?.name == "Model")
      #expect(found?.advertisement.structures.contains { $0.type == .manufacturerSpecificData } == false)
      #expect(found?.advertisement.problem != nil)
    }
  }
}
