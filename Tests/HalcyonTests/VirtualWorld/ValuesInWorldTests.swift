import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Streams of values on the whole stack", .reportsWorlds)
struct ValuesInWorldTests {
  @Test("F16: values that a device sends before its reply to the subscription are delivered, also when it comes late")
  func valuesBeforeReply() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      for answer in [
        VirtualDevice.Answer.notifyFirst([1, 0, 0, 0], then: .normal),
        .notifyFirst([1, 0, 0, 0], then: .after(.seconds(5))),
        .after(.seconds(2), then: .notifyFirst([1, 0, 0, 0])),
      ] {
        stage.device.onRequest { $0.isSubscription ? answer : .normal }
        var first: UInt32?
        for try await value in peripheral.values(of: .count) {
          first = value
          break
        }
        #expect(first == 1)
        stage.device.onRequest(nil)
        try await stage.settle()
        #expect(stage.device.subscriberCount(of: "FFF1") == 0)
      }
    }
  }

  @Test("F20, F21: readers share a subscription, each gets each value once, and the last one ends it at the device")
  func sharedSubscription() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      let subscriptions = Tally()
      stage.device.onRequest { request in
        if request.isSubscription { subscriptions.add() }
        return .normal
      }
      let readers = [Received<UInt32>(), Received<UInt32>(), Received<UInt32>()]
      let tasks = readers.map { reader in
        Task { for try await value in peripheral.values(of: .count) { await reader.add(value) } }
      }
      try await stage.world.run(for: .milliseconds(5500))
      #expect(subscriptions.count == 1)
      for reader in readers { #expect(await reader.all == [1, 2, 3, 4, 5]) }
      tasks[0].cancel()
      _ = await tasks[0].result
      try await stage.world.run(for: .seconds(3))
      #expect(subscriptions.count == 1)
      #expect(await readers[0].all.count == 5)
      #expect(await readers[1].all == [1, 2, 3, 4, 5, 6, 7, 8])
      tasks[1].cancel()
      tasks[2].cancel()
      try await stage.settle()
      #expect(subscriptions.count == 2)
      #expect(stage.device.subscriberCount(of: "FFF1") == 0)
      let sent = stage.device.sent.count
      try await stage.world.run(for: .seconds(10))
      #expect(stage.device.sent.count == sent)
    }
  }

  @Test("F20: a reader that begins just while the last one leaves is served", arguments: 0..<12)
  func handover(step: Int) async throws {
    try await Stage.run(every: .milliseconds(20)) { stage in
      let peripheral = try await stage.connected()
      let first = Task { for try await _ in peripheral.values(of: .count) {} }
      try await stage.world.run(for: .seconds(1))
      first.cancel()
      try await stage.world.run(for: .milliseconds(step * 10))
      var count = 0
      for try await _ in peripheral.values(of: .count, timeout: .seconds(5)) {
        count += 1
        if count == 20 { break }
      }
      try await stage.settle()
      #expect(stage.device.subscriberCount(of: "FFF1") == 0)
    }
  }

  @Test("F22: a subscription that the device refuses throws its ATT error, for every reader, and can be tried again")
  func refusedSubscription() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      stage.device.onRequest { $0.isSubscription ? .after(.seconds(1), then: .error(.insufficientResources)) : .normal }
      let tasks = (0..<2).map { _ in Task { for try await _ in peripheral.values(of: .count) {} } }
      for task in tasks { await expectError(.att(.insufficientResources)) { try await task.value } }
      await expectError(.notPermitted) { for try await _ in peripheral.values(of: .setting) {} }
      stage.device.onRequest(nil)
      for try await value in peripheral.values(of: .count) {
        #expect(value == 1)
        break
      }
    }
  }

  @Test("F23, F24: reads end with their own replies while the characteristic notifies, before and between")
  func readsWhileNotifying() async throws {
    try await Stage.run(every: .milliseconds(50)) { stage in
      let peripheral = try await stage.connected()
      let reader = Received<UInt32>()
      let task = Task { for try await value in peripheral.values(of: .count) { await reader.add(value) } }
      try await stage.world.run(for: .seconds(1))
      stage.device.onRequest { request in
        guard request.kind == .read, request.characteristic == "FFF1" else { return .normal }
        return .notifyFirst([0xFF, 0xFF, 0xFF, 0xFF], then: .raw([0x0B, 0x2A, 0, 0, 0]))
      }
      for _ in 0..<20 { #expect(try await peripheral.read(.count) == 42) }
      task.cancel()
      try await stage.settle()
      let all = await reader.all
      #expect(all.filter { $0 == .max }.count == 20)
      #expect(!all.contains(42))
      let counts = all.filter { $0 != .max }
      #expect(counts == Array(1...UInt32(counts.count)))
    }
  }

  @Test("F25: values that are read late keep their own bytes, each in its order")
  func lateReader() async throws {
    try await Stage.run(every: .milliseconds(10)) { stage in
      let peripheral = try await stage.connected()
      let clock = stage.world.clock
      var values: [UInt32] = []
      for try await value in peripheral.values(of: .count) {
        values.append(value)
        if values.count == 1 { try await clock.sleep(for: .seconds(20)) }
        if values.count == 1500 { break }
      }
      #expect(values == Array(1...1500))
    }
  }

  @Test("Indications are delivered and confirmed, one after the other, none lost")
  func indications() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      let reader = Received<UInt8>()
      let task = Task { for try await value in peripheral.values(of: .alarm) { await reader.add(value) } }
      try await stage.world.run(for: .seconds(1))
      #expect(stage.device.subscriberCount(of: "FFF5") == 1)
      for value in 1...100 as ClosedRange<UInt8> { try stage.device.device.notify([value], of: "FFF5") }
      try await stage.world.run(for: .seconds(30))
      #expect(await reader.all == Array(1...100))
      #expect(stage.device.isConnected)
      task.cancel()
    }
  }

  @Test("F35: one UUID in two services: reads, writes and subscriptions go to the handle that is meant")
  func sameUUIDTwice() async throws {
    let twice: @Sendable (inout VirtualDevice.Description) -> Void = { description in
      description.services.append(
        VirtualDevice.Service(
          "FFE1",
          characteristics: [
            VirtualDevice.Characteristic("FFF1", .notify, every: .seconds(1)) { _ in [0, 0, 0, 1] }
          ]
        )
      )
    }
    try await Stage.run(every: .seconds(1), twice) { stage in
      let peripheral = try await stage.connected()
      #expect(try await peripheral.read(.setting) == 7)
      #expect(try await peripheral.read(.otherSetting) == 9)
      try await peripheral.write(1, to: .otherSetting)
      #expect(try await peripheral.read(.setting) == 7)
      #expect(try await peripheral.read(.otherSetting) == 1)
      let other = Characteristic<UInt32>("FFF1", in: "FFE1")
      let (first, second) = (Received<UInt32>(), Received<UInt32>())
      let tasks = [
        Task { for try await value in peripheral.values(of: .count) { await first.add(value) } },
        Task { for try await value in peripheral.values(of: other) { await second.add(value) } },
      ]
      try await stage.world.run(for: .milliseconds(4500))
      tasks[0].cancel()
      try await stage.world.run(for: .seconds(4))
      tasks[1].cancel()
      #expect(await first.all == [1, 2, 3, 4])
      #expect(await second.all == Array(repeating: 0x0100_0000, count: 8))
    }
  }

  @Test("PLX-07, LBT-06: services all or by filter, characteristics by name, found once per connection")
  func discovery() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      let requests = Tally()
      stage.device.onRequest { request in
        if [.readByGroupType, .findByTypeValue, .readByType, .findInformation].contains(request.kind) {
          requests.add()
        }
        return .normal
      }
      let some = try await peripheral.services(["FFE0", "AAAA"])
      #expect(some.map(\.uuid) == ["FFE0"])
      #expect(some[0].characteristics.map(\.uuid) == ["FFF2"])
      let all = try await peripheral.services()
      #expect(all.map(\.uuid) == ["1800", "1801", "FFF0", "FFE0"])
      #expect(all[2].characteristics.map(\.uuid) == ["FFF1", "FFF2", "FFF3", "FFF4", "FFF5"])
      let asked = requests.count
      #expect(asked > 0)
      _ = try await peripheral.services()
      #expect(try await peripheral.read(.setting) == 7)
      #expect(requests.count == asked)
      await expectError(.serviceNotFound) { try await peripheral.read(Characteristic<UInt8>("FFF2", in: "AAAA")) }
      await expectError(.characteristicNotFound) {
        try await peripheral.read(Characteristic<UInt8>("AAAA", in: "FFF0"))
      }
    }
  }

  @Test("F38: after Service Changed a stream discovers and subscribes anew and goes on, or ends if its service is gone")
  func serviceChanged() async throws {
    try await Stage.run { stage in
      let (device, peripheral) = (stage.device, try await stage.connected())
      let generic = try #require(try await peripheral.services(["1801"]).first)
      let changed = try #require(generic.characteristics.first { $0.uuid == "2A05" }?.handle)
      let low = UInt8(truncatingIfNeeded: changed.rawValue)
      let reader = Received<UInt32>()
      let task = Task { for try await value in peripheral.values(of: .count) { await reader.add(value) } }
      try await stage.world.run(for: .milliseconds(3500))
      let (subscriptions, discoveries) = (Tally(), Tally())
      device.onRequest { request in
        if request.isSubscription { subscriptions.add() }
        if [.readByGroupType, .findByTypeValue].contains(request.kind) { discoveries.add() }
        return .normal
      }
      device.sendRaw([0x1D, low, 0, 0x01, 0x00, 0xFF, 0xFF])
      try await stage.world.run(for: .seconds(10))
      #expect(subscriptions.count > 0)
      #expect(discoveries.count > 0)
      let all = await reader.all
      #expect(all.count >= 11)
      #expect(all == Array(1...UInt32(all.count)))

      device.onRequest { request in
        [.readByGroupType, .findByTypeValue].contains(request.kind) ? .error(.attributeNotFound) : .normal
      }
      device.sendRaw([0x1D, low, 0, 0x01, 0x00, 0xFF, 0xFF])
      await expectError(.serviceNotFound) { try await task.value }
      #expect(device.isConnected)
    }
  }

  @Test("LBT-05: values have types; none, too few and long ones of a device are told apart")
  func typedValues() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      #expect(try await peripheral.read(.long) == CountingDevice.longValue)
      try stage.device.device.set([1, 2], of: "FFF1")
      await expectError(.undecodable) { try await peripheral.read(.count) }
      try stage.device.device.set([], of: "FFF1")
      await expectError(.empty) { try await peripheral.read(.count) }
      await expectError(.empty) { try await peripheral.write([], to: .bulk) }
      #expect(try await peripheral.read(.setting) == 7)
    }
  }
}
