import BluetoothTypes
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite(
  "Names, signal strength, changes of services, look-ups, and the order of operations",
  .reportsWorlds
)
struct PeripheralStreamTests {
  @Test(
    "OK-11: signal strength comes once and as a stream that starts with the latest, from sightings and readings"
  )
  func rssi() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.central.scan().connect()
      let heard = try #require(peripheral.rssi)
      let readings = Received<Int>()
      let task = Task { for await rssi in peripheral.rssiReadings { await readings.add(rssi) } }
      try await stage.settle()
      #expect(await readings.all == [heard])
      stage.device.move(to: 40)
      let far = try await peripheral.readRSSI()
      #expect(far < heard)
      #expect(peripheral.rssi == far)
      try await stage.settle()
      #expect(await readings.all == [heard, far])
      await peripheral.disconnect()
      stage.device.move(to: 1)
      for try await discovery in stage.central.scan(duplicates: .all)
      where discovery.id == peripheral.id { break }
      try await stage.settle()
      #expect(await readings.all.count >= 3)
      #expect(await readings.all.last == peripheral.rssi)
      task.cancel()
      await task.value
    }
  }

  @Test("PLX-06: the name now and on change")
  func names() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let names = Received<String?>()
      let task = Task { for await name in peripheral.names { await names.add(name) } }
      try await scene.settle()
      let scan = Task { for try await _ in scene.central.scan() {} }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse 2")
      try await scene.settle()
      #expect(await names.all == [nil, "Pulse", "Pulse 2"])
      #expect(peripheral.name == "Pulse 2")
      scan.cancel()
      task.cancel()
    }
  }

  @Test("PLX-06: a name that was read from the device is its name")
  func readName() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      #expect(peripheral.name == nil)
      #expect(try await peripheral.read(Characteristic<String>("2A00", in: "1800")) == "Counter")
      #expect(peripheral.name == "Counter")
    }
  }

  @Test("PLX-06: modified services over time: the change, and what is no longer valid")
  func serviceChanges() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      _ = try await peripheral.services()
      let changes = Received<ServiceChange>()
      let task = Task {
        for await change in peripheral.serviceChanges { await changes.add(change) }
      }
      try await scene.settle()
      await scene.radio.changeServices(to: [])
      try await scene.settle()
      await scene.radio.changeServices(to: Table.services)
      try await scene.settle()
      let all = await changes.all
      #expect(all.count == 2)
      #expect(all.first?.invalidated.map(\.uuid) == Table.services.map(\.uuid))
      #expect(all.last?.invalidated == [])
      #expect(try await peripheral.read(.level) == 80)
      task.cancel()
    }
  }

  @Test(
    "OK-10, F36: characteristics are looked up by name, by UUID alone, by handle and by instance"
  )
  func lookUps() async throws {
    try await Stage.run(Tool.describe) { stage in
      let peripheral = try await stage.connected()
      let state = try await peripheral.characteristic(.toolState)
      #expect(state.properties == [.notify, .read])
      let handle = try #require(state.handle)
      #expect(try await peripheral.characteristic(at: handle).uuid == "FFC4")
      #expect(try await peripheral.read(try await peripheral.characteristic(at: handle)) == [5])
      #expect(try await peripheral.characteristic("FFC4").handle == handle)
      // FFF2 stands in two services.
      let error = await bluetoothError { try await peripheral.characteristic("FFF2") }
      #expect(error?.kind == .ambiguous)
      #expect(Set(error?.choices.map(\.service) ?? []) == ["FFF0", "FFE0"])
      await expectError(.characteristicNotFound) { try await peripheral.characteristic("AAAA") }
      await expectError(.characteristicNotFound) {
        try await peripheral.characteristic(at: AttributeHandle(rawValue: 0xFFF0))
      }
      await expectError(.serviceNotFound) { try await peripheral.characteristic(.noService) }
      let same = try await peripheral.characteristics(matching: .setting)
      #expect(same.count == 1)
      #expect(try await peripheral.read(same[0]) == 7)
      let services = try await peripheral.services(["FFE0"])
      #expect(services.first?.characteristics("FFF2").count == 1)
      await peripheral.disconnect()
      await expectError(.notConnected) { try await peripheral.characteristic("FFC4") }
    }
  }

  @Test("OK-10: UUIDs of 16, 32 and 128 bits read well")
  func uuidTexts() {
    #expect("\(BluetoothUUID("180D"))" == "180D")
    #expect("\(BluetoothUUID("12345678"))" == "12345678")
    #expect(
      "\(BluetoothUUID("a0030001-0000-4000-8000-00805f9b34fb"))"
        == "A0030001-0000-4000-8000-00805F9B34FB"
    )
  }

  @Test(
    "HM-04: the characteristic to send to is picked by its UUID, and data goes without response"
  )
  func picked() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      let target = try await peripheral.characteristic("FFF3")
      try await peripheral.write([1, 2, 3], to: target, type: .withoutResponse)
      try await stage.settle()
      #expect(stage.device.device.written.map(\.value) == [[1, 2, 3]])
      #expect(stage.device.device.written.map(\.withResponse) == [false])
    }
  }

  @Test("OK-12: reads that are called while one runs wait their turn, and each gets its own value")
  func queuedReads() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      stage.device.onRequest {
        $0.kind == .read ? .after(.milliseconds(500), then: .normal) : .normal
      }
      let reads = (0..<4).map { index in
        Task { try await peripheral.read(index.isMultiple(of: 2) ? .setting : .otherSetting) }
      }
      var values: [UInt8] = []
      for read in reads { values.append(try await read.value) }
      #expect(values == [7, 9, 7, 9])
    }
  }

  @Test(
    "Operations of one peripheral go in the order of their calls, also when the first has to discover first"
  )
  func order() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      #expect(try await peripheral.read(.otherSetting) == 9)
      // A command needs no turn at the device and would pass what the host asks for by itself after a discovery.
      try await stage.world.run(for: .seconds(1))
      let seen = Noted<BluetoothUUID>()
      stage.device.onRequest { request in
        if [.read, .write, .writeCommand].contains(request.kind), !request.isSubscription,
          let characteristic = request.characteristic
        {
          seen.add(characteristic)
        }
        return .normal
      }
      let tasks = [
        Task { _ = try await peripheral.read(.setting) },
        Task { _ = try await peripheral.write([1], to: .log) },
        Task { _ = try await peripheral.read(.otherSetting) },
        Task { _ = try await peripheral.write(3, to: .setting) },
      ]
      for task in tasks { try await task.value }
      #expect(seen.all == ["FFF2", "FFF3", "FFF2", "FFF2"])
      #expect(try await peripheral.read(.setting) == 3)
    }
  }

  @Test("An operation that gives up its place lets those behind it go on")
  func givenUpPlace() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      #expect(try await peripheral.read(.level) == 80)
      await scene.radio.set { $0.held = [.discover] }
      let first = Task { try await peripheral.read(.location) }
      try await scene.settle()
      let second = Task { try await peripheral.read(.level) }
      let third = Task {
        await bluetoothError { try await peripheral.read(.level, timeout: .seconds(1)) }
      }
      #expect(await third.value?.kind == .timedOut)
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      #expect(try await second.value == 80)
    }
  }

  @Test("Independent peripherals never wait for each other")
  func independentPeripherals() async throws {
    try await Stage.run { stage in
      let other = stage.world.add(.counting(name: "Other"))
      let slow = try await stage.connected()
      let quick = try await stage.connected(other.id)
      _ = try await slow.services()
      stage.device.onRequest { $0.kind == .read ? .never : .normal }
      let stuck = Task {
        await bluetoothError { try await slow.read(.setting, timeout: .seconds(20)) }
      }
      try await stage.settle()
      let before = stage.world.now
      for _ in 0..<20 { #expect(try await quick.read(.setting) == 7) }
      #expect(before.duration(to: stage.world.now) < .seconds(10))
      #expect(await stuck.value?.kind == .timedOut)
    }
  }
}

/// Takes down what happens, from any closure of a test.
final class Noted<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  var all: [Value] { values.withLock { $0 } }
  func add(_ value: Value) { values.withLock { $0.append(value) } }
}
