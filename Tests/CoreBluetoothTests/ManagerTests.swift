#if os(Linux)
  import BluetoothTypes
  @testable import CoreBluetooth
  import Dispatch
  import RadioPort
  import SystemRadio
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("CBManager and the making of a central manager", .reportsWorlds)
  struct ManagerTests {
    @Test("a manager of each initializer begins as unknown, hears its state first, and belongs to the process's radio")
    func initializers() async throws {
      try await World.simulated(seed: 1) { world in
        let recorder = Recorder()
        let manager = CBCentralManager(
          delegate: recorder,
          queue: nil,
          options: [CBManagerOptionRadioKey: world.radio]
        )
        #expect(manager.state == .unknown)
        #expect(manager.delegate === recorder)
        #expect(!manager.isScanning)
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == ["state poweredOn"])
        #expect(manager as CBManager is CBCentralManager)

        // The delegate is not kept, and may be exchanged.
        var other: Recorder? = Recorder()
        manager.delegate = other
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        #expect(other?.take() == ["state poweredOff"])
        #expect(recorder.take().isEmpty)
        other = nil
        #expect(manager.delegate == nil)
      }
      // Without a radio of their own they share that of the process; the tests name none.
      let queue = DispatchQueue(label: "managers")
      let managers = [CBCentralManager(), CBCentralManager(delegate: nil, queue: queue)]
      #expect(managers.allSatisfy { $0.delegate == nil && [.unknown, .unsupported].contains($0.state) })
    }

    @Test("a radio that refuses this program makes the state unauthorized and the authorization denied, there only")
    func authorization() async throws {
      let listener = Misuse.Listener()
      try await World.simulated(seed: 1) { world in
        let recorder = Recorder()
        let radio = UnavailableRadio(executor: world.radio.executor, power: .unauthorized, reason: "ask for it")
        let manager = CBCentralManager(recorder, on: radio)
        #expect((manager as any FormerManager).authorization == .allowedAlways)
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == ["state unauthorized"])
        #expect((manager as any FormerManager).authorization == .denied)
        // What is asked of the class is about the radio of the process.
        #expect(CBManager.authorization == .allowedAlways)
        #expect(CBCentralManager.authorization == .allowedAlways)
        manager.scanForPeripherals(withServices: nil)
        #expect(!manager.isScanning)
        #expect(listener.messages.contains { $0.contains("\(manager)") && $0.contains("powered on state") })
      }
    }

    @Test("a system without a radio says what to do; with the power alert, so does one that is off")
    func alerts() async throws {
      let listener = Misuse.Listener()
      try await World.simulated(seed: 1) { world in
        let recorder = Recorder()
        let none = UnavailableRadio(executor: world.radio.executor, reason: "choose a radio")
        let first = CBCentralManager(recorder, on: none)
        try await world.run(for: .seconds(1))
        #expect(recorder.take() == ["state unsupported"])
        #expect(listener.messages.contains { $0.contains("choose a radio") })

        let off = UnavailableRadio(executor: world.radio.executor, power: .poweredOff, reason: "switched off")
        for isShown in [false, true] {
          let second = CBCentralManager(
            delegate: recorder,
            queue: nil,
            options: [
              CBManagerOptionRadioKey: off, CBCentralManagerOptionShowPowerAlertKey: NSNumber(value: isShown),
              CBCentralManagerOptionDeviceAccessForMedia: true,
            ]
          )
          try await world.run(for: .seconds(1))
          #expect(recorder.take() == ["state poweredOff"])
          let told = listener.messages.filter { $0.contains("\(second): Bluetooth is off") }
          #expect(told.count == (isShown ? 1 : 0))
        }
        #expect(listener.messages.contains { $0.contains("switched off") })
        withExtendedLifetime(first) {}

        // As with a value of HALCYON_RADIO that makes no sense.
        let wrong = UnavailableRadio(executor: world.radio.executor, reason: "it can not be followed")
        let third = CBPeripheralManager(delegate: nil, queue: nil, options: [CBManagerOptionRadioKey: wrong])
        try await world.run(for: .seconds(1))
        #expect(third.state == .unsupported)
        #expect(listener.messages.contains { $0.contains("it can not be followed") })
      }
    }

    @Test("extended scanning is there as soon as a manager's radio with Bluetooth 5 is on")
    func features() async throws {
      try await World.simulated(seed: 1) { world in
        let manager = CBCentralManager(nil, on: world.radio)
        try await world.run(for: .seconds(1))
        #expect(manager.state == .poweredOn)
        #expect(CBCentralManager.supports(.extendedScanAndConnect))
        #expect(CBCentralManager.supports([]))
        #expect(!CBCentralManager.supports(CBCentralManager.Feature(rawValue: 1 << 20)))
      }
    }

    @Test("an option that is no radio, and a text that is no UUID, stop the program and say why")
    func mistakes() async throws {
      let radio = try #require(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          _ = CBCentralManager(delegate: nil, queue: nil, options: [CBManagerOptionRadioKey: "hci0"])
        }
      )
      #expect(String(decoding: radio.standardErrorContent, as: UTF8.self).contains("takes a Radio"))
      let uuid = try #require(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          _ = CBUUID(string: "heart rate")
        }
      )
      #expect(String(decoding: uuid.standardErrorContent, as: UTF8.self).contains("does not represent a valid UUID"))
      await #expect(processExitsWith: .failure) { _ = CBUUID(data: Data([1, 2, 3])) }
    }
  }
#endif
