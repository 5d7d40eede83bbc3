import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A device that misbehaves on demand", .reportsWorlds)
struct DeviceFaultTests {
  @Test("F16: a notification that goes out before the reply to the subscription is delivered")
  func notifiesFirst() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      device.onRequest { $0.isSubscription ? .notifyFirst([7]) : .normal }
      let peripheral = try await connect(to: device, in: world)
      var values = peripheral.values(of: Echo.value).makeAsyncIterator()
      #expect(try await values.next() == [7])
      try await world.run(for: .seconds(1))
      #expect(device.subscriberCount(of: Echo.uuid) == 1)
      try device.notify([8], of: Echo.uuid)
      #expect(try await values.next() == [8])
    }
  }

  @Test("F22: a subscription that is refused throws the ATT error")
  func refusesSubscription() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      device.onRequest { $0.isSubscription ? .error(.insufficientResources) : .normal }
      let peripheral = try await connect(to: device, in: world)
      let error = await bluetoothError { for try await _ in peripheral.values(of: Echo.value) {} }
      #expect(error?.attCode == .insufficientResources)
    }
  }

  @Test("F23: a read ends with its own reply though the same characteristic notifies first")
  func notifiesDuringRead() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      device.onRequest { $0.kind == .read ? .after(.milliseconds(200), then: .notifyFirst([9])) : .normal }
      let peripheral = try await connect(to: device, in: world)
      var values = peripheral.values(of: Echo.value).makeAsyncIterator()
      let read = Task { try await peripheral.read(Echo.value) }
      #expect(try await values.next() == [9])
      #expect(try await read.value == [1, 2, 3])
    }
  }

  @Test("F41: a response that is longer than the MTU fails its request, and the link goes on")
  func sendsTooMuch() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      _ = try await peripheral.services()
      device.onRequest { $0.kind == .read ? .raw([0x0B] + [UInt8](repeating: 5, count: 600)) : .normal }
      #expect(await bluetoothError { _ = try await peripheral.read(Echo.value) } != nil)
      device.sendRaw([0x1B, 0x03, 0x00] + [UInt8](repeating: 5, count: 600))
      device.onRequest(nil)
      #expect(try await peripheral.read(Echo.value) == [1, 2, 3])
      #expect(device.isConnected)
    }
  }

  @Test("a request without an answer ends after 30 s, and the link with it")
  func neverAnswers() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      device.onRequest { $0.kind == .read ? .never : .normal }
      let peripheral = try await connect(to: device, in: world)
      _ = try await peripheral.services()
      let start = world.now
      let error = await bluetoothError { _ = try await peripheral.read(Echo.value, timeout: .never) }
      #expect(error?.kind == .timedOut)
      #expect(start.duration(to: world.now) >= .seconds(30) && start.duration(to: world.now) < .seconds(31))
      try await world.run(for: .seconds(1))
      #expect(!device.isConnected)
    }
  }

  @Test("an error response reaches the caller; a response to something else does no harm")
  func answersWrongly() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      _ = try await peripheral.services()
      device.onRequest { $0.kind == .read ? .error(.insufficientAuthorization) : .normal }
      let error = await bluetoothError { _ = try await peripheral.read(Echo.value) }
      #expect(error?.attCode == .insufficientAuthorization)
      device.onRequest { $0.kind == .read ? .raw([0x13]) : .normal }
      #expect(await bluetoothError { _ = try await peripheral.read(Echo.value, timeout: .seconds(40)) } != nil)
    }
  }

  @Test("a device that ends the link at a request fails it with the disconnect")
  func disconnectsAtRequest() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.custom(Echo.description()))
      let peripheral = try await connect(to: device, in: world)
      device.onRequest { $0.kind == .write ? .disconnect : .normal }
      let error = await bluetoothError { try await peripheral.write([1], to: Echo.value) }
      #expect(error?.kind == .disconnected)
      try await world.run(for: .seconds(1))
      #expect(!device.isConnected)
    }
  }

  @Test("F31, F32: a device with a short MTU keeps it; one that asks for more gets more")
  func mtu() async throws {
    try await World.simulated(seed: 1) { world in
      var asking = Echo.description(name: "Asking", mtu: 185)
      asking.requestsMTU = true
      let short = world.add(.custom(Echo.description(name: "Short", mtu: 23)))
      let long = world.add(.custom(asking))
      let first = try await connect(to: short, in: world)
      let second = try await connect(to: long, in: world)
      _ = try await first.services()
      _ = try await second.services()
      #expect(short.mtu == 23)
      #expect(long.mtu == 185)
      try await first.write(Array(0..<100), to: Echo.value, type: .withResponse)
      #expect(try await first.read(Echo.value) == Array(0..<100))
      #expect(short.written(to: Echo.uuid) == [Array(0..<100)])
    }
  }
}
