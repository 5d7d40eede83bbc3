import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Many connections on the whole stack", .reportsWorlds)
struct StormTests {
  @Test("F03, F11: after a thousand connects and disconnects everything still works, and nothing is left behind")
  func thousandConnects() async throws {
    try await Stage.run { stage in
      for round in 0..<1000 {
        let peripheral = try await stage.connected()
        if round % 10 == 0 {
          #expect(try await peripheral.services().count == 4)
          #expect(try await peripheral.read(.setting) == 7)
        }
        switch round % 4 {
        case 0: await peripheral.disconnect()
        case 1:
          stage.device.disconnect()
          for await state in peripheral.states where state.isDisconnected { break }
        case 2:
          stage.device.powerOff()
          stage.device.powerOn()
          for await state in peripheral.states where state.isDisconnected { break }
        default: break  // With the last reference.
        }
      }
      try await stage.world.run(for: .seconds(5))
      try await stage.expectQuiet()
      #expect(stage.device.connectionCount == 0)
      #expect(try await stage.central.scan(for: ["FFF0"]).connect().read(.setting) == 7)
    }
  }

  @Test("F17, F37: after many reconnects a stream has each value once, and the services are there once")
  func reconnects() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      let reader = Received<UInt32>()
      let task = Task { for try await value in peripheral.values(of: .count) { await reader.add(value) } }
      for _ in 0..<100 {
        try await stage.world.run(for: .milliseconds(3500))
        stage.device.disconnect()
        for await state in peripheral.states where state.isDisconnected { break }
        try await stage.central.connect(to: peripheral)
        #expect(try await peripheral.services().count == 4)
      }
      try await stage.world.run(for: .milliseconds(1500))
      let all = await reader.all
      #expect(all == stage.device.sent.all.map(\.count))
      #expect(all.count >= 300)
      task.cancel()
    }
  }

  @Test("Five devices at once, each with traffic of its own kinds: nothing is lost or goes astray, drops are their own")
  func fiveDevices() async throws {
    try await World.simulated(seed: 5) { world in
      let devices = (0..<5).map { world.add(.counting(name: "Counter \($0)", every: .milliseconds(100))) }
      let central = Central(radio: world.radio)
      try await central.ready()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, device) in devices.enumerated() {
          group.addTask {
            let peripheral = try await central.connect(to: device.id)
            let reader = Received<UInt32>()
            let reading = Task { for try await value in peripheral.values(of: .count) { await reader.add(value) } }
            for round in 0..<60 as Range<UInt8> {
              try await peripheral.write(round, to: .setting)
              #expect(try await peripheral.read(.setting) == round)
              for part in 0..<5 as Range<UInt8> { try await peripheral.write([UInt8(index), round, part], to: .log) }
              #expect(try await peripheral.read(.long) == CountingDevice.longValue)
              if round == 30, index == 2 {
                device.disconnect()
                for await state in peripheral.states where state.isDisconnected { break }
                try await central.connect(to: peripheral)
              }
            }
            let expected = (0..<60 as Range<UInt8>).flatMap { round in
              (0..<5 as Range<UInt8>).map { [UInt8(index), round, $0] }
            }
            try await world.run(for: .seconds(1))
            #expect(device.device.written(to: "FFF3") == expected)
            reading.cancel()
            _ = await reading.result
            let all = await reader.all
            let sent = device.sent.all.map(\.count)
            // The last one may have been on its way when the reader left; the drop took what was on its way.
            #expect(Array(sent.prefix(all.count)) == all || index == 2, "device \(index)")
            #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 })
            #expect(sent.count - all.count <= 4)
            #expect(all.count > 10)
            await peripheral.disconnect()
          }
        }
        try await group.waitForAll()
      }
      try await world.run(for: .seconds(1))
      #expect(world.activity(of: world.radio) == ControllerActivity.none)
      #expect(devices.flatMap(\.problems) == [])
    }
  }

  @Test("Two centrals on one radio share a device: one link, one subscription, and each takes only its own away")
  func twoCentrals() async throws {
    try await Stage.run { stage in
      let second = Central(radio: stage.world.radio)
      let subscriptions = Tally()
      stage.device.onRequest { request in
        if request.isSubscription { subscriptions.add() }
        return .normal
      }
      let one = try await stage.connected()
      let two = try await second.connect(to: stage.device.id)
      #expect(stage.device.connectionCount == 1)
      let (first, other) = (Received<UInt32>(), Received<UInt32>())
      let reading = [
        Task { for try await value in one.values(of: .count) { await first.add(value) } },
        Task { for try await value in two.values(of: .count) { await other.add(value) } },
      ]
      try await stage.world.run(for: .milliseconds(4500))
      #expect(subscriptions.count == 1)
      #expect(await first.all == [1, 2, 3, 4])
      #expect(await other.all == [1, 2, 3, 4])

      await one.disconnect()
      await expectError(.disconnected) { try await reading[0].value }
      #expect(one.state.isDisconnected)
      await expectError(.notConnected) { try await one.read(.setting) }
      try await stage.world.run(for: .seconds(3))
      #expect(stage.device.connectionCount == 1)
      #expect(stage.device.subscriberCount(of: "FFF1") == 1)
      #expect(await other.all == [1, 2, 3, 4, 5, 6, 7])
      #expect(await first.all.count == 4)

      // Back, while the other goes.
      try await stage.central.connect(to: one)
      let again = Task { for try await value in one.values(of: .count) { await first.add(value) } }
      try await stage.world.run(for: .seconds(2))
      await two.disconnect()
      await expectError(.disconnected) { try await reading[1].value }
      try await stage.world.run(for: .seconds(2))
      #expect(subscriptions.count == 1)
      #expect(await first.all == [1, 2, 3, 4, 8, 9, 10, 11])
      #expect(try await one.read(.setting) == 7)
      again.cancel()
      await one.disconnect()
      try await stage.expectQuiet()
      #expect(!stage.device.isConnected)
    }
  }

  @Test("A central that goes takes its claims along, also while it connects; the other's stay")
  func centralGoes() async throws {
    try await Stage.run { stage in
      let one = try await stage.connected()
      do {
        let second = Central(radio: stage.world.radio)
        let two = try await second.connect(to: stage.device.id)
        #expect(try await two.read(.setting) == 7)
      }
      try await stage.settle()
      #expect(try await one.read(.setting) == 7)
      await one.disconnect()
      stage.device.moveOutOfRange()
      let task = Task {
        let second = Central(radio: stage.world.radio)
        return try await second.connect(to: stage.device.id, timeout: nil).id
      }
      try await stage.settle()
      #expect(stage.activity?.isConnecting == true)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await stage.expectQuiet()
    }
  }
}
