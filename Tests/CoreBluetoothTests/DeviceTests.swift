#if os(Linux)
  import BluetoothTypes
  @testable import CoreBluetooth
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("A device in Apple's API", .reportsWorlds)
  struct DeviceTests {
    /// Two services with one UUID, two characteristics with one UUID, and every kind of descriptor.
    static let box = DeviceKind<VirtualDevice>.custom(name: "Box") { box in
      box.mtu = 100
      let inner = VirtualDevice.Service(
        ServiceID("FF0A"),
        isPrimary: false,
        characteristics: [VirtualDevice.Characteristic("FF0B", .read, value: [1])]
      )
      let second = VirtualDevice.Service(
        ServiceID("FF0C"),
        characteristics: [VirtualDevice.Characteristic("FF0D", .read, value: [2])]
      )
      box.services = [
        second,
        VirtualDevice.Service(
          ServiceID("FF01"),
          includes: [inner, second],
          characteristics: [
            VirtualDevice.Characteristic(
              "FF02",
              [.read, .write, .notify, .extendedProperties, .reliableWrite],
              value: [7],
              userDescription: "Größe",
              descriptors: [
                VirtualDevice.Descriptor("2903", value: [1, 0], permissions: [.read, .write]),
                VirtualDevice.Descriptor("2904", value: [4, 0, 0, 0x27, 1, 0, 0]),
                VirtualDevice.Descriptor("2905", value: [3, 0, 4, 0]),
                VirtualDevice.Descriptor("2906", value: [0, 100]),
                VirtualDevice.Descriptor("2910", value: [9]),
              ]
            ),
            VirtualDevice.Characteristic("FF03", .read, value: [8]),
            VirtualDevice.Characteristic("FF03", [.read, .indicate], value: [9]),
            VirtualDevice.Characteristic("FF04", .writeWithoutResponse),
          ]
        ),
        VirtualDevice.Service(
          ServiceID("FF01"),
          characteristics: [VirtualDevice.Characteristic("FF03", .read, value: [10])]
        ),
      ]
    }

    @Test("services are found all or by their names, also twice the same; Generic Access and Attribute stay hidden")
    func services() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.box)
        let bench = try await Bench(world, to: "Box")
        let peripheral = bench.peripheral
        #expect(peripheral.services == nil)
        peripheral.discoverServices(nil)
        try await world.run(for: .seconds(5))
        let attributes: [CBAttribute]? = peripheral.services
        #expect(attributes?.map(\.uuid.uuidString) == ["FF0C", "FF01", "FF01"])
        #expect(peripheral.services?.allSatisfy { $0.isPrimary && $0.peripheral === peripheral } ?? false)
        #expect(peripheral.services?.allSatisfy { $0.characteristics == nil && $0.includedServices == nil } ?? false)
        peripheral.discoverServices([CBUUID(string: "0000FF0C-0000-1000-8000-00805F9B34FB"), CBUUID(string: "FF99")])
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take().last == #"services ["FF0C"]"#)
        peripheral.discoverServices([CBUUID(string: "FF99")])
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["services []"])
        peripheral.discoverServices([])
        try await world.run(for: .seconds(1))
        #expect(peripheral.services?.count == 3)
      }
    }

    @Test("included services and characteristics are found all or by their names, each of two with one UUID")
    func contents() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.box)
        let bench = try await Bench(world, to: "Box")
        let peripheral = bench.peripheral
        peripheral.discoverServices(nil)
        try await world.run(for: .seconds(5))
        _ = bench.recorder.take()
        let services = try #require(peripheral.services)
        try #require(services.count == 3)
        let (service, other) = (services[1], services[0])
        peripheral.discoverIncludedServices(nil, for: service)
        peripheral.discoverIncludedServices(nil, for: other)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == [#"included ["FF0C", "FF0A"]"#, "included []"])
        // A service that stands for itself too is the same object.
        #expect(service.includedServices?.first === other)
        #expect(service.includedServices?.map(\.isPrimary) == [true, false])
        peripheral.discoverIncludedServices([CBUUID(string: "FF0A")], for: service)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == [#"included ["FF0A"]"#])

        for each in services { peripheral.discoverCharacteristics(nil, for: each) }
        try await world.run(for: .seconds(1))
        #expect(
          bench.recorder.take() == [
            #"characteristics ["FF0D"]"#, #"characteristics ["FF02", "FF03", "FF03", "FF04"]"#,
            #"characteristics ["FF03"]"#,
          ]
        )
        let first = try #require(service.characteristics)
        try #require(first.count == 4)
        #expect(first[0].properties == [.read, .write, .notify, .extendedProperties])
        #expect(first[1] !== first[2])
        #expect(first.allSatisfy { $0.service === service && $0.value == nil && $0.descriptors == nil })
        #expect(first.allSatisfy { !$0.isNotifying && !($0 as any FormerCharacteristic).isBroadcasted })
        // By handle: each brings its own value, just before the delegate is told.
        for characteristic in [first[1], first[2], try #require(services[2].characteristics?.first)] {
          peripheral.readValue(for: characteristic)
        }
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.values.suffix(3) == [Data([8]), Data([9]), Data([10])])
        #expect(first[1].value == Data([8]))
        peripheral.discoverCharacteristics([CBUUID(string: "FF03")], for: service)
        try await world.run(for: .seconds(1))
        #expect(service.characteristics?.map { $0 === first[1] || $0 === first[2] } == [true, true])
      }
    }

    @Test("descriptors come as the types that Apple documents: text, numbers, and bytes for the rest")
    func descriptors() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.box)
        let bench = try await Bench(world, to: "Box")
        try await bench.discoverAll()
        let characteristic = try bench.characteristic("FF02")
        bench.peripheral.discoverDescriptors(for: characteristic)
        try await world.run(for: .seconds(1))
        let descriptors = try #require(characteristic.descriptors)
        #expect(descriptors.allSatisfy { $0.characteristic === characteristic && $0.value == nil })
        for descriptor in descriptors { bench.peripheral.readValue(for: descriptor) }
        try await world.run(for: .seconds(2))
        func value(_ uuid: String) throws -> Any? {
          try #require(descriptors.first { $0.uuid == CBUUID(string: uuid) }).value
        }
        #expect(try value(CBUUIDCharacteristicExtendedPropertiesString) as? NSNumber == 1)
        #expect(try value(CBUUIDCharacteristicUserDescriptionString) as? String == "Größe")
        #expect(try value(CBUUIDClientCharacteristicConfigurationString) as? NSNumber == 0)
        #expect(try value(CBUUIDServerCharacteristicConfigurationString) as? NSNumber == 1)
        #expect(try value(CBUUIDCharacteristicFormatString) as? Data == Data([4, 0, 0, 0x27, 1, 0, 0]))
        #expect(try value(CBUUIDCharacteristicAggregateFormatString) as? Data == Data([3, 0, 4, 0]))
        #expect(try value(CBUUIDCharacteristicValidRangeString) as? Data == Data([0, 100]))
        #expect(try value(CBUUIDCharacteristicObservationScheduleString) as? Data == Data([9]))
        _ = bench.recorder.take()
        let server = try #require(descriptors.first { $0.uuid == CBUUID(string: "2903") })
        bench.peripheral.writeValue(Data([0, 0]), for: server)
        bench.peripheral.readValue(for: server)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["wrote descriptor 2903", "descriptor 2903 = 0"])
      }
    }

    @Test("values are as long as they can be written: the MTU counts without response, 512 bytes with")
    func lengths() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(Self.box)
        let bench = try await Bench(world, to: "Box")
        try await bench.discoverAll()
        let peripheral = bench.peripheral
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 97)
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        let (written, sent) = (try bench.characteristic("FF02"), try bench.characteristic("FF04"))
        let long = Data((0..<512).map { UInt8($0 & 0xFF) })
        peripheral.writeValue(long, for: written, type: .withResponse)
        peripheral.readValue(for: written)
        try await world.run(for: .seconds(5))
        #expect(bench.recorder.take() == ["wrote FF02", "value FF02"])
        #expect(written.value == long)
        peripheral.writeValue(long + Data([0]), for: written, type: .withResponse)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["wrote FF02 failed"])
        #expect((bench.recorder.errors.last as? CBATTError)?.code == .invalidAttributeValueLength)

        let listener = Misuse.Listener()
        peripheral.writeValue(Data(repeating: 1, count: 97), for: sent, type: .withoutResponse)
        peripheral.writeValue(Data(repeating: 2, count: 98), for: sent, type: .withoutResponse)
        // Neither is answered; a characteristic that does not take it is not written.
        peripheral.writeValue(Data([3]), for: written, type: .withoutResponse)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take().isEmpty)
        #expect(device.written(to: "FF04") == [[UInt8](repeating: 1, count: 97)])
        #expect(listener.messages.contains { $0.contains("\(peripheral)") && $0.contains("could not be sent") })
        #expect(listener.messages.contains { $0.contains("FF02") && $0.contains("Write Without Response") })

        bench.manager.cancelPeripheralConnection(peripheral)
        try await world.run(for: .seconds(1))
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 20)
        #expect(!peripheral.canSendWriteWithoutResponse)
      }
    }

    @Test("the strength is told by the new method, or by the old one where an app has only that, and kept")
    func strength() async throws {
      final class OldReader: NSObject, CBPeripheralDelegate {
        var strengths: [NSNumber?] = []
        func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?) {
          strengths.append((peripheral as any FormerPeripheral).rssi)
        }
      }
      try await World.simulated(seed: 1) { world in
        world.add(Self.box)
        let bench = try await Bench(world, to: "Box")
        #expect((bench.peripheral as any FormerPeripheral).rssi == nil)
        bench.peripheral.readRSSI()
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["rssi"])
        let strength = try #require((bench.peripheral as any FormerPeripheral).rssi)
        #expect(strength.intValue < -20 && strength.intValue > -100)
        let reader = OldReader()
        bench.peripheral.delegate = reader
        bench.peripheral.readRSSI()
        try await world.run(for: .seconds(1))
        #expect(reader.strengths.count == 1)
        #expect(reader.strengths.first != .some(nil))
      }
    }

    @Test("who asks for values that a characteristic does not send gets the error of the server; so do two with one")
    func refusedSubscriptions() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(Self.box)
        let bench = try await Bench(world, to: "Box")
        try await bench.discoverAll()
        let service = bench.peripheral.services?.first { $0.uuid == CBUUID(string: "FF01") }
        let all = try #require(service?.characteristics)
        try #require(all.count == 4)
        bench.peripheral.setNotifyValue(true, for: all[1])
        bench.peripheral.setNotifyValue(true, for: all[2])
        bench.peripheral.setNotifyValue(false, for: all[0])
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["notifying false failed", "notifying false", "notifying true"])
        #expect((bench.recorder.errors.last as? CBATTError)?.code == .requestNotSupported)
        #expect(all.map(\.isNotifying) == [false, false, true, false])
        try device.notify([4], of: try #require(device.handles(of: "FF03").dropFirst().first))
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["value FF03"])
        #expect(all[2].value == Data([4]))
        bench.peripheral.setNotifyValue(false, for: all[2])
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["notifying false"])
        #expect(!all[2].isNotifying)
      }
    }

    @Test("the name is that of the advertisement until the device tells its own; a new one is told")
    func names() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(
          .custom(name: "Name of the device") { device in
            device.moreAdvertisingData = [.shortenedLocalName("Name")]
            device.advertisedServices = [ServiceID("FF01")]
            device.services = [VirtualDevice.Service(ServiceID("FF01"))]
          }
        )
        let recorder = Recorder()
        let manager = CBCentralManager(recorder, on: world.radio)
        try await world.run(for: .seconds(1))
        manager.scanForPeripherals(withServices: [CBUUID(string: "FF01")])
        try await world.run(for: .seconds(3))
        manager.stopScan()
        let peripheral = try #require(recorder.peripherals.first)
        let advertised = try #require(peripheral.name)
        peripheral.delegate = recorder
        manager.connect(peripheral)
        try await world.run(for: .seconds(2))
        _ = recorder.take()
        peripheral.discoverServices(nil)
        try await world.run(for: .seconds(5))
        #expect(peripheral.name == "Name of the device")
        #expect(recorder.take().contains("name Name of the device") == (advertised != "Name of the device"))
      }
    }

    @Test("requests of a connection that is gone are refused in the log; the delegate is not kept")
    func misuse() async throws {
      let listener = Misuse.Listener()
      try await World.simulated(seed: 1) { world in
        world.add(Self.box)
        let bench = try await Bench(world, to: "Box")
        try await bench.discoverAll()
        let characteristic = try bench.characteristic("FF02")
        let service = try #require(characteristic.service)
        bench.peripheral.discoverDescriptors(for: characteristic)
        try await world.run(for: .seconds(1))
        let descriptor = try #require(characteristic.descriptors?.first)
        bench.manager.cancelPeripheralConnection(bench.peripheral)
        try await world.run(for: .seconds(1))
        _ = bench.recorder.take()
        let peripheral = bench.peripheral
        peripheral.discoverServices(nil)
        peripheral.discoverIncludedServices(nil, for: service)
        peripheral.discoverCharacteristics(nil, for: service)
        peripheral.discoverDescriptors(for: characteristic)
        peripheral.readValue(for: characteristic)
        peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse)
        peripheral.setNotifyValue(true, for: characteristic)
        peripheral.readValue(for: descriptor)
        peripheral.writeValue(Data([1]), for: descriptor)
        peripheral.readRSSI()
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take().isEmpty)
        let said = listener.messages.filter { $0.contains("\(peripheral) can only accept commands while in the conn") }
        #expect(said.count == 10)
        // What stands in front of it is weak: the service goes with the last who keeps it.
        #expect(characteristic.service === service)
        var other: Recorder? = Recorder()
        peripheral.delegate = other
        #expect(peripheral.delegate === other)
        other = nil
        #expect(peripheral.delegate == nil)
      }
    }

    @Test("attributes do not keep what they belong to")
    func weakReferences() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.box)
        var kept: (CBService?, CBCharacteristic?, CBDescriptor?)
        do {
          let bench = try await Bench(world, to: "Box")
          try await bench.discoverAll()
          bench.peripheral.discoverDescriptors(for: try bench.characteristic("FF02"))
          try await world.run(for: .seconds(1))
          let characteristic = try bench.characteristic("FF02")
          kept = (characteristic.service, characteristic, characteristic.descriptors?.first)
          #expect(kept.0?.peripheral === bench.peripheral)
          #expect(kept.2?.characteristic === characteristic)
        }
        try await world.run(for: .seconds(5))
        #expect(kept.0?.peripheral == nil)
        kept.0 = nil
        #expect(kept.1?.service == nil)
        kept.1 = nil
        #expect(kept.2?.characteristic == nil)
      }
    }
  }
#endif
