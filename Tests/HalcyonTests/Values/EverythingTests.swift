import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Everything of a device at once", .reportsWorlds)
struct EverythingTests {
  @Test(
    "HM-03, HM-06: one call connects, discovers, subscribes wherever it may, reads once, and delivers all in one place"
  )
  func everything() async throws {
    try await Stage.run(Tool.describe) { stage in
      let device = try await stage.central.connectToEverything(of: stage.device.id)
      #expect(!device.wasConnected)
      #expect(device.peripheral.state.isReady)
      #expect(device.services.map(\.uuid).contains("FFC0"))
      // The service-change characteristic of the device itself is among them.
      #expect(Set(device.subscribed.map(\.uuid)).isSuperset(of: ["FFF1", "FFF5", "FFC1", "FFC4"]))
      #expect(device.refusals.isEmpty)
      try stage.device.device.notify([6], of: "FFC4")
      try stage.device.device.notify([7], of: "FFF5")
      try await stage.world.run(for: .seconds(3))
      await device.peripheral.disconnect()

      var all: [ReceivedValue] = []
      for try await value in device { all.append(value) }
      #expect(all.allSatisfy { $0.peripheral == device.peripheral })
      let reads = all.filter { $0.origin == .read }
      #expect(Set(reads.map { $0.characteristic.uuid }) == ["FFF1", "FFC4"])
      #expect(reads.count == 2)
      #expect(
        try all.filter { $0.origin == .notification }.compactMap { try $0.value(of: .toolState) }
          == [6]
      )
      #expect(try all.compactMap { try $0.value(of: .alarm) } == [7])
      let counts = try all.filter { $0.origin == .notification }.compactMap {
        try $0.value(of: .count)
      }
      #expect(counts == Array(1...UInt32(counts.count)) && counts.count >= 2)
    }
  }

  @Test("HM-03: the outcome tells whether it was connected before, and what the device has refused")
  func outcome() async throws {
    try await Stage.run(Tool.describe) { stage in
      let peripheral = try await stage.connected()
      _ = try await peripheral.services()
      stage.device.onRequest { request in
        if request.kind == .read, request.characteristic == "FFC4" {
          return .error(.readNotPermitted)
        }
        return request.isSubscription && request.characteristic == "FFC1"
          ? .error(.insufficientResources) : .normal
      }
      let device = try await stage.central.connectToEverything(of: peripheral.id)
      #expect(device.wasConnected)
      #expect(device.peripheral == peripheral)
      #expect(
        Dictionary(grouping: device.refusals) { $0.characteristic.uuid }.mapValues {
          $0.map(\.error.kind)
        }
          == ["FFC4": [.att(.readNotPermitted)], "FFC1": [.att(.insufficientResources)]]
      )
      #expect(!device.subscribed.map(\.uuid).contains("FFC1"))
    }
  }

  @Test(
    "HM-03, F12: if it fails on the way, the connection that it has made is closed; one from before stays"
  )
  func failure() async throws {
    try await Stage.run { stage in
      stage.device.onRequest { $0.kind == .readByGroupType ? .never : .normal }
      await expectError(.timedOut) {
        try await stage.central.connectToEverything(of: stage.device.id, timeout: .seconds(5))
      }
      try await stage.settle()
      #expect(!stage.device.isConnected)
      stage.device.onRequest(nil)
      let peripheral = try await stage.connected()
      stage.device.onRequest { $0.kind == .readByGroupType ? .never : .normal }
      await expectError(.timedOut) {
        try await stage.central.connectToEverything(of: stage.device.id, timeout: .seconds(5))
      }
      #expect(peripheral.state.isReady)
    }
  }

  @Test("HM-06: what comes goes on after a reconnect, each value once")
  func reconnect() async throws {
    try await Stage.run { stage in
      let device = try await stage.central.connectToEverything(of: stage.device.id)
      try await stage.world.run(for: .seconds(2))
      stage.device.disconnect()
      try await stage.settle()
      try await stage.central.connect(to: device.peripheral)
      try await stage.world.run(for: .seconds(2))
      await device.peripheral.disconnect()
      var counts: [UInt32] = []
      for try await value in device where value.origin == .notification {
        if let count = try value.value(of: .count) { counts.append(count) }
      }
      #expect(counts == Array(1...UInt32(stage.device.sent.count)))
      #expect(counts.count >= 3)
    }
  }

  @Test("HM-05, HM-06: the list of connected devices is live, and keeps none of them")
  func connectedList() async throws {
    try await Stage.run { stage in
      let other = stage.world.add(.counting(name: "Other"))
      let lists = Received<[PeerID]>()
      let task = Task {
        for await list in stage.central.connectedUpdates { await lists.add(list.map(\.id)) }
      }
      let ends = Received<PeerID>()
      let events = Task {
        for await event in stage.central.connectionEvents {
          if case .disconnected(let peripheral, _) = event { await ends.add(peripheral.id) }
        }
      }
      try await stage.settle()
      do {
        let first = try await stage.connected()
        try await stage.settle()
        let second = try await stage.connected(other.id)
        try await stage.settle()
        #expect(stage.central.connected == [first, second])
        stage.device.disconnect()
        try await stage.settle()
        #expect(stage.central.connected == [second])
        #expect(await ends.all == [stage.device.id])
      }
      try await stage.world.run(for: .seconds(2))
      #expect(stage.central.connected.isEmpty)
      #expect(!other.isConnected)
      #expect(
        await lists.all == [[], [stage.device.id], [stage.device.id, other.id], [other.id], []]
      )
      task.cancel()
      events.cancel()
    }
  }

  @Test("OK-09: disconnecting is awaited, and changes of all peripherals come in one stream")
  func connectionChanges() async throws {
    try await Stage.run { stage in
      let other = stage.world.add(.counting(name: "Other"))
      let seen = Received<String>()
      let task = Task {
        for await event in stage.central.connectionEvents {
          let name = event.peripheral.id == other.id ? "other" : "first"
          switch event {
          case .connected: await seen.add("\(name) +")
          case .disconnected(_, let error):
            await seen.add("\(name) - \(error.map { "\($0.kind)" } ?? "asked")")
          default: break
          }
        }
      }
      try await stage.settle()
      let first = try await stage.connected()
      let second = try await stage.connected(other.id)
      await first.disconnect()
      #expect(!stage.device.isConnected)
      #expect(first.state.isDisconnected)
      other.disconnect()
      try await stage.settle()
      #expect(await seen.all == ["first +", "other +", "first - asked", "other - disconnected"])
      #expect(second.lastError?.kind == .disconnected)
      task.cancel()
    }
  }
}
