import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Descriptors", .reportsWorlds)
struct DescriptorTests {
  /// What nobody can mistake for one of the specification's.
  private static let own: BluetoothUUID = "A0030001-0000-4000-8000-00805F9B34FB"
  private static let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }

  /// Adds a characteristic with descriptors of all kinds to the device.
  private static func describe(_ description: inout VirtualDevice.Description) {
    description.services.append(
      VirtualDevice.Service(
        "FFD0",
        characteristics: [
          VirtualDevice.Characteristic(
            "FFD1",
            [.read, .notify],
            value: [1],
            userDescription: "Brightness",
            descriptors: [
              VirtualDevice.Descriptor("2904", value: [4, 0, 0, 0x27, 1, 0, 0]),
              VirtualDevice.Descriptor(own, value: long, permissions: [.read, .write]),
            ]
          ),
          VirtualDevice.Characteristic(
            "FFD2",
            .read,
            value: [2],
            descriptors: [
              VirtualDevice.Descriptor(own, value: [1]), VirtualDevice.Descriptor(own, value: [2]),
            ]
          ),
        ]
      )
    )
  }

  @Test("PLX-08: descriptors are read and written, by name and as they were found, also long ones")
  func values() async throws {
    try await Stage.run(Self.describe) { stage in
      let peripheral = try await stage.connected()
      #expect(try await peripheral.read(.userDescription(of: .bright)) == "Brightness")
      #expect(try await peripheral.read(.presentationFormat(of: .bright)) == PresentationFormat(.uint8))
      let raw = try await peripheral.read(.presentationFormat(of: .bright), as: [UInt8].self)
      #expect(raw == [4, 0, 0, 0x27, 1, 0, 0] && raw == PresentationFormat(.uint8).bytes)
      let own = Descriptor(Self.own, of: .bright)
      #expect(try await peripheral.read(own) == Self.long)
      try await peripheral.write(UInt16(0x0102), to: own)
      #expect(try await peripheral.read(own, as: UInt16.self) == 0x0102)
      try await peripheral.write(Array(Self.long.reversed()), to: own)
      #expect(try await peripheral.read(own) == Self.long.reversed())

      let services = try await peripheral.services(["FFD0"])
      let found = try #require(services.first?.characteristics.last?.descriptors)
      #expect(found.map(\.uuid) == [Self.own, Self.own])
      #expect(try await peripheral.read(found[0]) == [1])
      #expect(try await peripheral.read(found[1]) == [2])
    }
  }

  @Test("what can not be read or written is an error that says why, and nothing is sent")
  func errors() async throws {
    try await Stage.run(Self.describe) { stage in
      let peripheral = try await stage.connected()
      let format = Descriptor.presentationFormat(of: .bright)
      await expectError(.descriptorNotFound) { _ = try await peripheral.read(.presentationFormat(of: .setting)) }
      await expectError(.ambiguous) { _ = try await peripheral.read(Descriptor(Self.own, of: .doubled)) }
      await expectError(.att(.writeNotPermitted)) { try await peripheral.write([1], to: format) }
      await expectError(.tooLong) {
        try await peripheral.write([UInt8](repeating: 0, count: 513), to: Descriptor(Self.own, of: .bright))
      }
      // It would switch the values off under those who iterate them.
      let configuration = Descriptor("2902", of: .bright)
      #expect(try await peripheral.read(configuration) == [0, 0])
      await expectError(.undecodable) { _ = try await peripheral.read(configuration, as: UInt32.self) }
      await expectError(.notPermitted) { try await peripheral.write([1, 0], to: configuration) }
      await peripheral.disconnect()
      await expectError(.notConnected) { _ = try await peripheral.read(format) }
    }
  }

  @Test("F02: a descriptor's read ends with the connection, and one that was found is looked up anew on the next")
  func lostLink() async throws {
    try await Stage.run(Self.describe) { stage in
      let peripheral = try await stage.connected()
      let found = try #require(
        try await peripheral.services(["FFD0"]).first?.characteristics.first?.descriptors.first { $0.uuid == "2901" }
      )
      stage.device.moveOutOfRange()
      await expectError(.disconnected) { _ = try await peripheral.read(found) }
      stage.device.moveIntoRange()
      try await stage.central.connect(to: peripheral)
      #expect(try await peripheral.read(found, as: String.self) == "Brightness")
    }
  }
}

extension Characteristic where Value == UInt8 {
  fileprivate static var bright: Self { .init("FFD1", in: "FFD0") }
  fileprivate static var doubled: Self { .init("FFD2", in: "FFD0") }
}
