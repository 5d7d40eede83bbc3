#if os(Linux)
  import BluetoothTypes
  import HostStack
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio

  /// A central that sends ATT PDUs of the test's own, for what no client of ours asks.
  final class RawCentral: Sendable {
    private let world: World
    private let channel: VirtualChannel
    private let state: State

    private final class State: Sendable {
      let handle = Mutex<UInt16?>(nil)
      let isGone = Mutex(false)
      let pdus = Mutex<[[UInt8]]>([])

      func receive(_ packet: HCIPacket) {
        if let event = (try? AnyHCIEvent(packet))?.event as? LEConnectionComplete, event.status == .success {
          handle.withLock { $0 = event.connectionHandle }
        }
        if (try? AnyHCIEvent(packet))?.event is DisconnectionComplete { isGone.withLock { $0 = true } }
        // The head of L2CAP, with the channel of ATT. What the peer asks in its turn is not answered.
        guard let data = (try? ACLPacket(packet))?.data, data.count > 4, data[2] == 4, data[4] & 1 == 1 else { return }
        pdus.withLock { $0.append(Array(data.dropFirst(4))) }
      }
    }

    init(_ world: World, number: Int) {
      let state = State()
      self.world = world
      self.state = state
      channel = world.space.addController(
        ControllerConfiguration(address: BluetoothAddress(0xC0DE_0000_0000 + UInt64(number), .public)),
        name: "raw central \(number)"
      )
      channel.open(receive: { state.receive($0) }, closed: { _ in })
      channel.send(SetEventMask(eventMask: .standard).packet)
      channel.send(LESetEventMask(leEventMask: .standard).packet)
    }

    func connect(to peer: BluetoothAddress) async throws {
      var command = LECreateConnection()
      command.leScanInterval = 16
      command.leScanWindow = 16
      command.initiatorFilterPolicy = .peerAddress
      command.ownAddressType = .public
      command.connectionIntervalMin = 24
      command.connectionIntervalMax = 24
      command.maxLatency = 0
      command.supervisionTimeout = 500
      command.peerAddress = peer
      channel.send(command.packet)
      try await world.run(for: .seconds(2))
      try #require(state.handle.withLock { $0 } != nil, "no link")
    }

    /// Sends a PDU, and gives what has come a second later.
    @discardableResult
    func ask(_ pdu: [UInt8]) async throws -> [UInt8]? {
      state.pdus.withLock { $0 = [] }
      try await send(pdu)
      try await world.run(for: .seconds(1))
      return answer
    }

    /// Sends a PDU and waits for no answer, only until the controller has room for the next one.
    func send(_ pdu: [UInt8]) async throws {
      let handle = try #require(state.handle.withLock { $0 })
      let data = [UInt8(pdu.count), 0, 4, 0] + pdu
      channel.send(ACLPacket(connectionHandle: handle, boundary: .firstNonFlushable, data: data).packet)
      try await world.run(for: .milliseconds(50))
    }

    /// Whether the link has ended.
    var isGone: Bool { state.isGone.withLock { $0 } }

    /// The last that has come.
    var answer: [UInt8]? { state.pdus.withLock { $0.last } }

    func prepare(_ value: [UInt8], at handle: AttributeHandle, offset: UInt16 = 0) async throws {
      let head = Self.bytes(handle.rawValue) + Self.bytes(offset)
      #expect(try await ask([0x16] + head + value) == [0x17] + head + value)
    }

    /// Lets what was prepared be written.
    func execute() async throws -> [UInt8]? { try await ask([0x18, 0x01]) }

    func read(_ handle: AttributeHandle, from offset: UInt16) async throws -> [UInt8]? {
      try await ask([0x0C] + Self.bytes(handle.rawValue) + Self.bytes(offset))
    }

    /// The handles of the values with a UUID of 16 bits, from the lowest.
    func handles(of uuid: UInt16) async throws -> [AttributeHandle] {
      // Read By Type of the characteristics, one after the other.
      var found: [AttributeHandle] = []
      var next: UInt16 = 1
      while let answer = try await ask([0x08] + Self.bytes(next) + [0xFF, 0xFF, 0x03, 0x28]), answer[0] == 0x09 {
        let size = Int(answer[1])
        for start in stride(from: 2, to: answer.count - size + 1, by: size) {
          let record = answer[start..<(start + size)]
          let declaration = UInt16(record[start]) | UInt16(record[start + 1]) << 8
          let value = UInt16(record[start + 3]) | UInt16(record[start + 4]) << 8
          if size == 7, UInt16(record[start + 5]) | UInt16(record[start + 6]) << 8 == uuid {
            found.append(AttributeHandle(value))
          }
          next = declaration + 1
        }
      }
      return found
    }

    private static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
  }
#endif
