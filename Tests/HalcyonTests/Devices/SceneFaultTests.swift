import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("What scenes let go wrong, in worlds", .reportsWorlds)
struct SceneFaultsInWorldTests {
  /// The device and the central of one test.
  private struct Stage: Sendable {
    let world: World
    let device: VirtualDevice
    let central: Central

    func connect() async throws -> Peripheral { try await central.connect(to: PeerID(device.address)) }

    func wait(until seconds: Int64) async throws {
      try await world.run(for: .seconds(seconds) - world.now.sinceStart)
    }

    /// What a read ends with; `nil` if it ends well.
    func failureOfRead(_ peripheral: Peripheral) async -> BluetoothError? {
      await bluetoothError { _ = try await peripheral.read(Echo.value, timeout: .never) }
    }
  }

  /// Plays a scene with one device, one value and these faults.
  private func play(
    _ faults: String,
    radios: String = "[]",
    properties: String = "[\"read\", \"write\", \"notify\"]",
    permissions: String? = nil,
    _ body: @escaping @Sendable (Stage) async throws -> Void
  ) async throws {
    let permissions = permissions.map { ", \"permissions\": \($0)" } ?? ""
    let scene = try VirtualRadio.Scene(
      """
      { "devices": [
          { "name": "Echo", "advertising": { "services": ["\(Echo.service.uuid)"] },
            "services": [{ "uuid": "\(Echo.service.uuid)", "characteristics": [
              { "uuid": "\(Echo.uuid)", "properties": \(properties)\(permissions), "value": [1, 2, 3] }] }],
            "faults": [\(faults)] }],
        "radios": \(radios) }
      """
    )
    try await World.simulated(seed: 1) { world in
      let device = try #require(world.load(scene: scene).first)
      let central = Central(radio: world.radio)
      try await central.ready()
      try await body(Stage(world: world, device: device, central: central))
    }
  }

  @Test("F43: dropLink ends the link in its time, with its reason or without a word", arguments: [true, false])
  func dropLink(hasReason: Bool) async throws {
    try await play("{ \"dropLink\": { \(hasReason ? "\"reason\": 19" : "") }, \"at\": 20 }") { stage in
      let peripheral = try await stage.connect()
      for await state in peripheral.states where state.isDisconnected { break }
      let time = stage.world.now.sinceStart
      #expect(time >= .seconds(20) && (time < .milliseconds(20_100)) == hasReason && time < .seconds(30))
    }
  }

  @Test("F43: dropLink with the nth packet")
  func dropLinkAtPacket() async throws {
    try await play("{ \"dropLink\": { \"reason\": 19 }, \"at\": { \"packet\": 3 } }") { stage in
      let peripheral = try await stage.connect()
      #expect(await stage.failureOfRead(peripheral)?.kind == .disconnected)
    }
  }

  @Test(
    "F43: losePackets makes a link end by its timeout where all are lost for long",
    arguments: ["sent", "received"]
  )
  func losePackets(direction: String) async throws {
    try await play("{ \"losePackets\": 1, \"direction\": \"\(direction)\", \"at\": 10, \"for\": 60 }") { stage in
      let peripheral = try await stage.connect()
      #expect(await stage.failureOfRead(peripheral) == nil)
      try await stage.wait(until: 11)
      #expect(await stage.failureOfRead(peripheral)?.kind == .disconnected)
      try await stage.wait(until: 75)
      #expect(await stage.failureOfRead(try await stage.connect()) == nil)
    }
  }

  @Test("F43: delayPackets makes answers late for its time")
  func delayPackets() async throws {
    try await play("{ \"delayPackets\": 2, \"at\": 10, \"for\": 20 }") { stage in
      let peripheral = try await stage.connect()
      _ = try await peripheral.services()
      try await stage.wait(until: 11)
      let start = stage.world.now
      #expect(await stage.failureOfRead(peripheral) == nil)
      #expect(start.duration(to: stage.world.now) > .seconds(4))
      try await stage.wait(until: 40)
      let later = stage.world.now
      #expect(await stage.failureOfRead(peripheral) == nil)
      #expect(later.duration(to: stage.world.now) < .seconds(1))
    }
  }

  @Test("F43: powerOff and outOfRange take the device away for their time", arguments: ["powerOff", "outOfRange"])
  func away(key: String) async throws {
    try await play("{ \"\(key)\": true, \"at\": 10, \"for\": 100 }") { stage in
      let peripheral = try await stage.connect()
      for await state in peripheral.states where state.isDisconnected { break }
      #expect(stage.world.now.sinceStart > .seconds(10) && stage.world.now.sinceStart < .seconds(20))
      #expect(stage.device.isPoweredOn == (key == "outOfRange"))
      _ = try await stage.central.connect(to: PeerID(stage.device.address), timeout: .never)
      #expect(stage.world.now.sinceStart > .seconds(110) && stage.world.now.sinceStart < .seconds(120))
    }
  }

  @Test("stopAdvertising hides the device for its time")
  func stopAdvertising() async throws {
    try await play("{ \"stopAdvertising\": true, \"for\": 30 }") { stage in
      _ = try await stage.central.scan(for: [Echo.service], timeout: .never).first { _ in true }
      #expect(stage.world.now.sinceStart >= .seconds(30) && stage.world.now.sinceStart < .seconds(32))
    }
  }

  @Test("changeAddress makes another device of it, with the address that is given or one by chance")
  func changeAddress() async throws {
    let given = "C0:00:00:00:00:08"
    try await play("{ \"changeAddress\": \"\(given)\", \"at\": 10 }, { \"changeAddress\": true, \"at\": 20 }") {
      stage in
      let first = stage.device.address
      try await stage.wait(until: 11)
      #expect(stage.device.address == BluetoothAddress(given, .random))
      #expect(await stage.failureOfRead(try await stage.connect()) == nil)
      try await stage.wait(until: 30)
      #expect(![first, BluetoothAddress(given, .random)].contains(stage.device.address))
      #expect(await stage.failureOfRead(try await stage.connect()) == nil)
    }
  }

  @Test("F38: changeDatabase puts other services in the place of the old ones", arguments: [true, false])
  func changeDatabase(isAnnounced: Bool) async throws {
    let fault = """
      { "changeDatabase": { "isAnnounced": \(isAnnounced), "services": [{ "uuid": "\(Echo.service.uuid)",
        "characteristics": [{ "uuid": "\(Echo.uuid)", "properties": ["read"], "value": [9] }] }] }, "at": 10 }
      """
    try await play(fault) { stage in
      var peripheral = try await stage.connect()
      #expect(try await peripheral.read(Echo.value) == [1, 2, 3])
      try await stage.wait(until: 20)
      #expect(peripheral.state.isDisconnected == !isAnnounced)
      if !isAnnounced { peripheral = try await stage.connect() }
      #expect(try await peripheral.read(Echo.value) == [9])
    }
  }

  @Test("refuse, garbage and disconnect spoil as many requests as they say, after those that they skip")
  func requests() async throws {
    let faults = """
      { "refuse": { "kind": "read", "characteristic": "\(Echo.uuid)", "error": 8, "times": 2, "skipping": 1 } },
      { "garbage": { "kind": "write", "characteristic": "\(Echo.uuid)", "bytes": [255, 0, 1], "times": 1 } },
      { "disconnect": { "kind": "write", "characteristic": "\(Echo.uuid)", "times": 1 } }
      """
    try await play(faults) { stage in
      let peripheral = try await stage.connect()
      #expect(await stage.failureOfRead(peripheral) == nil)
      for _ in 0..<2 { #expect(await stage.failureOfRead(peripheral)?.attCode == .insufficientAuthorization) }
      #expect(await stage.failureOfRead(peripheral) == nil)
      let garbled = await bluetoothError { try await peripheral.write([1], to: Echo.value, timeout: .never) }
      #expect(garbled != nil)
      let again = peripheral.state.isReady ? peripheral : try await stage.connect()
      #expect(await bluetoothError { try await again.write([2], to: Echo.value, timeout: .never) } != nil)
      try await stage.world.run(for: .seconds(2))
      let last = try await stage.connect()
      try await last.write([4], to: Echo.value)
      #expect(stage.device.written(to: Echo.uuid).last == [4])
    }
  }

  @Test("delay answers late, ignore never")
  func lateAndNever() async throws {
    let faults = """
      { "delay": { "kind": "read", "by": 12.5, "times": 1 } }, { "ignore": { "kind": "read", "skipping": 1 } }
      """
    try await play(faults) { stage in
      let peripheral = try await stage.connect()
      _ = try await peripheral.services()
      let start = stage.world.now
      #expect(await stage.failureOfRead(peripheral) == nil)
      let passed = start.duration(to: stage.world.now)
      #expect(passed > .milliseconds(12_500) && passed < .seconds(13))
      #expect(await stage.failureOfRead(peripheral) == nil)
      #expect(await stage.failureOfRead(peripheral)?.kind == .timedOut)
      #expect(start.duration(to: stage.world.now) > .seconds(42))
    }
  }

  @Test("F16: notifyBeforeReply sends its value before the subscription is confirmed")
  func notifyBeforeReply() async throws {
    let fault = "{ \"notifyBeforeReply\": { \"characteristic\": \"\(Echo.uuid)\", \"value\": [7] } }"
    try await play(fault) { stage in
      let peripheral = try await stage.connect()
      #expect(try await peripheral.values(of: Echo.value).first { _ in true } == [7])
    }
  }

  @Test(
    "a client that may not read or write is refused, as the permissions say",
    arguments: [
      ("[]", ATTErrorCode.readNotPermitted, ATTErrorCode.writeNotPermitted),
      ("[\"read\"]", nil, .writeNotPermitted),
      ("[\"write\"]", .readNotPermitted, nil),
      ("[\"encryptedRead\", \"read\", \"write\"]", .insufficientAuthentication, nil),
      ("[\"read\", \"write\", \"encryptedWrite\"]", nil, .insufficientAuthentication),
      (
        "[\"read\", \"authenticatedRead\", \"write\", \"authenticatedWrite\"]", .insufficientAuthentication,
        .insufficientAuthentication
      ),
    ] as [(String, ATTErrorCode?, ATTErrorCode?)]
  )
  func permissions(text: String, read: ATTErrorCode?, write: ATTErrorCode?) async throws {
    try await play("", permissions: text) { stage in
      let peripheral = try await stage.connect()
      #expect(await stage.failureOfRead(peripheral)?.attCode == read)
      let error = await bluetoothError { try await peripheral.write([1], to: Echo.value) }
      #expect(error?.attCode == write)
      #expect((error == nil) == (write == nil))
      #expect(stage.device.written.isEmpty == (write != nil))
    }
  }

  // MARK: One link, and radios

  @Test("a fault with a link strikes that one alone; one of a radio strikes the radio, whenever it comes")
  func links() async throws {
    let faults = """
      { "refuse": { "kind": "read", "error": 8 }, "link": "radio 2" },
      { "dropLink": { "reason": 19 }, "at": 30, "link": "radio" }
      """
    let radios = """
      [{ "name": "radio 2", "faults": [{ "powerOff": true, "at": 60, "for": 10 }] },
       { "name": "radio 3", "faults": [{ "outOfRange": true, "link": "Echo" }] }]
      """
    let scene = try VirtualRadio.Scene(
      """
      { "devices": [
          { "name": "Echo", "advertising": { "services": ["\(Echo.service.uuid)"], "whileConnected": true },
            "services": [{ "uuid": "\(Echo.service.uuid)", "characteristics": [
              { "uuid": "\(Echo.uuid)", "properties": ["read"], "value": [1, 2, 3] }] }],
            "faults": [\(faults)] },
          { "name": "Other", "kind": "lamp" }],
        "radios": \(radios) }
      """
    )
    try await World.simulated(seed: 1) { world in
      let device = try #require(world.load(scene: scene).first)
      let one = Central(radio: world.radio)
      let two = Central(radio: world.makeRadio())
      let first = try await one.connect(to: PeerID(device.address))
      let second = try await two.connect(to: PeerID(device.address))
      #expect(try await first.read(Echo.value) == [1, 2, 3])
      #expect(await bluetoothError { _ = try await second.read(Echo.value) }?.attCode == .insufficientAuthorization)
      for await state in first.states where state.isDisconnected { break }
      #expect(second.state.isReady)
      #expect(world.now.sinceStart >= .seconds(30) && world.now.sinceStart < .seconds(31))
      for await state in second.states where state.isDisconnected { break }
      #expect(world.now.sinceStart >= .seconds(60) && world.now.sinceStart < .seconds(61))
      #expect(one.state == .poweredOn && two.state != .poweredOn)
      try await two.ready(within: .seconds(30))
      #expect(world.now.sinceStart >= .seconds(70))

      let three = Central(radio: world.makeRadio())
      var names: Set<String> = []
      do {
        for try await found in three.scan(timeout: .seconds(20)) {
          names.insert(found.name ?? "")
        }
      } catch {}
      #expect(names.contains("Other") && !names.contains("Echo"))
    }
  }
}
