#if os(Linux)
  import CoreBluetooth
  import Dispatch
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// Channels by the wall clock, from threads with run loops and from threads that wait.
  @Suite("CBL2CAPChannel on run loops and in threads, in a live world", .reportsWorlds, .timeLimit(.minutes(5)))
  struct LiveChannelTests {
    @Test("a thread with a run loop echoes what a thread that reads and writes without one sends")
    func echo() async throws {
      let count = 60_000
      let received = await World.live(speed: 20, seed: 1) { world in
        let (results, source) = AsyncStream.makeStream(of: Data.self)
        let server = EchoServer(options: [CBManagerOptionRadioKey: world.makeRadio()])
        let client = WaitingClient(options: [CBManagerOptionRadioKey: world.radio], count: count) { source.yield($0) }
        var received = Data()
        for await result in results {
          received = result
          break
        }
        withExtendedLifetime((server, client)) {}
        return received
      }
      #expect(received == WaitingClient.bytes(count))
    }
  }

  private let name = "Echo"

  /// Publishes a PSM, tells it as a name, and echoes from a run loop of its own.
  private final class EchoServer: NSObject, CBPeripheralManagerDelegate {
    private let queue = DispatchQueue(label: "server")
    private let options: [String: Any]
    private lazy var manager = CBPeripheralManager(delegate: self, queue: queue, options: options)
    private var channel: CBL2CAPChannel?

    init(options: [String: Any]) {
      self.options = options
      super.init()
      _ = manager
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
      if peripheral.state == .poweredOn { peripheral.publishL2CAPChannel(withEncryption: false) }
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      didPublishL2CAPChannel PSM: CBL2CAPPSM,
      error: (any Error)?
    ) {
      peripheral.startAdvertising([CBAdvertisementDataLocalNameKey: "\(name) \(PSM)"])
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      didOpen channel: CBL2CAPChannel?,
      error: (any Error)?
    ) {
      guard let channel else { return }
      self.channel = channel
      let echo = Carrier(channel)
      Thread.detachNewThread { Echo(echo.channel).run() }
    }
  }

  // @unchecked: used by one thread after the other.
  private struct Carrier: @unchecked Sendable {
    let channel: CBL2CAPChannel

    init(_ channel: CBL2CAPChannel) { self.channel = channel }
  }

  /// Sends back what comes, as far as there is room, until the other end closes.
  private final class Echo: NSObject, StreamDelegate {
    private let input: InputStream
    private let output: OutputStream
    private var waiting: [UInt8] = []
    private var isOver = false

    init(_ channel: CBL2CAPChannel) {
      (input, output) = (channel.inputStream, channel.outputStream)
    }

    func run() {
      for stream in [input, output] as [Stream] {
        stream.delegate = self
        stream.schedule(in: .current, forMode: .default)
        stream.open()
      }
      // Each pass ends with an event, as those of streams are sources.
      while !isOver, RunLoop.current.run(mode: .default, before: .distantFuture) {}
      input.close()
      output.close()
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
      switch eventCode {
      case .hasBytesAvailable where waiting.count < 4096:
        var buffer = [UInt8](repeating: 0, count: 700)
        let count = input.read(&buffer, maxLength: buffer.count)
        if count > 0 { waiting += buffer.prefix(count) }
      case .endEncountered, .errorOccurred: isOver = true
      default: break
      }
      send()
    }

    private func send() {
      while !waiting.isEmpty, output.hasSpaceAvailable {
        let count = output.write(waiting, maxLength: waiting.count)
        guard count > 0 else { return }
        waiting.removeFirst(count)
      }
      guard waiting.isEmpty, input.hasBytesAvailable else { return }
      var buffer = [UInt8](repeating: 0, count: 700)
      let count = input.read(&buffer, maxLength: buffer.count)
      if count > 0 {
        waiting += buffer.prefix(count)
        send()
      }
    }
  }

  /// Opens the channel that the name tells, and uses it from two threads that wait.
  private final class WaitingClient: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private let queue = DispatchQueue(label: "client")
    private let options: [String: Any]
    private let count: Int
    private let finish: @Sendable (Data) -> Void
    private lazy var manager = CBCentralManager(delegate: self, queue: queue, options: options)
    private var device: CBPeripheral?
    private var psm: CBL2CAPPSM = 0
    private var channel: CBL2CAPChannel?

    static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 &>> 8) }) }

    init(options: [String: Any], count: Int, finish: @escaping @Sendable (Data) -> Void) {
      self.options = options
      self.count = count
      self.finish = finish
      super.init()
      _ = manager
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
      if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
      _ central: CBCentralManager,
      didDiscover peripheral: CBPeripheral,
      advertisementData: [String: Any],
      rssi RSSI: NSNumber
    ) {
      let words = (advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? "").split(separator: " ")
      guard device == nil, words.first == name[...], let psm = words.last.flatMap({ CBL2CAPPSM($0) }) else { return }
      device = peripheral
      self.psm = psm
      peripheral.delegate = self
      central.stopScan()
      central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
      peripheral.openL2CAPChannel(psm)
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
      guard let channel else { return finish(Data()) }
      self.channel = channel
      channel.inputStream.open()
      channel.outputStream.open()
      let (carrier, count, finish) = (Carrier(channel), count, finish)
      Thread.detachNewThread {
        let bytes = [UInt8](Self.bytes(count))
        var sent = 0
        while sent < count {
          let part = Array(bytes[sent..<min(count, sent + 5000)])
          let taken = carrier.channel.outputStream.write(part, maxLength: part.count)
          guard taken > 0 else { return }
          sent += taken
        }
      }
      Thread.detachNewThread {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 999)
        while received.count < count {
          let read = carrier.channel.inputStream.read(&buffer, maxLength: buffer.count)
          guard read > 0 else { break }
          received.append(contentsOf: buffer.prefix(read))
        }
        finish(received)
      }
    }
  }
#endif
