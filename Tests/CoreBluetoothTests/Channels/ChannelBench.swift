#if os(Linux)
  import CoreBluetooth
  import RadioPort
  import Testing
  import VirtualRadio

  /// A central and a peripheral, each on a radio of its own, with channels between them.
  final class ChannelBench: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, CBPeripheralManagerDelegate {
    let world: World
    private(set) var events: [String] = []
    private(set) var errors: [any Error] = []
    /// The channels that were opened, at the end of who opened them.
    var opened: [CBL2CAPChannel] = []
    /// The same at the other end.
    var accepted: [CBL2CAPChannel] = []
    /// Whether the channels that centrals open are kept.
    var keeps = true
    private(set) var psm: CBL2CAPPSM = 0
    private var found: CBPeripheral?
    private(set) lazy var central = CBCentralManager(self, on: world.radio)
    private(set) lazy var server = CBPeripheralManager(self, on: radio)
    /// That of the server.
    private(set) var radio: any Radio

    init(_ world: World) {
      self.world = world
      radio = world.makeRadio(name: "server")
    }

    /// Publishes, advertises, connects.
    static func connected(_ world: World) async throws -> ChannelBench {
      let bench = ChannelBench(world)
      _ = (bench.central, bench.server)
      try await world.run(for: .seconds(1))
      bench.server.publishL2CAPChannel(withEncryption: false)
      bench.server.startAdvertising([CBAdvertisementDataLocalNameKey: "Channels"])
      try await world.run(for: .seconds(1))
      bench.central.scanForPeripherals(withServices: nil)
      try await world.run(for: .seconds(1))
      bench.central.stopScan()
      let peripheral = try #require(bench.found)
      peripheral.delegate = bench
      bench.central.connect(peripheral)
      try await world.run(for: .seconds(1))
      #expect(peripheral.state == .connected && bench.psm >= 0x80)
      _ = bench.take()
      return bench
    }

    /// A channel that is open: both ends.
    func open() async throws -> (CBL2CAPChannel, CBL2CAPChannel) {
      let count = opened.count
      peripheral.openL2CAPChannel(psm)
      try await world.run(for: .seconds(1))
      try #require(opened.count == count + 1 && accepted.count == count + 1)
      return (opened[count], accepted[count])
    }

    /// The device; there once ``connected(_:)`` has returned.
    var peripheral: CBPeripheral {
      guard let found else { preconditionFailure("nothing was found") }
      return found
    }

    func take() -> [String] {
      defer { events = [] }
      return events
    }

    private func note(_ event: String, _ error: (any Error)? = nil) {
      if let error { errors.append(error) }
      events.append(error == nil ? event : event + " failed")
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}

    func centralManager(
      _ central: CBCentralManager,
      didDiscover peripheral: CBPeripheral,
      advertisementData: [String: Any],
      rssi RSSI: NSNumber
    ) {
      found = peripheral
    }

    func centralManager(
      _ central: CBCentralManager,
      didDisconnectPeripheral peripheral: CBPeripheral,
      error: (any Error)?
    ) {
      note("disconnected")
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
      if let channel { opened.append(channel) }
      note("opened \(channel?.psm ?? 0)", error)
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      didPublishL2CAPChannel PSM: CBL2CAPPSM,
      error: (any Error)?
    ) {
      psm = PSM
      note("published", error)
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      didUnpublishL2CAPChannel PSM: CBL2CAPPSM,
      error: (any Error)?
    ) {
      note("unpublished \(PSM)", error)
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      didOpen channel: CBL2CAPChannel?,
      error: (any Error)?
    ) {
      if let channel, keeps { accepted.append(channel) }
      note("accepted", error)
    }
  }

  /// Hears the events of a channel's streams; reads what comes and writes what is to be sent, if it is to.
  final class StreamRecorder: NSObject, StreamDelegate {
    private(set) var events: [String] = []
    private(set) var received = Data()
    var isReading = true
    var toSend = Data()
    private let channel: CBL2CAPChannel

    /// Opens both streams, scheduled in the run loop of the caller.
    init(_ channel: CBL2CAPChannel) {
      self.channel = channel
      super.init()
      for stream in [channel.inputStream, channel.outputStream] as [Stream] {
        stream.delegate = self
        stream.schedule(in: .main, forMode: .default)
        stream.open()
      }
    }

    func take() -> [String] {
      defer { events = [] }
      return events
    }

    func close() {
      channel.inputStream.close()
      channel.outputStream.close()
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
      let name = aStream is InputStream ? "input" : "output"
      switch eventCode {
      case .openCompleted: events.append("\(name) open")
      case .hasBytesAvailable:
        events.append("bytes")
        if isReading { read() }
      case .hasSpaceAvailable:
        events.append("space")
        send()
      case .endEncountered: events.append("\(name) end")
      case .errorOccurred: events.append("\(name) error")
      default: events.append("?")
      }
    }

    func read(upTo count: Int = 4096) {
      var buffer = [UInt8](repeating: 0, count: count)
      let read = channel.inputStream.read(&buffer, maxLength: count)
      if read > 0 { received.append(contentsOf: buffer.prefix(read)) }
    }

    /// Writes as much as goes.
    func send() {
      guard !toSend.isEmpty, channel.outputStream.hasSpaceAvailable else { return }
      let part = [UInt8](toSend.prefix(3000))
      let count = channel.outputStream.write(part, maxLength: part.count)
      if count > 0 { toSend = toSend.dropFirst(count) }
    }
  }
#endif
