import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("GATT server: what goes on beside a request, and long values that change")
struct ServerFlowTests {
  private let link = LinkID(peer: PeerID(high: 1, low: 1), generation: 1)

  /// A value of the owner's that can be read and indicated, on the only link, which has subscribed to it.
  private func server(mtu: Int = 23) throws -> (GATTServer, GATTDatabase.PlacedCharacteristic) {
    var server = GATTServer(database: HostConfiguration().makeDatabase())
    server.open(link)
    server.setMTU(mtu, of: link)
    let service = ServiceDefinition(
      BluetoothUUID(UInt16(0xFF00)),
      characteristics: [
        CharacteristicDefinition(BluetoothUUID(UInt16(0xFF01)), properties: [.read, .write, .indicate])
      ]
    )
    let added = server.add(service, owner: 1, now: .zero)
    let placed = try #require(added?.characteristics.first)
    send([0x12, low(placed.value) + 1, 0, 2, 0], to: &server)
    _ = server.takeOutputs()
    return (server, placed)
  }

  private func low(_ handle: AttributeHandle) -> UInt8 { UInt8(truncatingIfNeeded: handle.rawValue) }

  private func send(_ pdu: [UInt8], to server: inout GATTServer) { server.receive(pdu, from: link, now: .zero) }

  private func sent(_ server: inout GATTServer) -> [[UInt8]] {
    server.takeOutputs().compactMap { if case .send(_, let pdu) = $0 { pdu } else { nil } }
  }

  private func indicate(_ value: [UInt8], _ handle: AttributeHandle, _ token: UInt64, _ server: inout GATTServer) throws
  {
    try server.indicate(value, of: handle, to: link, token: token, now: .zero)
  }

  private func confirmations(_ server: inout GATTServer) -> [String] {
    server.takeOutputs().compactMap {
      if case .notice(_, .confirmed(_, let token, let what)) = $0 { "\(token) \(what)" } else { nil }
    }
  }

  /// Answers the one question that the server has.
  private func answer(_ value: [UInt8], _ server: inout GATTServer) {
    for case .ask(_, let id, _) in server.takeOutputs() { server.answer(id, .success(value), now: .zero) }
  }

  private func expect<Value: Equatable>(_ value: Value, _ wanted: Value, at place: SourceLocation = #_sourceLocation) {
    #expect(value == wanted, sourceLocation: place)
  }

  @Test("a confirmation is taken while the owner is asked, and is not held up by the client's own request")
  func confirmationBesideRequest() throws {
    var (server, placed) = try server()
    send([0x0A, low(placed.value), 0], to: &server)
    let questions = server.takeOutputs()
    try indicate([1], placed.value, 7, &server)
    try indicate([2], placed.value, 8, &server)
    expect(sent(&server), [[0x1D, low(placed.value), 0, 1]])
    send([0x1E], to: &server)
    expect(confirmations(&server), ["7 confirmed"])
    send([0x1E], to: &server)
    expect(confirmations(&server), ["8 confirmed"])
    #expect(server.deadline == nil)
    for case .ask(_, let id, _) in questions { server.answer(id, .success([5]), now: .zero) }
    expect(sent(&server), [[0x0B, 5]])
  }

  @Test("indications that wait are given up when the client unsubscribes, each named by its token")
  func unsubscribing() throws {
    var (server, placed) = try server()
    for token in 1...3 as ClosedRange<UInt64> { try indicate([UInt8(token)], placed.value, token, &server) }
    _ = server.takeOutputs()
    send([0x12, low(placed.value) + 1, 0, 0, 0], to: &server)
    expect(confirmations(&server), ["2 unsubscribed", "3 unsubscribed"])
    send([0x1E], to: &server)
    expect(confirmations(&server), ["1 confirmed"])
  }

  @Test("a service that goes gives up its own indications and no other's")
  func withdrawnBehindAnother() throws {
    var (server, placed) = try server()
    let second = ServiceDefinition(
      BluetoothUUID(UInt16(0xFF10)),
      characteristics: [CharacteristicDefinition(BluetoothUUID(UInt16(0xFF11)), properties: .indicate)]
    )
    let added = server.add(second, owner: 2, now: .zero)
    let other = try #require(added)
    let value = other.characteristics[0].value
    send([0x12, low(value) + 1, 0, 2, 0], to: &server)
    try indicate([1], placed.value, 1, &server)
    try indicate([2], value, 2, &server)
    try indicate([3], placed.value, 3, &server)
    _ = server.takeOutputs()
    server.remove(other.handle, now: .zero)
    expect(confirmations(&server), ["2 withdrawn"])
    for _ in 0..<2 { send([0x1E], to: &server) }
    expect(confirmations(&server), ["1 confirmed", "3 confirmed"])
  }

  @Test("a long read is of one value, also where the first part just fills the PDU or the MTU grows meanwhile")
  func longReadOfOneValue() throws {
    var (server, placed) = try server()
    let handle = low(placed.value)
    let first = [UInt8](repeating: 1, count: 22)
    send([0x0A, handle, 0], to: &server)
    answer(first, &server)
    expect(sent(&server), [[0x0B] + first])
    // The owner's value is another by now: what follows must not be of it.
    send([0x0C, handle, 0, 22, 0], to: &server)
    expect(sent(&server), [[0x0D]])

    send([0x0A, handle, 0], to: &server)
    server.setMTU(100, of: link)
    answer(first, &server)
    expect(sent(&server), [[0x0B] + first])
    send([0x0C, handle, 0, 22, 0], to: &server)
    expect(sent(&server), [[0x0D]])
  }

  @Test("a value that is read in parts from its beginning is asked for anew")
  func blobFromTheBeginning() throws {
    var (server, placed) = try server()
    let handle = low(placed.value)
    for fill in 1...2 as ClosedRange<UInt8> {
      let value = [UInt8](repeating: fill, count: 30)
      send([0x0C, handle, 0, 0, 0], to: &server)
      answer(value, &server)
      expect(sent(&server), [[0x0D] + value.prefix(22)])
      send([0x0C, handle, 0, 22, 0], to: &server)
      expect(sent(&server), [[0x0D] + value.suffix(8)])
    }
  }

  @Test("the queue of prepared writes takes 4096 bytes and no more, and is empty again after a cancel")
  func preparedBytes() throws {
    var (server, placed) = try server(mtu: 517)
    let handle = low(placed.value)
    let part = [UInt8](repeating: 7, count: 512)
    for _ in 0..<2 {
      for _ in 0..<8 {
        send([0x16, handle, 0, 0, 0] + part, to: &server)
        expect(sent(&server), [[0x17, handle, 0, 0, 0] + part])
      }
      send([0x16, handle, 0, 0, 0, 1], to: &server)
      expect(sent(&server), [[0x01, 0x16, handle, 0, ATTErrorCode.prepareQueueFull.rawValue]])
      send([0x18, 0], to: &server)
      expect(sent(&server), [[0x19]])
    }
  }

  @Test("F33: no value of more than 512 bytes is sent, however long the link's PDUs are")
  func longest() throws {
    var (server, placed) = try server(mtu: 517)
    let long = [UInt8](repeating: 0, count: 512)
    try indicate(long, placed.value, 1, &server)
    var refusal: NotifyRefusal?
    do throws(NotifyRefusal) {
      try server.indicate(long + [0], of: placed.value, to: link, token: 2, now: .zero)
    } catch { refusal = error }
    #expect(refusal == .tooLong(limit: 512))
  }
}
