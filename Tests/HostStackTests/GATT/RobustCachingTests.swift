import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("GATT server: clients that do not know of a change")
struct RobustCachingTests {
  private let link = LinkID(peer: PeerID(high: 1, low: 1), generation: 1)
  /// Where the host's own services have their parts.
  private let changed: UInt8 = 8
  private let features: UInt8 = 11
  private let hash: UInt8 = 13

  private func server() -> GATTServer {
    var server = GATTServer(database: HostConfiguration().makeDatabase())
    server.open(link)
    return server
  }

  private func ask(_ server: inout GATTServer, _ pdu: [UInt8]) -> [UInt8]? {
    _ = server.takeOutputs()
    server.receive(pdu, from: link, now: .zero)
    for case .send(_, let answer) in server.takeOutputs() { return answer }
    return nil
  }

  private func change(_ server: inout GATTServer) {
    _ = server.add(ServiceDefinition(BluetoothUUID(UInt16(0xFF00))), owner: 1, now: .zero)
  }

  private func outOfSync(_ opcode: UInt8, _ handle: UInt8) -> [UInt8] {
    [0x01, opcode, handle, 0, 0x12]
  }

  private let readName: [UInt8] = [0x0A, 3, 0]
  private let nameIsRead = [0x0B] + Array("Halcyon".utf8)

  @Test("a client says what it can do, for itself, and can not take it back")
  func clientFeatures() {
    var server = server()
    let other = LinkID(peer: PeerID(high: 1, low: 2), generation: 2)
    server.open(other)
    #expect(ask(&server, [0x0A, features, 0]) == [0x0B, 0])
    #expect(ask(&server, [0x12, features, 0, 0x01]) == [0x13])
    #expect(ask(&server, [0x12, features, 0, 0xFD, 9]) == [0x13])
    #expect(ask(&server, [0x0A, features, 0]) == [0x0B, 0x05])
    #expect(ask(&server, [0x12, features, 0, 0x01]) == [0x01, 0x12, features, 0, 0x13])
    #expect(ask(&server, [0x12, features, 0]) == [0x01, 0x12, features, 0, 0x0D])
    #expect(server.features(of: link) == [.robustCaching, .multipleNotifications])
    #expect(server.features(of: other) == [])
  }

  @Test(
    "a client that wants it gets Database Out Of Sync once after a change; then it counts as told"
  )
  func once() {
    var server = server()
    _ = ask(&server, [0x12, features, 0, 1])
    #expect(ask(&server, readName) == nameIsRead)
    change(&server)
    #expect(ask(&server, readName) == outOfSync(0x0A, 3))
    #expect(ask(&server, readName) == nameIsRead)
    change(&server)
    #expect(ask(&server, [0x12, features, 0, 1]) == outOfSync(0x12, features))
    // A change before it has asked again is one more.
    change(&server)
    #expect(ask(&server, [0x20, 3, 0, 5, 0]) == outOfSync(0x20, 3))
    #expect(ask(&server, [0x12, features, 0, 1]) == [0x13])
  }

  @Test("a client that does not want it never gets it")
  func notRobust() {
    var server = server()
    change(&server)
    #expect(ask(&server, readName) == nameIsRead)
  }

  @Test(
    "what a discovery asks is answered; a read by type of a part, for other than declarations, is not"
  )
  func discoveryIsServed() {
    var server = server()
    _ = ask(&server, [0x12, features, 0, 1])
    change(&server)
    #expect(ask(&server, [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])?.first == 0x11)
    #expect(ask(&server, [0x08, 1, 0, 9, 0, 0x03, 0x28])?.first == 0x09)
    #expect(ask(&server, [0x04, 1, 0, 9, 0])?.first == 0x05)
    #expect(ask(&server, [0x08, 1, 0, 9, 0, 0x00, 0x2A]) == outOfSync(0x08, 1))
  }

  @Test("a client that has read the hash, and asks again, is up to date")
  func byHash() {
    var server = server()
    _ = ask(&server, [0x12, features, 0, 1])
    change(&server)
    let answer = ask(&server, [0x08, 1, 0, 0xFF, 0xFF, 0x2A, 0x2B])
    #expect(answer == [0x09, 18, hash, 0] + (server.database.hash?.bytes ?? []))
    #expect(ask(&server, readName) == nameIsRead)
  }

  @Test(
    "a client that has confirmed Service Changed is up to date, but not on a change that it was not told of yet"
  )
  func byIndication() {
    var server = server()
    _ = ask(&server, [0x12, features, 0, 1])
    _ = ask(&server, [0x12, changed + 1, 0, 2, 0])
    change(&server)
    change(&server)
    // The first change is confirmed, and the second indicated.
    #expect(ask(&server, [0x1E])?.first == 0x1D)
    #expect(ask(&server, readName) == outOfSync(0x0A, 3))
    change(&server)
    _ = ask(&server, [0x1E])
    _ = ask(&server, [0x1E])
    #expect(ask(&server, readName) == nameIsRead)
  }

  @Test("to such a client nothing is sent and from it no command is taken until it is up to date")
  func values() throws {
    var server = server()
    let definition = ServiceDefinition(
      BluetoothUUID(UInt16(0xFF10)),
      characteristics: [
        CharacteristicDefinition(
          BluetoothUUID(UInt16(0xFF11)),
          properties: [.notify, .writeWithoutResponse]
        )
      ]
    )
    let added = server.add(definition, owner: 1, now: .zero)
    let value = try #require(added?.characteristics.first?.value)
    let low = UInt8(value.rawValue)
    _ = ask(&server, [0x12, low + 1, 0, 1, 0])
    _ = ask(&server, [0x12, features, 0, 1])
    _ = ask(&server, readName)
    _ = ask(&server, readName)
    #expect(server.modes(of: value, for: link) == .notifications)
    change(&server)
    #expect(server.modes(of: value, for: link) == [])
    #expect(throws: NotifyRefusal.notSubscribed) {
      try server.notification([1], of: value, to: link)
    }
    server.receive([0x52, low, 0, 9], from: link, now: .zero)
    let isSilent = server.takeOutputs().allSatisfy { if case .notice = $0 { false } else { true } }
    #expect(isSilent)
    _ = ask(&server, readName)
    _ = ask(&server, readName)
    #expect(server.modes(of: value, for: link) == .notifications)
    server.receive([0x52, low, 0, 9], from: link, now: .zero)
    let outputs = server.takeOutputs()
    #expect(outputs.count == 1)
  }
}
