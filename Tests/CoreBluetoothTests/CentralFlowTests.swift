#if os(Linux)
  import BluetoothTypes
  import CoreBluetooth
  import Dispatch
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("The central flow in Apple's API", .reportsWorlds)
  struct CentralFlowTests {
    static let lamp = DeviceKind<VirtualDevice>.custom(name: "Lamp") { lamp in
      lamp.advertisedServices = [ServiceID("FFE0")]
      lamp.manufacturerData = ManufacturerData(CompanyID(0x004C), [1, 2, 3])
      lamp.services = [
        VirtualDevice.Service(
          ServiceID("FFE0"),
          includes: [
            VirtualDevice.Service(
              ServiceID("FFE9"),
              isPrimary: false,
              characteristics: [VirtualDevice.Characteristic("FFEA", .read, value: [9])]
            )
          ],
          characteristics: [
            VirtualDevice.Characteristic(
              "FFE1",
              [.read, .write],
              value: [7],
              userDescription: "Brightness",
              descriptors: [VirtualDevice.Descriptor("2904", value: [4, 0, 0, 0x27, 1, 0, 0])]
            ),
            VirtualDevice.Characteristic("FFE2", .notify),
            VirtualDevice.Characteristic("FFE3", .writeWithoutResponse),
            VirtualDevice.Characteristic("FFE4", .indicate),
          ]
        )
      ]
    }

    @Test("TUT-01: state, scan, connect, discover, read, write, subscribe, unsubscribe, disconnect, in this order")
    func wholeFlow() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(Self.lamp)
        let recorder = Recorder()
        let manager = CBCentralManager(recorder, on: world.radio)
        #expect(manager.state == .unknown)
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == ["state poweredOn"])

        manager.scanForPeripherals(withServices: nil)
        #expect(manager.isScanning)
        try await world.run(for: .seconds(1))
        #expect(Set(recorder.take()) == ["heard Lamp"])
        let peripheral = try #require(recorder.peripherals.first)
        #expect(recorder.peripherals.count == 1)
        manager.stopScan()
        peripheral.delegate = recorder
        manager.connect(peripheral)
        #expect(peripheral.state == .connecting)
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == ["connected connected"])

        peripheral.discoverServices(nil)
        try await world.run(for: .seconds(3))
        #expect(recorder.take() == [#"services ["FFE0"]"#])
        let service = try #require(peripheral.services?.first)
        #expect(service.peripheral === peripheral)
        peripheral.discoverCharacteristics(nil, for: service)
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == [#"characteristics ["FFE1", "FFE2", "FFE3", "FFE4"]"#])
        let characteristics = try #require(service.characteristics)
        #expect(characteristics[0].properties == [.read, .write])
        #expect(characteristics[0].service === service)

        peripheral.readValue(for: characteristics[0])
        peripheral.discoverDescriptors(for: characteristics[0])
        try await world.run(for: .seconds(1))
        #expect(Set(recorder.take()) == ["value FFE1", #"descriptors ["2901", "2904"]"#])
        #expect(characteristics[0].value == Data([7]))
        for descriptor in characteristics[0].descriptors ?? [] { peripheral.readValue(for: descriptor) }
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == ["descriptor 2901 = Brightness", "descriptor 2904 = 7 bytes"])
        #expect(characteristics[0].descriptors?.last?.value as? Data == Data([4, 0, 0, 0x27, 1, 0, 0]))

        for characteristic in characteristics where characteristic.properties.contains(.write) {
          peripheral.writeValue(Data([42]), for: characteristic, type: .withResponse)
        }
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == ["wrote FFE1"])
        #expect(device.written(to: "FFE1") == [[42]])

        peripheral.setNotifyValue(true, for: characteristics[1])
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == ["notifying true"])
        try device.notify([1], of: "FFE2")
        try device.notify([2], of: "FFE2")
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == ["value FFE2", "value FFE2"])
        #expect(recorder.values.suffix(2) == [Data([1]), Data([2])])
        peripheral.setNotifyValue(false, for: characteristics[1])
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == ["notifying false"])

        manager.cancelPeripheralConnection(peripheral)
        #expect(peripheral.state == .disconnecting)
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == ["disconnected disconnected"])
        #expect(recorder.errors.isEmpty)
        #expect(peripheral.services == nil)
        #expect(!device.isConnected)
      }
    }

    @Test("TUT-01: an advertisement has Apple's keys and Foundation's types")
    func advertisement() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.lamp)
        let bench = try await Bench(world, to: "Lamp")
        let data = try #require(bench.recorder.advertisements.last)
        #expect(data[CBAdvertisementDataLocalNameKey] as? String == "Lamp")
        #expect(data["kCBAdvDataServiceUUIDs"] as? [CBUUID] == [CBUUID(string: "FFE0")])
        #expect(data[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0x4C, 0, 1, 2, 3]))
        #expect((data[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue == true)
        #expect(data[CBAdvertisementDataIsConnectable] as? Bool == true)
        #expect(data[CBAdvertisementDataOverflowServiceUUIDsKey] == nil)
      }
    }

    @Test("TUT-01: a device whose object nobody keeps is let go")
    func droppedObject() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(Self.lamp)
        let recorder = WeakRecorder()
        let manager = CBCentralManager(recorder, on: world.radio)
        try await world.run(for: .seconds(1))
        manager.scanForPeripherals(withServices: nil)
        try await world.run(for: .seconds(5))
        #expect(recorder.heard > 0)
        #expect(!device.isConnected)
        #expect(recorder.connected == 0)
        withExtendedLifetime(manager) {}
      }
    }

    @Test("TUT-02: each power of the radio is a state, and the delegate hears it with the scan already over")
    func states() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.lamp)
        let bench = try await Bench(world, to: "Lamp")
        bench.manager.scanForPeripherals(withServices: nil)
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        #expect(bench.manager.state == .poweredOff)
        #expect(!bench.manager.isScanning)
        #expect(bench.peripheral.state == .disconnected)
        #expect(bench.recorder.take().contains("state poweredOff"))
        world.radioPower(true)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take().last == "state poweredOn")
      }
      let powers: [(RadioState.Power, Int)] = [
        (.unknown, 0), (.resetting, 1), (.unsupported, 2), (.unauthorized, 3), (.poweredOff, 4), (.poweredOn, 5),
      ]
      #expect(powers.count == RadioState.Power.allCases.count)
      for (_, number) in powers { #expect(CBManagerState(rawValue: number) != nil) }
    }

    @Test("TUT-02: the properties have the values of the declaration, and Apple's two more")
    func properties() {
      let all: [CBCharacteristicProperties] = [
        .broadcast, .read, .writeWithoutResponse, .write, .notify, .indicate, .authenticatedSignedWrites,
        .extendedProperties, .notifyEncryptionRequired, .indicateEncryptionRequired,
      ]
      #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
    }

    @Test("the delegate is called on the queue that the app gave, and can say so")
    func queue() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.lamp)
        let queue = DispatchQueue(label: "app")
        let recorder = Recorder()
        recorder.onEvent = { _ in dispatchPrecondition(condition: .onQueue(queue)) }
        let manager = CBCentralManager(
          delegate: recorder,
          queue: queue,
          options: [CBManagerOptionRadioKey: world.radio]
        )
        try await world.run(for: .seconds(1))
        manager.scanForPeripherals(withServices: nil)
        try await world.run(for: .seconds(1))
        #expect(Set(recorder.events) == ["state poweredOn", "heard Lamp"])
      }
    }

    @Test("a link that is lost ends what runs on it, then the connection, with Apple's codes")
    func lostLink() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(Self.lamp)
        let bench = try await Bench(world, to: "Lamp")
        try await bench.discoverAll()
        device.moveOutOfRange()
        bench.peripheral.readValue(for: try bench.characteristic("FFE1"))
        try await world.run(for: .seconds(60))
        #expect(bench.recorder.take() == ["value FFE1 failed", "disconnected disconnected failed"])
        for error in bench.recorder.errors {
          #expect((error as? CBError)?.code == .connectionTimeout)
          #expect((error as NSError).domain == CBErrorDomain)
          #expect((error as NSError).code == 6)
        }
      }
    }

    @Test("an ATT error is a CBATTError, also one that has no name")
    func attErrors() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(
          .custom(name: "Mule") { mule in
            mule.services = [
              VirtualDevice.Service(
                ServiceID("FFE0"),
                characteristics: [
                  VirtualDevice.Characteristic("FFE1", .write),
                  VirtualDevice.Characteristic(
                    "FFE2",
                    .read,
                    onRead: { _ throws(ATTErrorCode) in throw ATTErrorCode(rawValue: 0x80) }
                  ),
                ]
              )
            ]
          }
        )
        let bench = try await Bench(world, to: "Mule")
        try await bench.discoverAll()
        bench.peripheral.readValue(for: try bench.characteristic("FFE1"))
        bench.peripheral.readValue(for: try bench.characteristic("FFE2"))
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["value FFE1 failed", "value FFE2 failed"])
        do {
          throw bench.recorder.errors[0]
        } catch CBATTError.readNotPermitted {
        } catch { Issue.record("not the error that was expected: \(error)") }
        #expect((bench.recorder.errors[1] as NSError).code == 0x80)
        #expect((bench.recorder.errors[1] as NSError).domain == "CBATTErrorDomain")
      }
    }

    @Test("included services are found, with what is in them")
    func includedServices() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.lamp)
        let bench = try await Bench(world, to: "Lamp")
        try await bench.discoverAll()
        let service = try #require(bench.peripheral.services?.first)
        bench.peripheral.discoverIncludedServices(nil, for: service)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == [#"included ["FFE9"]"#])
        let included = try #require(service.includedServices?.first)
        #expect(!included.isPrimary)
        bench.peripheral.discoverCharacteristics([CBUUID(string: "FFEA")], for: included)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == [#"characteristics ["FFEA"]"#])
      }
    }

    @Test("attributes keep their objects when they are discovered again")
    func identity() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.lamp)
        let bench = try await Bench(world, to: "Lamp")
        try await bench.discoverAll()
        let (service, characteristic) = (bench.peripheral.services?.first, try bench.characteristic("FFE1"))
        try await bench.discoverAll()
        #expect(bench.peripheral.services?.first === service)
        #expect(try bench.characteristic("FFE1") === characteristic)
        let again = bench.manager.retrievePeripherals(withIdentifiers: [bench.peripheral.identifier, UUID()])
        #expect(again.count == 1)
        #expect(again.first === bench.peripheral)
        let uuid = CBUUID(string: "0000FFE0-0000-1000-8000-00805F9B34FB")
        #expect(bench.manager.retrieveConnectedPeripherals(withServices: [uuid]).first === bench.peripheral)
      }
    }

    @Test("writes without response all arrive in order, and the app hears when there is room again")
    func flowControl() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(Self.lamp)
        let bench = try await Bench(world, to: "Lamp")
        try await bench.discoverAll()
        let characteristic = try bench.characteristic("FFE3")
        var sent: UInt8 = 0
        let peripheral = bench.peripheral
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 244)
        func fill() {
          while sent < 200, peripheral.canSendWriteWithoutResponse {
            peripheral.writeValue(Data([sent]), for: characteristic, type: .withoutResponse)
            sent += 1
          }
        }
        bench.recorder.onEvent = { if $0 == "ready" { fill() } }
        fill()
        #expect(sent < 200)
        try await world.run(for: .seconds(10))
        #expect(device.written(to: "FFE3") == (0..<200).map { [$0] })
      }
    }

    @Test("an indication is subscribed to like a notification; a refusal leaves it off")
    func subscriptions() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(Self.lamp)
        let bench = try await Bench(world, to: "Lamp")
        try await bench.discoverAll()
        bench.peripheral.setNotifyValue(true, for: try bench.characteristic("FFE4"))
        bench.peripheral.setNotifyValue(true, for: try bench.characteristic("FFE1"))
        try await world.run(for: .seconds(1))
        #expect(Set(bench.recorder.take()) == ["notifying true", "notifying false failed"])
        #expect(try bench.characteristic("FFE4").isNotifying)
        try device.notify([5], of: "FFE4")
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["value FFE4"])
      }
    }

    @Test("F05: a connect that is given up before the device was heard ends at once")
    func cancelPending() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(Self.lamp)
        let bench = try await Bench(world, to: "Lamp")
        bench.manager.cancelPeripheralConnection(bench.peripheral)
        try await world.run(for: .seconds(1))
        device.moveOutOfRange()
        bench.manager.connect(bench.peripheral)
        try await world.run(for: .seconds(30))
        #expect(bench.peripheral.state == .connecting)
        bench.manager.cancelPeripheralConnection(bench.peripheral)
        try await world.settle()
        #expect(bench.recorder.take() == ["disconnected disconnected", "disconnected disconnected"])
        device.moveIntoRange()
        try await world.run(for: .seconds(10))
        #expect(!device.isConnected)
        #expect(bench.recorder.take().isEmpty)
      }
    }

    @Test("commands without a connection or power are logged and do nothing")
    func misuse() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.lamp)
        let bench = try await Bench(world, to: "Lamp")
        bench.manager.cancelPeripheralConnection(bench.peripheral)
        bench.peripheral.discoverServices(nil)
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        _ = bench.recorder.take()
        bench.manager.scanForPeripherals(withServices: nil)
        bench.peripheral.readRSSI()
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take().isEmpty)
        #expect(!bench.manager.isScanning)
      }
    }

    @Test("TUT-05: one central holds seven devices at once")
    func sevenDevices() async throws {
      try await World.simulated(seed: 1) { world in
        for number in 1...7 { world.add(.heartRateBand(name: "Band \(number)")) }
        let recorder = Recorder()
        let manager = CBCentralManager(recorder, on: world.radio)
        try await world.run(for: .seconds(1))
        manager.scanForPeripherals(withServices: [CBUUID(string: "180D")])
        try await world.run(for: .seconds(10))
        #expect(recorder.peripherals.count == 7)
        for peripheral in recorder.peripherals { manager.connect(peripheral) }
        try await world.run(for: .seconds(30))
        #expect(recorder.peripherals.allSatisfy { $0.state == .connected })
      }
    }

    @Test("TUT-05: a device that stops advertising when it is connected can not be reached by a second central")
    func secondCentral() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.lamp)
        let first = try await Bench(world, to: "Lamp")
        let recorder = Recorder()
        let second = CBCentralManager(recorder, on: world.makeRadio())
        try await world.run(for: .seconds(1))
        second.scanForPeripherals(withServices: nil)
        let known = try #require(second.retrievePeripherals(withIdentifiers: [first.peripheral.identifier]).first)
        second.connect(known)
        try await world.run(for: .seconds(30))
        #expect(recorder.peripherals.isEmpty)
        #expect(known.state == .connecting)
        first.manager.cancelPeripheralConnection(first.peripheral)
        try await world.run(for: .seconds(10))
        #expect(known.state == .connected)
      }
    }
  }

  /// Connects to what it hears and keeps nothing.
  private final class WeakRecorder: NSObject, CBCentralManagerDelegate {
    var heard = 0
    var connected = 0

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}

    func centralManager(
      _ central: CBCentralManager,
      didDiscover peripheral: CBPeripheral,
      advertisementData: [String: Any],
      rssi RSSI: NSNumber
    ) {
      heard += 1
      central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { connected += 1 }
  }
#endif
