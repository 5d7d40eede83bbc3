import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("GATT server: services that change, and groups of writes")
struct ServerChangesTests {
  private let link = LinkID(peer: PeerID(high: 1, low: 1), generation: 1)
  private let other = LinkID(peer: PeerID(high: 1, low: 2), generation: 2)

  private func server() -> GATTServer {
    var server = GATTServer(database: HostConfiguration().makeDatabase())
    server.open(link)
    server.open(other)
    return server
  }

  private func service(
    _ uuid: UInt16,
    _ properties: CharacteristicProperties = [.read, .write, .notify, .indicate],
    includes: [AttributeHandle] = []
  ) -> ServiceDefinition {
    ServiceDefinition(
      BluetoothUUID(uuid),
      includes: includes,
      characteristics: [CharacteristicDefinition(BluetoothUUID(uuid + 1), properties: properties)]
    )
  }

  private func add(
    _ service: ServiceDefinition,
    _ owner: UInt64,
    _ server: inout GATTServer
  ) throws -> GATTDatabase.PlacedService {
    let placed = server.add(service, owner: owner, now: .zero)
    return try #require(placed)
  }

  private func sent(_ server: inout GATTServer) -> [[UInt8]] {
    server.takeOutputs().compactMap { if case .send(_, let pdu) = $0 { pdu } else { nil } }
  }

  @Test("a client that asked for it is told of services that come and go, once for several changes")
  func serviceChanged() throws {
    var server = server()
    // Service Changed has the handle 8, its configuration 9.
    server.receive([0x12, 9, 0, 2, 0], from: link, now: .zero)
    _ = server.takeOutputs()
    let first = try add(service(0xFF00), 1, &server)
    let pdus1 = sent(&server)
    #expect(pdus1 == [[0x1D, 8, 0, UInt8(first.handle.rawValue), 0, UInt8(first.end.rawValue), 0]])
    let second = try add(service(0xFF10), 1, &server)
    server.remove(first.handle, now: .zero)
    let pdus2 = sent(&server)
    #expect(pdus2.isEmpty)
    server.receive([0x1E], from: link, now: .zero)
    let pdus3 = sent(&server)
    #expect(pdus3 == [[0x1D, 8, 0, UInt8(first.handle.rawValue), 0, UInt8(second.end.rawValue), 0]])
    #expect(!server.database.services.contains { $0.handle == first.handle })
  }

  @Test("handles of a removed service are not given out again while there are others")
  func handles() throws {
    var server = server()
    let first = try add(service(0xFF00), 1, &server)
    server.remove(first.handle, now: .zero)
    let second = try add(service(0xFF00), 1, &server)
    #expect(second.handle > first.end)
    #expect(server.database[first.handle] == nil)
  }

  @Test("when no handles are left behind, gaps are used; when there are none, nothing is added")
  func fullDatabase() throws {
    var database = GATTDatabase()
    let many = ServiceDefinition(
      BluetoothUUID(UInt16(0xFF00)),
      characteristics: Array(
        repeating: CharacteristicDefinition(BluetoothUUID(UInt16(0xFF01)), properties: .read),
        count: 16_000
      )
    )
    let first = database.add(many)
    database.add(many)
    let third = database.add(many)
    #expect(third == nil)
    let handle = try #require(first?.handle)
    _ = database.remove(handle)
    let again = database.add(many)
    #expect(again?.handle == handle)
    #expect(database.services.map(\.handle) == database.services.map(\.handle).sorted())
    #expect(database.attributes.map(\.handle) == database.attributes.map(\.handle).sorted())
  }

  @Test("a service that goes takes its requests, subscriptions and references along")
  func removal() throws {
    var server = server()
    let placed = try add(service(0xFF00), 1, &server)
    let including = try add(service(0xFF10, includes: [placed.handle]), 2, &server)
    let value = placed.characteristics[0].value
    let low = UInt8(value.rawValue)
    server.receive([0x12, low + 1, 0, 1, 0], from: link, now: .zero)
    server.receive([0x0A, low, 0], from: other, now: .zero)
    _ = server.takeOutputs()
    server.remove(placed.handle, now: .zero)
    var hasEnded = false
    var isUnsubscribed = false
    var answers: [[UInt8]] = []
    for output in server.takeOutputs() {
      switch output {
      case .notice(other, .ended): hasEnded = true
      case .notice(link, .subscription(value, [])): isUnsubscribed = true
      case .send(other, let pdu): answers.append(pdu)
      default: break
      }
    }
    #expect(hasEnded)
    #expect(isUnsubscribed)
    #expect(answers == [[0x01, 0x0A, low, 0, ATTErrorCode.invalidHandle.rawValue]])
    let includes = server.database.attributes(in: including.handle...including.end).filter {
      $0.type == .includeDeclaration
    }
    #expect(includes.isEmpty)
  }

  @Test("prepared writes reach each owner as one group, and what the database keeps is written last")
  func groups() throws {
    var server = server()
    let first = try add(service(0xFF00), 1, &server)
    let second = try add(service(0xFF10), 2, &server)
    let keeping = ServiceDefinition(
      BluetoothUUID(UInt16(0xFF20)),
      characteristics: [
        CharacteristicDefinition(BluetoothUUID(UInt16(0xFF21)), properties: [.read, .write], source: .stored([9]))
      ]
    )
    let kept = try add(keeping, 1, &server)
    func low(_ service: GATTDatabase.PlacedService) -> UInt8 { UInt8(service.characteristics[0].value.rawValue) }
    func prepare(_ handle: UInt8, _ offset: UInt8, _ value: UInt8) {
      server.receive([0x16, handle, 0, offset, 0, value], from: link, now: .zero)
    }
    func asked() -> (ReplyID, [WriteRequest.Part])? {
      for case .ask(_, let id, .write(let parts)) in server.takeOutputs() { return (id, parts) }
      return nil
    }
    func prepareAll() {
      prepare(low(first), 0, 1)
      prepare(low(kept), 0, 2)
      prepare(low(second), 0, 3)
      prepare(low(first), 1, 4)
      server.receive([0x18, 1], from: link, now: .zero)
    }
    prepareAll()
    let one = try #require(asked())
    #expect(one.1.map(\.value) == [[1], [4]])
    #expect(one.1.map(\.offset) == [0, 1])
    server.answer(one.0, .success([]), now: .zero)
    let two = try #require(asked())
    #expect(two.1.map(\.value) == [[3]])
    #expect(server.database[kept.characteristics[0].value]?.source == .stored([9]))
    server.answer(two.0, .success([]), now: .zero)
    let pdus4 = sent(&server)
    #expect(pdus4 == [[0x19]])
    #expect(server.database[kept.characteristics[0].value]?.source == .stored([2]))
    // One that refuses stops it; what the database keeps stays.
    server.store([9], at: kept.characteristics[0].value)
    prepareAll()
    server.answer(try #require(asked()).0, .failure(.valueNotAllowed), now: .zero)
    let pdus5 = sent(&server)
    #expect(pdus5 == [[0x01, 0x18, low(first), 0, ATTErrorCode.valueNotAllowed.rawValue]])
    #expect(server.database[kept.characteristics[0].value]?.source == .stored([9]))
    // A second answer does nothing.
    server.answer(two.0, .success([]), now: .zero)
    #expect(server.takeOutputs().isEmpty)
  }

  @Test("owners answer several clients in any order")
  func anyOrder() throws {
    var server = server()
    let placed = try add(service(0xFF00), 1, &server)
    let low = UInt8(placed.characteristics[0].value.rawValue)
    server.receive([0x0A, low, 0], from: link, now: .zero)
    server.receive([0x0A, low, 0], from: other, now: .zero)
    let ids = server.takeOutputs().compactMap { if case .ask(_, let id, _) = $0 { id } else { nil } }
    #expect(ids.count == 2)
    for (id, value) in zip(ids.reversed(), [2, 1] as [UInt8]) { server.answer(id, .success([value]), now: .zero) }
    let answers = server.takeOutputs().compactMap { output -> (LinkID, [UInt8])? in
      if case .send(let link, let pdu) = output { (link, pdu) } else { nil }
    }
    #expect(answers.map(\.0) == [other, link])
    #expect(answers.map(\.1) == [[0x0B, 2], [0x0B, 1]])
  }
}
