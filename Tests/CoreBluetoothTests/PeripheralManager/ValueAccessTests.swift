#if os(Linux)
  import BluetoothTypes
  import CoreBluetooth
  @testable import HostStack
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// Serves one service with what a test wants in it.
  struct Stand {
    let delegate = Server()
    let manager: CBPeripheralManager
    let radio: HostRadio

    init(_ world: World, _ characteristics: [CBMutableCharacteristic]) async throws {
      radio = world.makeHostRadio(name: "server")
      manager = CBPeripheralManager(delegate, on: radio)
      try await world.run(for: .seconds(1))
      let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
      service.characteristics = characteristics
      manager.add(service)
      manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Stand"])
      try await world.run(for: .seconds(1))
      _ = delegate.take()
    }

    /// Gives both ends a key, and uses it.
    func encrypt(_ central: HostRadio) {
      let addresses = (
        central.assumeIsolated { $0.controllerInfo.address }, radio.assumeIsolated { $0.controllerInfo.address }
      )
      radio.assumeIsolated { $0.setKeys([addresses.0: LongTermKey(7)]) }
      central.assumeIsolated { radio in
        radio.setKeys([addresses.1: LongTermKey(7)])
        for link in radio.host.links.map(\.id) { radio.encrypt(link) { _ in } }
      }
    }

    static func characteristic(
      _ uuid: String,
      _ properties: CBCharacteristicProperties,
      _ permissions: CBAttributePermissions,
      value: String? = nil
    ) -> CBMutableCharacteristic {
      CBMutableCharacteristic(
        type: CBUUID(string: uuid),
        properties: properties,
        value: value.map { Data($0.utf8) },
        permissions: permissions
      )
    }
  }

  @Suite("CBMutableCharacteristic: values, properties and permissions", .reportsWorlds)
  struct ValueAccessTests {
    @Test("a value that is given is fixed and read without the app, whatever properties and permissions say")
    func fixedValue() async throws {
      try await World.simulated(seed: 1) { world in
        let bare = Stand.characteristic("FFF1", [], [], value: "fixed")
        let usual = Stand.characteristic("FFF2", .read, .readable, value: "as usual")
        let stand = try await Stand(world, [bare, usual])
        let bench = try await Bench(world, to: "Stand")
        try await bench.discoverAll()
        for (uuid, text) in [("FFF1", "fixed"), ("FFF2", "as usual")] {
          let found = try bench.characteristic(uuid)
          #expect(found.properties == .read)
          bench.peripheral.readValue(for: found)
          try await world.run(for: .seconds(1))
          #expect(found.value == Data(text.utf8))
        }
        // What the app does to it from here on changes nothing.
        usual.value = Data("changed".utf8)
        bench.peripheral.readValue(for: try bench.characteristic("FFF2"))
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.values.last == Data("as usual".utf8))
        #expect(stand.delegate.take() == [])
      }
    }

    @Test("permissions decide what reaches the app: who may not read or write is refused without it")
    func permissions() async throws {
      try await World.simulated(seed: 2) { world in
        let stand = try await Stand(
          world,
          [
            Stand.characteristic("FFF1", [.read, .write], .writeable),
            Stand.characteristic("FFF2", [.read, .write], .readable),
          ]
        )
        let bench = try await Bench(world, to: "Stand")
        try await bench.discoverAll()
        bench.peripheral.readValue(for: try bench.characteristic("FFF1"))
        bench.peripheral.writeValue(Data([1]), for: try bench.characteristic("FFF2"), type: .withResponse)
        try await world.run(for: .seconds(1))
        #expect(
          bench.recorder.errors.compactMap { ($0 as? CBATTError)?.code } == [.readNotPermitted, .writeNotPermitted]
        )
        #expect(stand.delegate.take() == [])
        bench.peripheral.writeValue(Data([1]), for: try bench.characteristic("FFF1"), type: .withResponse)
        bench.peripheral.readValue(for: try bench.characteristic("FFF2"))
        try await world.run(for: .seconds(1))
        #expect(stand.delegate.take() == ["write 1", "read FFF2"])
      }
    }

    @Test(
      "readEncryptionRequired, writeEncryptionRequired, notifyEncryptionRequired: refused until the link is encrypted"
    )
    func encryption() async throws {
      try await World.simulated(seed: 3) { world in
        let stand = try await Stand(
          world,
          [
            Stand.characteristic("FFF1", [.read, .write], [.readEncryptionRequired, .writeEncryptionRequired]),
            Stand.characteristic("FFF2", .notifyEncryptionRequired, .readable),
            Stand.characteristic("FFF3", .indicateEncryptionRequired, .readable),
            Stand.characteristic("FFF4", .read, .readEncryptionRequired, value: "secret"),
          ]
        )
        let bench = try await Bench(world, to: "Stand")
        try await bench.discoverAll()
        // Apple's own bits are not on the air.
        #expect(try bench.characteristic("FFF2").properties == .notify)
        #expect(try bench.characteristic("FFF3").properties == .indicate)
        func tryAll() async throws -> [String] {
          let value = try bench.characteristic("FFF1")
          bench.peripheral.readValue(for: value)
          bench.peripheral.writeValue(Data([1]), for: value, type: .withResponse)
          bench.peripheral.readValue(for: try bench.characteristic("FFF4"))
          for uuid in ["FFF2", "FFF3"] { bench.peripheral.setNotifyValue(true, for: try bench.characteristic(uuid)) }
          try await world.run(for: .seconds(3))
          return bench.recorder.take()
        }
        #expect(try await tryAll().allSatisfy { $0.hasSuffix("failed") })
        let codes = bench.recorder.errors.compactMap { ($0 as? CBATTError)?.code }
        #expect(codes == Array(repeating: .insufficientAuthentication, count: 5))
        #expect(stand.delegate.take() == [])
        stand.encrypt(world.mainRadio)
        try await world.run(for: .seconds(2))
        #expect(try await !tryAll().contains { $0.hasSuffix("failed") })
        #expect(stand.delegate.take() == ["read FFF1", "write 1", "subscribed FFF2", "subscribed FFF3"])
      }
    }

    @Test("broadcast and extended properties are logged and left out; descriptors are served as Apple's two kinds are")
    func forbidden() async throws {
      try await World.simulated(seed: 4) { world in
        let odd = Stand.characteristic("FFF1", [.read, .broadcast, .extendedProperties], .readable)
        odd.descriptors = [
          CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "Text"),
          CBMutableDescriptor(
            type: CBUUID(string: CBUUIDCharacteristicFormatString),
            value: Data([4, 0, 0, 0x27, 1, 0, 0])
          ),
        ]
        #expect(odd.descriptors?.first?.characteristic === odd && odd.permissions == .readable)
        let stand = try await Stand(world, [odd])
        let bench = try await Bench(world, to: "Stand")
        try await bench.discoverAll()
        let found = try bench.characteristic("FFF1")
        #expect(found.properties == .read)
        bench.peripheral.discoverDescriptors(for: found)
        try await world.run(for: .seconds(1))
        for descriptor in found.descriptors ?? [] { bench.peripheral.readValue(for: descriptor) }
        try await world.run(for: .seconds(1))
        #expect(found.descriptors?.map { $0.uuid.uuidString } == ["2901", "2904"])
        #expect(found.descriptors?.first?.value as? String == "Text")
        #expect(found.descriptors?.last?.value as? Data == Data([4, 0, 0, 0x27, 1, 0, 0]))
        withExtendedLifetime(stand) {}
      }
    }

    @Test("what Apple's framework raises an exception for stops the program with a message that says why")
    func exceptions() async throws {
      let fixed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await World.simulated(seed: 5) { world in
          _ = try await Stand(world, [Stand.characteristic("FFF1", [.read, .notify], .readable, value: "fixed")])
        }
      }
      #expect(Self.text(fixed).contains("cached values must be read-only"))
      let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await World.simulated(seed: 5) { world in
          let stand = try await Stand(world, [])
          let service = CBMutableService(type: CBUUID(string: "FFF1"), primary: true)
          stand.manager.add(service)
          stand.manager.add(service)
        }
      }
      #expect(Self.text(twice).contains("more than once"))
      let configuration = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = CBMutableDescriptor(
          type: CBUUID(string: CBUUIDClientCharacteristicConfigurationString),
          value: Data([1, 0])
        )
      }
      #expect(Self.text(configuration).contains("made by the system"))
      let format = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicFormatString), value: "text")
      }
      #expect(Self.text(format).contains("takes Data"))
    }

    private static func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
  }
#endif
