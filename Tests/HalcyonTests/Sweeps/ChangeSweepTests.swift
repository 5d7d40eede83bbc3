import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A database that changes at every packet of a connection", .reportsWorlds(packets: 25))
struct ChangeSweepTests {
  /// How the central knows of the services, and of changes.
  enum Knowledge: CaseIterable {
    case hash
    case rememberedHash
    /// The device has no Database Hash: only Service Changed tells, once the central has asked for it.
    case serviceChangedAlone
  }

  private static let kept: Characteristic<UInt8> = .init("FFF1", in: "FFF0")
  private static let added: Characteristic<UInt8> = .init("FFE1", in: "FFE0")

  private static func service(_ uuid: ServiceID, _ characteristic: BluetoothUUID, _ value: UInt8)
    -> VirtualDevice.Service
  {
    VirtualDevice.Service(
      uuid,
      characteristics: [.init(characteristic, [.read, .notify], value: [value])]
    )
  }

  @Test(
    "F38: whenever it changes, the services that are known in the end are those that the device has",
    arguments: Knowledge.allCases
  )
  func everyPacket(knowledge: Knowledge) async throws {
    var packet = 0
    var isThrough = false
    while !isThrough {
      packet += 1
      isThrough = try await Self.change(at: packet, knowledge)
    }
    #expect(packet > (knowledge == .rememberedHash ? 10 : 18))
  }

  /// - Returns: Whether there are not so many packets.
  private static func change(at packet: Int, _ knowledge: Knowledge) async throws -> Bool {
    let isRemembered = knowledge == .rememberedHash
    return try await World.simulated(seed: 1) { world in
      var description = VirtualDevice.Description(name: "Changing")
      description.hasDatabaseHash = knowledge != .serviceChangedAlone
      description.services = [service("FFF0", "FFF1", 1), service("FFD0", "FFD1", 9), service("FFC0", "FFC1", 8)]
      let device = world.add(.custom(description))
      let central = Central(radio: world.radio)
      try await central.ready()
      var peripheral = try await central.connect(to: PeerID(device.address))
      if isRemembered {
        #expect(try await peripheral.services().count == 5)
        try await world.run(for: .seconds(2))
        await peripheral.disconnect()
        try await world.run(for: .seconds(1))
      }
      let services = [service("FFE0", "FFE1", 7), service("FFF0", "FFF1", 2)]
      device.faults.add(.changeDatabase(to: services, at: .packet(packet)))
      if isRemembered { peripheral = try await central.connect(to: PeerID(device.address)) }
      // What is asked for while it changes may fail; what is known then need not be right for ever.
      _ = try? await peripheral.services()
      _ = try? await peripheral.read(kept)
      try await world.run(for: .seconds(4))
      guard !device.faults.history.isEmpty else { return true }
      let found = try await peripheral.services()
      #expect(found.count == 4 && Set(found.map(\.uuid)) == ["1800", "1801", "FFE0", "FFF0"], "packet \(packet)")
      #expect(try await peripheral.read(kept) == 2, "packet \(packet)")
      #expect(try await peripheral.read(added) == 7, "packet \(packet)")
      return false
    }
  }
}
