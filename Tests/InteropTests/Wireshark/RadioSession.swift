import BluetoothTypes
import HCITransport
import HostStack
import RadioPort
import Synchronization
import Testing
import VirtualRadio

/// What the API for apps does not show: values read together and notified together, channels, and encryption that hosts
/// begin by hand.
enum RadioSession {
  /// Writes all that a central's host and its controller tell each other.
  static func run(to path: String) async throws {
    try await World.simulated(seed: 12) { world in
      let device = world.add(
        .custom(name: "Several") {
          $0.services = [
            VirtualDevice.Service(
              "FFE0",
              characteristics: (1...3).map { VirtualDevice.Characteristic("FFE1", [.read, .notify], value: [$0, $0]) }
            )
          ]
        }
      )
      let server = world.makeHostRadio(name: "server")
      let central = world.mainRadio
      try await world.run(for: .seconds(1))
      let file = try CaptureFile(path: path, unixTimeOfStart: .zero)
      defer { file.close() }
      let observation = try enter(central) { radio in
        try radio.observePackets { file.add($0.packet, $0.direction, time: $0.time.sinceStart) }
      }
      try await readAndNotify(world, central, device)
      try await useChannel(world, central, server)
      enter(central) { $0.endObservation(observation) }
      try await encrypt(world, file)
    }
  }

  /// Calls a radio on its executor, where the session runs too.
  private static func enter<Result: Sendable>(
    _ radio: HostRadio,
    _ body: @Sendable (isolated HostRadio) throws -> Result
  ) rethrows -> Result {
    try radio.assumeIsolated { try body($0) }
  }

  private static func link(_ world: World, _ central: HostRadio, to peer: PeerID) async throws -> LinkID {
    let link = Mutex<LinkID?>(nil)
    _ = enter(central) { radio in
      radio.connect(
        to: peer,
        options: LinkOptions(),
        events: { _ in },
        completion: { result in link.withLock { $0 = try? result.get() } }
      )
    }
    try await world.run(for: .seconds(3))
    return try #require(link.withLock { $0 })
  }

  private static func readAndNotify(_ world: World, _ central: HostRadio, _ device: VirtualDevice) async throws {
    let link = try await link(world, central, to: PeerID(device.address))
    let handles = device.handles(of: "FFE1")
    let values = Mutex<[[UInt8]]>([])
    _ = enter(central) { radio in
      radio.read(handles, on: link) { result in values.withLock { $0 = (try? result.get()) ?? [] } }
    }
    try await world.run(for: .seconds(3))
    #expect(values.withLock { $0 } == [[1, 1], [2, 2], [3, 3]])
    // Multiple Handle Value Notification (Core 5.4, Vol 3, Part F, 3.4.7.4): handle, length and value of each.
    device.sendRaw(
      handles.reduce([0x23]) { pdu, handle in
        pdu + [UInt8(handle.rawValue & 0xFF), UInt8(handle.rawValue >> 8), 2, 0, 7, 8]
      }
    )
    try await world.run(for: .seconds(1))
  }

  private static func useChannel(_ world: World, _ central: HostRadio, _ server: HostRadio) async throws {
    let psm = Mutex<L2CAPPSM?>(nil)
    enter(server) { radio in
      _ = radio.publishChannel(
        ChannelPublication(),
        incoming: { _, _ in { _ in } },
        completion: { result in psm.withLock { $0 = try? result.get() } }
      )
      let id = radio.openServer(events: { _ in })
      radio.startAdvertising(AdvertisingRequest(name: "Channels"), by: id, completion: { _ in })
    }
    try await world.run(for: .seconds(1))
    let link = try await link(world, central, to: PeerID(BluetoothAddress(0x0248_414C_0002, .public)))
    let wished = try #require(psm.withLock { $0 })
    let opened = Mutex<ChannelInfo?>(nil)
    let channel = enter(central) { radio in
      radio.openChannel(to: wished, on: link, options: ChannelOptions(), events: { _ in }) { result in
        opened.withLock { $0 = try? result.get() }
      }
    }
    try await world.run(for: .seconds(1))
    #expect(opened.withLock { $0 } != nil)
    try enter(central) { radio in _ = try radio.send([1, 2, 3], on: channel) }
    try await world.run(for: .seconds(1))
    enter(central) { $0.closeChannel(channel, .afterSending) {} }
    try await world.run(for: .seconds(1))
  }

  /// Two hosts by hand: no host of ours has keys.
  private static func encrypt(_ world: World, _ file: CaptureFile) async throws {
    let key = (UInt8(1)...16).map { $0 }
    func controller(_ number: UInt64, _ name: String) -> VirtualChannel {
      world.space.addController(
        ControllerConfiguration(address: BluetoothAddress(0xC0DE_0000_0000 + number, .public)),
        name: name
      )
    }
    let (central, peripheral) = (controller(1, "raw central"), controller(2, "raw peripheral"))
    let handle = Mutex<UInt16?>(nil)
    let isOn = Mutex(false)
    let note: @Sendable (HCIPacket, HCIPacket.Direction) -> Void = { packet, direction in
      file.add(packet, direction, time: world.now.sinceStart)
    }
    central.open(
      receive: { packet in
        note(packet, .toHost)
        let event = (try? AnyHCIEvent(packet))?.event
        if let event = event as? LEConnectionComplete { handle.withLock { $0 = event.connectionHandle } }
        if let event = event as? EncryptionChange, event.status == .success { isOn.withLock { $0 = true } }
      },
      closed: { _ in }
    )
    peripheral.open(
      receive: { packet in
        guard let event = (try? AnyHCIEvent(packet))?.event as? LELongTermKeyRequest else { return }
        world.executor.submit {
          peripheral.send(
            LELongTermKeyRequestReply(connectionHandle: event.connectionHandle, longTermKey: key).packet
          )
        }
      },
      closed: { _ in }
    )
    for channel in [central, peripheral] {
      channel.send(SetEventMask(eventMask: .standard).packet)
      channel.send(LESetEventMask(leEventMask: .standard).packet)
    }
    peripheral.send(LESetAdvertisingParameters().packet)
    peripheral.send(LESetAdvertisingEnable(advertisingEnable: true).packet)
    var command = LECreateConnection()
    command.leScanInterval = 16
    command.leScanWindow = 16
    command.initiatorFilterPolicy = .peerAddress
    command.ownAddressType = .public
    command.connectionIntervalMin = 24
    command.connectionIntervalMax = 24
    command.maxLatency = 0
    command.supervisionTimeout = 500
    command.peerAddress = BluetoothAddress(0xC0DE_0000_0002, .public)
    note(command.packet, .toController)
    central.send(command.packet)
    try await world.run(for: .seconds(3))
    let enable = LEEnableEncryption(
      connectionHandle: try #require(handle.withLock { $0 }),
      randomNumber: 1,
      encryptedDiversifier: 2,
      longTermKey: key
    )
    note(enable.packet, .toController)
    central.send(enable.packet)
    try await world.run(for: .seconds(2))
    #expect(isOn.withLock { $0 })
  }
}
