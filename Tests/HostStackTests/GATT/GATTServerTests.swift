import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("GATT server")
struct GATTServerTests {
  static let custom: BluetoothUUID = "12345678-1234-5678-1234-56789ABCDEF0"
  static let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }

  // Generic Access takes the handles 1 to 5, Generic Attribute 6 to 9.
  static let stored = AttributeHandle(12)
  static let notifying = AttributeHandle(15)
  static let configuration = AttributeHandle(16)
  static let owned = AttributeHandle(19)
  static let longValue = AttributeHandle(22)
  static let commands = AttributeHandle(24)

  static func configuration(intercepts: Bool = false) -> HostConfiguration {
    HostConfiguration(
      name: "Pulse",
      services: [
        ServiceDefinition(
          BluetoothUUID(UInt16(0x180D)),
          characteristics: [
            CharacteristicDefinition(
              BluetoothUUID(UInt16(0x2A38)),
              properties: [.read, .write],
              source: .stored([1, 2, 3]),
              userDescription: "Place"
            ),
            CharacteristicDefinition(BluetoothUUID(UInt16(0x2A37)), properties: [.notify, .indicate]),
          ]
        ),
        ServiceDefinition(
          custom,
          characteristics: [
            CharacteristicDefinition(custom, properties: [.read, .write, .reliableWrite]),
            CharacteristicDefinition(BluetoothUUID(UInt16(0x2A39)), properties: .read, source: .stored(long)),
            CharacteristicDefinition(BluetoothUUID(UInt16(0x2A3A)), properties: .writeWithoutResponse),
          ]
        ),
      ],
      hasDatabaseHash: false,
      interceptsRequests: intercepts
    )
  }

  /// A pair whose MTU is still 23.
  private func pair() -> HostPair {
    var pair = HostPair(Self.configuration())
    pair.central.data = []
    return pair
  }

  private func error(_ request: UInt8, _ handle: UInt16, _ code: ATTErrorCode) -> [UInt8] {
    [1, request, UInt8(handle & 0xFF), UInt8(handle >> 8), code.rawValue]
  }

  private func bytes(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

  @Test("the database has Generic Access and Generic Attribute, then the services, as a client finds them")
  func discovery() throws {
    var pair = pair()
    let request = pair.act { host, link, now in host.discover(nil, on: link, now: now) }
    var services: [RemoteService] = []
    for case .discovered(request, .success(let found)) in pair.central.events { services = found }
    #expect(services.map(\.uuid.description) == ["1800", "1801", "180D", Self.custom.description])
    #expect(services.map(\.handle.rawValue) == [1, 6, 10, 17])
    #expect(services.last?.endHandle == AttributeHandle(24))
    let heartRate = try #require(services.dropFirst(2).first)
    #expect(heartRate.characteristics.map(\.handle) == [Self.stored, Self.notifying])
    #expect(heartRate.characteristics[0].descriptors.map(\.uuid.uint16) == [0x2901])
    #expect(heartRate.characteristics[1].descriptors.map(\.uuid.uint16) == [0x2902])
    #expect(services[3].characteristics[0].descriptors.map(\.uuid.uint16) == [0x2900])
  }

  @Test("a client reads long and short values, stored and owned, and writes them")
  func values() throws {
    var pair = pair()
    let name = pair.act { host, link, now in host.read(AttributeHandle(3), on: link, now: now) }
    let whole = pair.act { host, link, now in host.read(Self.longValue, on: link, now: now) }
    let write = pair.act { host, link, now in host.write([9, 8], to: Self.stored, on: link, now: now) }
    let again = pair.act { host, link, now in host.read(Self.stored, on: link, now: now) }
    let owned = pair.act { host, link, now in host.read(Self.owned, on: link, now: now) }
    var asked: ReplyID?
    for case .ownerRequest(_, let id, .read(Self.owned)) in pair.peripheral.events { asked = id }
    let id = try #require(asked)
    pair.peripheral.act { host, now in host.answer(id, .success([42]), now: now) }
    pair.peripheral.act { host, now in host.answer(id, .success([43]), now: now) }
    pair.run()
    var read: [RequestID: [UInt8]] = [:]
    var written: [RequestID] = []
    for event in pair.central.events {
      if case .read(let request, .success(let value)) = event { read[request] = value }
      if case .wrote(let request, .success) = event { written.append(request) }
    }
    #expect(name.flatMap { read[$0] } == Array("Pulse".utf8))
    #expect(whole.flatMap { read[$0] } == Self.long)
    #expect(again.flatMap { read[$0] } == [9, 8])
    #expect(owned.flatMap { read[$0] } == [42])
    #expect(written == [write].compactMap { $0 })
    #expect(pair.peripheral.host.database[Self.stored]?.source == .stored([9, 8]))
  }

  @Test("every request is answered as the specification says")
  func requests() {
    var pair = pair()
    pair.peripheral.host.server.setMTU(23, of: pair.peripheral.host.centrals[0])
    let uuid = Array(Self.custom.writtenLong)
    let expectations: [(request: [UInt8], answer: [UInt8])] = [
      // Find Information: the format changes with the kind of UUID.
      ([0x04, 10, 0, 12, 0], [0x05, 1, 10, 0, 0x00, 0x28, 11, 0, 0x03, 0x28, 12, 0, 0x38, 0x2A]),
      ([0x04, 18, 0, 0xFF, 0xFF], [0x05, 1, 18, 0, 0x03, 0x28]),
      ([0x04, 19, 0, 0xFF, 0xFF], [0x05, 2, 19, 0] + uuid),
      ([0x04, 0, 0, 5, 0], error(0x04, 0, .invalidHandle)),
      ([0x04, 9, 0, 5, 0], error(0x04, 9, .invalidHandle)),
      ([0x04, 100, 0, 200, 0], error(0x04, 100, .attributeNotFound)),
      ([0x04, 1, 0, 2], error(0x04, 0, .invalidPDU)),
      // Find By Type Value.
      ([0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28, 0x0D, 0x18], [0x07, 10, 0, 16, 0]),
      ([0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28, 0x0E, 0x18], error(0x06, 1, .attributeNotFound)),
      // Read By Type: values of one length, what can not be read is an error only in front.
      ([0x08, 1, 0, 5, 0, 0x03, 0x28], [0x09, 7, 2, 0, 2, 3, 0, 0, 0x2A, 4, 0, 2, 5, 0, 1, 0x2A]),
      ([0x08, 15, 0, 16, 0, 0x37, 0x2A], error(0x08, 15, .readNotPermitted)),
      ([0x08, 1, 0, 0xFF, 0xFF, 0x99, 0x2A], error(0x08, 1, .attributeNotFound)),
      ([0x08, 20, 0, 22, 0, 0x39, 0x2A], [0x09, 21, 22, 0] + Self.long.prefix(19)),
      // Read By Group Type.
      (
        [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28],
        [0x11, 6, 1, 0, 5, 0, 0, 0x18, 6, 0, 9, 0, 1, 0x18, 10, 0, 16, 0, 0x0D, 0x18]
      ),
      ([0x10, 17, 0, 0xFF, 0xFF, 0x00, 0x28], [0x11, 20, 17, 0, 24, 0] + uuid),
      ([0x10, 1, 0, 0xFF, 0xFF, 0x03, 0x28], error(0x10, 1, .unsupportedGroupType)),
      ([0x10, 1, 0, 0xFF, 0xFF, 0x01, 0x28], error(0x10, 1, .attributeNotFound)),
      // Read and Read Blob.
      ([0x0A, 12, 0], [0x0B, 1, 2, 3]),
      ([0x0A, 15, 0], error(0x0A, 15, .readNotPermitted)),
      ([0x0A, 99, 0], error(0x0A, 99, .invalidHandle)),
      ([0x0A, 0, 0], error(0x0A, 0, .invalidHandle)),
      ([0x0A, 22, 0], [0x0B] + Self.long.prefix(22)),
      ([0x0C, 22, 0, 22, 0], [0x0D] + Self.long[22..<44]),
      ([0x0C, 22, 0, 0x2C, 1], [0x0D]),
      ([0x0C, 22, 0, 0x2D, 1], error(0x0C, 22, .invalidOffset)),
      // Read Multiple, of both kinds.
      ([0x0E, 12, 0, 5, 0], [0x0F, 1, 2, 3, 0, 0]),
      ([0x0E, 12, 0, 15, 0], error(0x0E, 15, .readNotPermitted)),
      ([0x0E, 12, 0], error(0x0E, 0, .invalidPDU)),
      ([0x20, 12, 0, 22, 0], [0x21, 3, 0, 1, 2, 3, 0x2C, 1] + Self.long.prefix(15)),
      // Write.
      ([0x12, 12, 0, 7], [0x13]),
      ([0x12, 22, 0, 7], error(0x12, 22, .writeNotPermitted)),
      ([0x12, 99, 0, 7], error(0x12, 99, .invalidHandle)),
      // The client configuration.
      ([0x0A, 16, 0], [0x0B, 0, 0]),
      ([0x12, 16, 0, 1], error(0x12, 16, .invalidAttributeValueLength)),
      ([0x12, 16, 0, 3, 0], [0x13]),
      ([0x0A, 16, 0], [0x0B, 3, 0]),
      ([0x12, 9, 0, 1, 0], error(0x12, 9, .clientCharacteristicConfigurationImproperlyConfigured)),
      // What is not known.
      ([0x3E, 1], error(0x3E, 0, .requestNotSupported)),
    ]
    for (request, answer) in expectations {
      #expect(pair.request(request) == answer, "\(hexadecimal(request))")
    }
    // Commands are never answered, known or not.
    for command: [UInt8] in [
      [0x52, 12, 0, 5], [0x52, 99, 0, 5], [0x7E, 1], [0xD2, 12, 0] + Array(repeating: 0, count: 12),
    ] {
      #expect(pair.request(command) == nil)
    }
    #expect(pair.peripheral.host.database[Self.stored]?.source == .stored([5]))
  }

  @Test("queued writes are joined and written together; the queue is bounded")
  func queued() {
    var pair = pair()
    #expect(pair.request([0x16, 12, 0, 0, 0, 1, 2]) == [0x17, 12, 0, 0, 0, 1, 2])
    #expect(pair.request([0x16, 12, 0, 2, 0, 3]) == [0x17, 12, 0, 2, 0, 3])
    #expect(pair.request([0x18, 0]) == [0x19])
    #expect(pair.peripheral.host.database[Self.stored]?.source == .stored([1, 2, 3]))
    _ = pair.request([0x16, 12, 0, 0, 0, 7, 7])
    _ = pair.request([0x16, 12, 0, 2, 0, 8])
    #expect(pair.request([0x18, 1]) == [0x19])
    #expect(pair.peripheral.host.database[Self.stored]?.source == .stored([7, 7, 8]))
    _ = pair.request([0x16, 12, 0, 9, 0, 8])
    #expect(pair.request([0x18, 1]) == error(0x18, 12, .invalidOffset))
    #expect(pair.request([0x16, 22, 0, 0, 0, 8]) == error(0x16, 22, .writeNotPermitted))
    #expect(pair.request([0x18, 9]) == error(0x18, 0, .invalidPDU))
    var answers: [[UInt8]?] = []
    for _ in 0...QueuedWrites.partLimit { answers.append(pair.request([0x16, 12, 0, 0, 0, 8])) }
    #expect(answers.last == error(0x16, 12, .prepareQueueFull))
    #expect(answers.dropLast().allSatisfy { $0?.first == 0x17 })
    #expect(pair.request([0x18, 1]) == [0x19])
  }

  @Test("the owner takes queued writes one after the other, and may refuse")
  func queuedToOwner() throws {
    var pair = pair()
    _ = pair.request([0x16, 19, 0, 0, 0, 1])
    _ = pair.request([0x16, 19, 0, 1, 0, 2])
    #expect(pair.request([0x18, 1]) == nil)
    var asked: ReplyID?
    for case .ownerRequest(_, let id, .write(let parts)) in pair.peripheral.events {
      asked = id
      #expect(parts == [WriteRequest.Part(attribute: Self.owned, offset: 0, value: [1, 2])])
    }
    let id = try #require(asked)
    pair.peripheral.act { host, now in host.answer(id, .failure(.valueNotAllowed), now: now) }
    #expect(pair.answer() == error(0x18, 19, .valueNotAllowed))
  }

  @Test("a long value of the owner's is asked for once, so that its parts are of one whole")
  func longOfOwner() {
    var pair = pair()
    func answer(_ value: [UInt8]) {
      for case .ownerRequest(_, let id, .read) in pair.peripheral.takeEvents() {
        pair.peripheral.act { host, now in host.answer(id, .success(value), now: now) }
      }
    }
    pair.peripheral.host.server.setMTU(23, of: pair.peripheral.host.centrals[0])
    pair.peripheral.events = []
    _ = pair.request([0x0A, 19, 0])
    answer(Self.long)
    #expect(pair.answer() == [0x0B] + Self.long.prefix(22))
    #expect(pair.request([0x0C, 19, 0, 22, 0]) == [0x0D] + Self.long[22..<44])
    #expect(pair.request([0x0C, 19, 0, 44, 0]) == [0x0D] + Self.long[44..<66])
    // After anything else the owner is asked again.
    _ = pair.request([0x0A, 12, 0])
    #expect(pair.request([0x0C, 19, 0, 22, 0]) == nil)
    answer(Array(repeating: 5, count: 30))
    #expect(pair.answer() == [0x0D] + Array(repeating: 5, count: 8))
  }

  @Test("a client that does not wait for its answer is answered in order")
  func impatient() {
    var pair = pair()
    pair.peripheral.events = []
    #expect(pair.request([0x0A, 19, 0]) == nil)
    #expect(pair.request([0x0A, 12, 0]) == nil)
    for case .ownerRequest(_, let id, _) in pair.peripheral.takeEvents() {
      pair.peripheral.host.answer(id, .success([6]), now: .zero)
    }
    pair.peripheral.act { _, _ in }
    #expect(pair.peripheral.takeData().map(\.data) == [[2, 0, 4, 0, 0x0B, 6], [4, 0, 4, 0, 0x0B, 1, 2, 3]])
  }

  @Test(
    "of a client that waits for no response eight requests may wait; with one more its link ends, and it is told why"
  )
  func flood() {
    for intercepts in [false, true] {
      var pair = intercepts ? HostPair(Self.configuration(intercepts: true)) : pair()
      pair.peripheral.events = []
      // The owner is asked, and does not answer.
      for _ in 0..<9 { #expect(pair.request([0x0A, 19, 0]) == nil) }
      #expect(pair.peripheral.host.centrals.count == 1)
      #expect(pair.request([0x0A, 19, 0]) == nil)
      #expect(pair.peripheral.host.centrals.isEmpty)
      #expect(pair.peripheral.takeNames().last == "Disconnect")
      let ends = pair.peripheral.events.compactMap { event -> RadioFailure? in
        if case .centralDisconnected(_, let failure) = event { failure } else { nil }
      }
      #expect(ends.map(\.kind) == [.disconnected] && ends.first?.reason.contains("10 requests") == true)
      #expect(pair.peripheral.events.reports.map(\.kind) == [.peer])
    }
  }

  @Test("however many commands come while a request waits for its owner, none is lost, and a confirmation counts")
  func commandsMeanwhile() {
    var pair = pair()
    _ = pair.request([0x12, 16, 0, 2, 0])
    pair.peripheral.act { host, now in _ = host.publish([1], of: Self.notifying, now: now) }
    #expect(pair.answer() == [0x1D, 15, 0, 1])
    #expect(pair.request([0x0A, 19, 0]) == nil)
    pair.peripheral.events = []
    for number in 0..<500 { _ = pair.request([0x52] + bytes(Self.owned.rawValue) + bytes(UInt16(number))) }
    _ = pair.request([0x1E])
    var commands: [[UInt8]] = []
    var isConfirmed = false
    for case .serverNotice(_, let notice) in pair.peripheral.events {
      if case .command(Self.owned, let value) = notice { commands.append(value) }
      if case .confirmed(Self.notifying, _, .confirmed) = notice { isConfirmed = true }
    }
    #expect(commands == (0..<500).map { bytes(UInt16($0)) })
    #expect(isConfirmed)
    #expect(pair.peripheral.host.centrals.count == 1)
  }

  @Test("notifications go to who asked, fit the MTU, fill up and drain; none is lost")
  func notifications() throws {
    var pair = pair()
    let central = try #require(pair.peripheral.host.centrals.first)
    func notify(_ value: [UInt8]) -> NotifyRefusal? {
      pair.peripheral.act { host, now in
        do throws(NotifyRefusal) {
          try host.notify(value, of: Self.notifying, to: central, now: now)
          return nil
        } catch { return error }
      }
    }
    #expect(notify([1]) == .notSubscribed)
    #expect(pair.request([0x12, 16, 0, 1, 0]) == [0x13])
    #expect(pair.peripheral.host.subscribers(of: Self.notifying) == [central])
    let mtu = pair.peripheral.host.mtu(of: central)
    #expect(mtu == 517)
    #expect(notify(Array(repeating: 0, count: 513)) == .tooLong(limit: 512))
    // The controller holds four; 32 wait for it.
    pair.peripheral.data = []
    var taken = 0
    while notify([UInt8(taken)]) == nil { taken += 1 }
    #expect(taken == 36)
    #expect(notify([0]) == .busy)
    pair.peripheral.events = []
    for _ in 0..<40 {
      pair.peripheral.receive(NumberOfCompletedPackets(completed: [.init(connectionHandle: HostPair.handle, count: 1)]))
    }
    #expect(pair.peripheral.takeData().map { $0.data.last } == (0..<36).map { UInt8($0) })
    let room = pair.peripheral.events.filter { if case .roomToNotify(central) = $0 { true } else { false } }
    #expect(room.count == 1)
  }

  @Test("an indication waits for the confirmation of the one before; without it the link is dropped after 30 s")
  func indications() throws {
    var pair = pair()
    let central = try #require(pair.peripheral.host.centrals.first)
    _ = pair.request([0x12, 16, 0, 2, 0])
    for value in [1, 2, 3] as [UInt8] {
      pair.peripheral.act { host, now in _ = host.publish([value], of: Self.notifying, now: now) }
    }
    #expect(pair.answer() == [0x1D, 15, 0, 1])
    pair.peripheral.events = []
    #expect(pair.request([0x1E]) == [0x1D, 15, 0, 2])
    var confirmed: [Bool] {
      pair.peripheral.events.compactMap {
        if case .serverNotice(_, .confirmed(Self.notifying, _, let what)) = $0 { what == .confirmed } else { nil }
      }
    }
    #expect(confirmed == [true])
    pair.peripheral.pass(.seconds(29))
    #expect(pair.peripheral.host.centrals == [central])
    pair.peripheral.pass(.seconds(1))
    #expect(confirmed == [true, false, false])
    #expect(pair.peripheral.host.centrals.isEmpty)
    #expect(pair.peripheral.takeNames().last == "Disconnect")
  }

  @Test("the configuration belongs to the connection")
  func configurationPerConnection() {
    var pair = pair()
    _ = pair.request([0x12, 16, 0, 1, 0])
    pair.peripheral.events = []
    pair.peripheral.disconnected(HostPair.handle)
    #expect(
      pair.peripheral.events.contains {
        if case .serverNotice(_, .subscription(Self.notifying, [])) = $0 { true } else { false }
      }
    )
    pair.peripheral.connected(HostBench.peer(8), handle: HostPair.handle, role: .peripheral)
    #expect(pair.request([0x0A, 16, 0]) == [0x0B, 0, 0])
  }

  @Test("what is intercepted is served, answered otherwise, refused or ignored, as the owner says")
  func interception() {
    var pair = HostPair(Self.configuration(intercepts: true))
    pair.central.data = []
    func outcome(_ interception: Interception) -> [UInt8]? {
      pair.peripheral.events = []
      _ = pair.request([0x0A, 12, 0])
      for case .intercepted(let id, _, [0x0A, 12, 0]) in pair.peripheral.takeEvents() {
        pair.peripheral.act { host, now in host.resolve(id, interception, now: now) }
      }
      return pair.answer()
    }
    #expect(outcome(.serve) == [0x0B, 1, 2, 3])
    #expect(outcome(.answer([0x13, 1])) == [0x13, 1])
    #expect(outcome(.error(.insufficientResources)) == error(0x0A, 12, .insufficientResources))
    #expect(outcome(.ignore) == nil)
  }

  @Test("random requests never trap, and each that must be answered is answered at most once")
  func garbage() {
    var random = SeededBytes(seed: 3)
    var pair = pair()
    for _ in 0..<4_000 {
      let pdu = random.bytes(Int(random.next() % 30))
      _ = pair.request(pdu)
      for case .ownerRequest(_, let id, _) in pair.peripheral.takeEvents() {
        pair.peripheral.act { host, now in host.answer(id, .success([1]), now: now) }
      }
      _ = pair.answer()
    }
    #expect(pair.request([0x0A, 3, 0]) == [0x0B] + Array("Pulse".utf8))
  }

  @Test("services, includes and handles: what does not fit is refused whole")
  func database() {
    var database = GATTDatabase()
    let first = database.add(ServiceDefinition(BluetoothUUID(UInt16(0x180F)), isPrimary: false))
    let second = database.add(ServiceDefinition(Self.custom))
    #expect(first?.handle == AttributeHandle(1))
    let handles = [first, second].compactMap { $0?.handle }
    let including = database.add(ServiceDefinition(BluetoothUUID(UInt16(0x180D)), includes: handles))
    #expect(including?.end == AttributeHandle(5))
    #expect(database[AttributeHandle(4)]?.source == .stored([1, 0, 1, 0, 0x0F, 0x18]))
    #expect(database[AttributeHandle(5)]?.source == .stored([2, 0, 2, 0]))
    #expect(database.add(ServiceDefinition(Self.custom, includes: [AttributeHandle(99)])) == nil)
    let many = (0..<40_000).map { _ in CharacteristicDefinition(Self.custom, properties: .read) }
    #expect(database.add(ServiceDefinition(Self.custom, characteristics: many)) == nil)
    #expect(database.attributes.count == 5)
  }
}

extension BluetoothUUID {
  fileprivate var writtenLong: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer, byteCount: 16)
    return writer.bytes
  }
}
