import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("What is pending when Bluetooth is switched off", .reportsWorlds(packets: 30))
struct PowerOffTests {
  /// What a central may wait for.
  enum CentralOperation: CaseIterable {
    case scan, nearby, connect, discover, read, readDescriptor, write, longWrite, writeDescriptor, writeWithoutResponse
    case subscribe, nextValue, setNotifying, request, transfer, openChannel, sendToChannel, receiveFromChannel
  }

  @Test(
    "F01: whatever a central waits for ends once with poweredOff, at that moment",
    arguments: CentralOperation.allCases
  )
  func central(_ operation: CentralOperation) async throws {
    let description = VirtualDevice.Descriptor("2901", value: [0x41], permissions: [.read, .write])
    try await Stage.run {
      $0.services[0].characteristics[1].descriptors = [description]
    } body: { stage in
      let peripheral = try await stage.connected()
      let channel = try await peripheral.openChannel(psm: CountingDevice.psm)
      var found: Descriptor<[UInt8]>?
      if operation != .discover {
        let services = try await peripheral.services(["FFF0"])
        found = services.first?.characteristics[1].descriptors.first
      }
      try await stage.settle()
      let descriptor = found
      let task = Task {
        try await Self.run(operation, stage, peripheral, descriptor, channel)
      }
      // A stream of values has to flow before it can wait for the next.
      if operation == .nextValue { try await stage.world.run(for: .seconds(3)) }
      stage.device.moveOutOfRange()
      try await stage.world.run(for: .seconds(1))
      let before = stage.world.now
      stage.world.radioPower(false)
      await expectError(.poweredOff) { try await task.value }
      #expect(stage.world.now == before)
    }
  }

  private static func run(
    _ operation: CentralOperation,
    _ stage: Stage,
    _ peripheral: Peripheral,
    _ descriptor: Descriptor<[UInt8]>?,
    _ channel: L2CAPChannel
  ) async throws {
    if ![.scan, .nearby, .connect, .nextValue].contains(operation) {
      // Begins once the device is away, so that it does not end before.
      try await stage.world.clock.sleep(for: .milliseconds(500))
    }
    switch operation {
    case .scan: for try await _ in stage.central.scan(for: ["AAAA"], timeout: nil) {}
    case .nearby: for try await _ in stage.central.nearby(["AAAA"]) {}
    case .connect:
      _ = try await stage.central.connect(to: PeerID(BluetoothAddress(0xC0AA_0000_0001, .random)), timeout: nil)
    case .discover: _ = try await peripheral.services()
    case .read: _ = try await peripheral.read(.setting)
    case .readDescriptor: _ = try await peripheral.read(#require(descriptor))
    case .write: try await peripheral.write(5, to: .setting)
    case .longWrite: try await peripheral.write(pattern(400), to: .bulk)
    case .writeDescriptor: try await peripheral.write([0x42] as [UInt8], to: #require(descriptor))
    case .writeWithoutResponse:
      for _ in 0..<1000 { try await peripheral.write(pattern(100), to: .log, type: .withoutResponse) }
    case .subscribe, .nextValue: for try await _ in peripheral.values(of: .count, onReconnect: .end) {}
    case .setNotifying: try await peripheral.setNotifying(true, for: .count)
    case .request: _ = try await peripheral.request(5, on: .setting, answer: .alarm)
    case .transfer: try await peripheral.send(pattern(100_000), to: .log, type: .withoutResponse).finish()
    case .openChannel: _ = try await peripheral.openChannel(psm: CountingDevice.psm)
    case .sendToChannel: for _ in 0..<1000 { try await channel.send(pattern(600)) }
    case .receiveFromChannel: _ = try await channel.receive()
    }
  }

  /// What a server may wait for.
  enum ServerOperation: CaseIterable {
    case notify, notifyOne, indicate, indicateOne, indicateBehind, parameters, sendToChannel, receiveFromChannel
  }

  private static let psm: L2CAPPSM = 0x0083

  @Test(
    "F01: whatever a server waits for ends once with poweredOff, at that moment, and not as if a central had left",
    arguments: ServerOperation.allCases
  )
  func server(_ operation: ServerOperation) async throws {
    try await Meeting.run { _ in
      Service(.notes) {
        Notifying(.feed)
        Indicating(.number)
      }
    } _: { meeting in
      let (world, server) = (meeting.world, meeting.server)
      let peripheral = try await meeting.connected()
      let feed = Task { for try await _ in peripheral.values(of: .feed) {} }
      let numbers = Task { for try await _ in peripheral.values(of: .number) {} }
      let box = ChannelBox()
      try await server.publishChannel(psm: Self.psm) { try await box.keep($0) }
      let other = try await peripheral.openChannel(psm: Self.psm)
      try await meeting.settle()
      let (central, channel) = (try meeting.onlyCentral(), try box.last())
      #expect(try await server.send(1, on: .number) == 1)
      world.faults(of: world.radio)?.add(.outOfRange())
      // Behind one that the central never confirms.
      let first = operation == .indicateBehind ? Task { try await server.send(1, on: .number) } : nil
      try await world.run(for: .milliseconds(100))
      let task = Task {
        switch operation {
        case .notify: for _ in 0..<1000 { try await server.send(pattern(20), on: .feed) }
        case .notifyOne: for _ in 0..<1000 { try await server.send(pattern(20), on: .feed, to: central) }
        case .indicate, .indicateBehind: try await server.send(2, on: .number)
        case .indicateOne: try await server.send(2, on: .number, to: central)
        case .parameters: try await server.setLatency(.high, for: central)
        case .sendToChannel: for _ in 0..<1000 { try await channel.send(pattern(200)) }
        case .receiveFromChannel: _ = try await channel.receive()
        }
      }
      try await world.run(for: .seconds(1))
      let before = world.now
      world.radioPower(false, of: meeting.serverRadio)
      await expectError(.poweredOff) { try await task.value }
      #expect(world.now == before)
      first?.cancel()
      box.letGo()
      feed.cancel()
      numbers.cancel()
      await other.close()
    }
  }
}
