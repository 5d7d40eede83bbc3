import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Services that are remembered from one connection to the next")
struct CachingTests {
  private static let service = ServiceDefinition(
    BluetoothUUID(UInt16(0xFF00)),
    characteristics: [
      CharacteristicDefinition(
        BluetoothUUID(UInt16(0xFF01)),
        properties: [.read, .notify],
        source: .stored([7])
      )
    ]
  )

  private func discover(_ pair: inout HostPair) -> [RemoteService]? {
    pair.central.events = []
    _ = pair.act { host, link, now in host.discover(nil, on: link, now: now) }
    for case .discovered(_, .success(let services)) in pair.central.events { return services }
    return nil
  }

  /// The same, which must succeed.
  private func discovered(_ pair: inout HostPair) throws -> [RemoteService] {
    let services = discover(&pair)
    return try #require(services)
  }

  private func readValue(_ pair: inout HostPair) -> Result<[UInt8], RadioFailure>? {
    let handle = value(pair)
    return read(&pair, handle)
  }

  private func read(_ pair: inout HostPair, _ handle: AttributeHandle) -> Result<
    [UInt8], RadioFailure
  >? {
    pair.central.events = []
    _ = pair.act { host, link, now in host.read(handle, on: link, now: now) }
    for case .read(_, let result) in pair.central.events { return result }
    return nil
  }

  private func value(_ pair: HostPair) -> AttributeHandle {
    pair.peripheral.host.database.services.last?.characteristics.first?.value ?? AttributeHandle(0)
  }

  @Test(
    "F38: a device whose Database Hash is unchanged costs the MTU and the hash, then the first read"
  )
  func reconnect() throws {
    var pair = HostPair(HostConfiguration(services: [Self.service]))
    let found = try discovered(&pair)
    pair.pass(.seconds(1))
    pair.reconnect()
    pair.requests = []
    #expect(discover(&pair) == found)
    #expect(readValue(&pair)?.value == [7])
    #expect(pair.allRequests == [.exchangeMTURequest, .readByTypeRequest, .readRequest])
    // Then, behind it: Service Changed, the hash once more, for what has changed meanwhile, and what the client can do.
    #expect(pair.requests.suffix(3) == [.writeRequest, .readByTypeRequest, .writeRequest])
    // And once more in another host that was given what this one remembers.
    let cache = pair.central.host.gattCache
    var other = HostPair(HostConfiguration(services: [Self.service])) { $0.gattCache = cache }
    #expect(discover(&other) == found)
    #expect(other.allRequests == [.exchangeMTURequest, .readByTypeRequest])
  }

  @Test("F38: a hash with its most significant byte first, as BlueZ tells it, is one too")
  func otherOrder() throws {
    var pair = HostPair(HostConfiguration(services: [Self.service]))
    let hash = try #require(pair.peripheral.host.database.hash)
    let place = try #require(
      pair.peripheral.host.database.characteristic(.databaseHash, in: .genericAttribute)
    )
    pair.peripheral.act { host, _ in host.setValue(hash.bytes.reversed(), of: place.value) }
    let found = try discovered(&pair)
    pair.pass(.seconds(1))
    // There is no doubt about the services, and so no second discovery.
    var plain = HostPair(HostConfiguration(services: [Self.service]))
    _ = discover(&plain)
    plain.pass(.seconds(1))
    #expect(pair.requests == plain.requests)
    pair.reconnect()
    pair.requests = []
    #expect(discover(&pair) == found)
    #expect(readValue(&pair)?.value == [7])
    #expect(pair.allRequests == [.exchangeMTURequest, .readByTypeRequest, .readRequest])
  }

  @Test("without a request of the owner the client sees to changes after a moment")
  func moment() throws {
    var pair = HostPair(HostConfiguration(services: [Self.service]))
    _ = discover(&pair)
    pair.requests = []
    pair.pass(.milliseconds(249))
    #expect(pair.requests.isEmpty)
    pair.pass(.milliseconds(1))
    #expect(pair.requests == [.writeRequest, .readByTypeRequest, .writeRequest])
    let link = try #require(pair.peripheral.host.centrals.first)
    #expect(pair.peripheral.host.server.features(of: link) == .ours)
  }

  @Test("F38: a device whose hash has changed between two connections is discovered anew")
  func changedWhileAway() throws {
    var pair = HostPair(HostConfiguration(services: [Self.service]))
    let found = try discovered(&pair)
    pair.pass(.seconds(1))
    pair.disconnect()
    let added = ServiceDefinition(BluetoothUUID(UInt16(0xFF20)))
    pair.peripheral.act { host, now in _ = host.add(added, owner: 1, now: now) }
    pair.connect()
    let again = try discovered(&pair)
    #expect(again.count == found.count + 1)
    pair.pass(.seconds(1))
    pair.reconnect()
    pair.requests = []
    #expect(discover(&pair) == again)
    #expect(!pair.requests.contains(.readByGroupTypeRequest))
  }

  @Test("F38: a change during a connection is told, forgotten, and discovered anew")
  func changedMeanwhile() throws {
    var pair = HostPair(HostConfiguration(services: [Self.service]))
    _ = discover(&pair)
    pair.pass(.seconds(1))
    #expect(pair.central.host.gattCache.count == 1)
    pair.central.events = []
    let added = ServiceDefinition(BluetoothUUID(UInt16(0xFF20)))
    pair.peripheral.act { host, now in _ = host.add(added, owner: 1, now: now) }
    pair.run()
    #expect(
      pair.central.events.linkEvents.contains {
        if case .servicesChanged = $0.event { true } else { false }
      }
    )
    #expect(pair.central.host.gattCache.count == 0)
    // It has confirmed, so it is up to date.
    #expect(readValue(&pair) != nil)
    #expect(discover(&pair)?.count == 4)
  }

  @Test(
    "F38: a server that says Database Out Of Sync: the request fails with that, and all is discovered anew"
  )
  func outOfSync() throws {
    var pair = HostPair(HostConfiguration(services: [Self.service]))
    let found = try discovered(&pair)
    pair.pass(.seconds(1))
    // The change is indicated, but not yet confirmed.
    pair.central.events = []
    pair.peripheral.act { host, now in
      _ = host.add(ServiceDefinition(BluetoothUUID(UInt16(0xFF20))), owner: 1, now: now)
    }
    pair.peripheral.data = []
    let failure = read(&pair, found[2].characteristics[0].handle)?.failure
    #expect(failure?.underlying == .att(.databaseOutOfSync, found[2].characteristics[0].handle))
    #expect(
      pair.central.events.linkEvents.contains {
        if case .servicesChanged = $0.event { true } else { false }
      }
    )
    #expect(discover(&pair)?.count == 4)
    #expect(read(&pair, found[2].characteristics[0].handle)?.value == [7])
  }

  @Test("F38: a device without a hash that changes before it was asked to tell of changes is discovered once more")
  func changedBeforeSubscription() throws {
    var pair = HostPair(HostConfiguration(services: [Self.service], hasDatabaseHash: false))
    let found = try discovered(&pair)
    let added = ServiceDefinition(BluetoothUUID(UInt16(0xFF20)))
    pair.peripheral.act { host, now in _ = host.add(added, owner: 1, now: now) }
    pair.run()
    pair.central.events = []
    pair.requests = []
    pair.pass(.seconds(1))
    #expect(pair.requests.first == .writeRequest)
    #expect(pair.requests.contains(.readByGroupTypeRequest))
    #expect(
      pair.central.events.linkEvents.contains {
        if case .servicesChanged = $0.event { true } else { false }
      }
    )
    pair.requests = []
    #expect(try discovered(&pair).count == found.count + 1)
    #expect(pair.requests.isEmpty)
    // Nothing is asked for again while it tells.
    pair.pass(.seconds(5))
    #expect(pair.requests.isEmpty)
  }

  @Test("F38: a device without a hash that has not changed is looked at once more, behind what is asked for")
  func unchangedWithoutHash() throws {
    var pair = HostPair(HostConfiguration(services: [Self.service], hasDatabaseHash: false))
    let found = try discovered(&pair)
    let first = pair.requests.dropFirst()
    pair.requests = []
    pair.central.events = []
    #expect(readValue(&pair)?.value == [7])
    pair.pass(.seconds(5))
    #expect(pair.requests == [.readRequest, .writeRequest] + first)
    #expect(
      !pair.central.events.linkEvents.contains {
        if case .servicesChanged = $0.event { true } else { false }
      }
    )
    #expect(try discovered(&pair) == found)
  }

  @Test(
    "a hash that is not that of the table is not remembered"
  )
  func untrusted() throws {
    var pair = HostPair(HostConfiguration(services: [Self.service]))
    let hash = try #require(
      pair.peripheral.host.database.characteristic(.databaseHash, in: .genericAttribute)
    )
    pair.peripheral.act { host, _ in host.setValue(Array(repeating: 1, count: 16), of: hash.value) }
    try expectAnew(&pair)
  }

  @Test("a device without a hash is discovered each time")
  func withoutHash() throws {
    var pair = HostPair(HostConfiguration(services: [Self.service], hasDatabaseHash: false))
    try expectAnew(&pair)
  }

  /// Expects that the device is discovered anew with its next connection.
  private func expectAnew(_ pair: inout HostPair) throws {
    let found = try discovered(&pair)
    pair.pass(.seconds(1))
    #expect(pair.central.host.gattCache[HostBench.peer(7)] == nil)
    pair.reconnect()
    pair.requests = []
    #expect(discover(&pair) == found)
    #expect(pair.requests.contains(.readByGroupTypeRequest))
  }
}
