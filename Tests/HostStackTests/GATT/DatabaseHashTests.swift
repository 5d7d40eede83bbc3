import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("The Database Hash, and what is remembered")
struct DatabaseHashTests {
  /// The example of Core 5.4, Vol 3, Part G, appendix B, as it is discovered.
  static let example: [RemoteService] = {
    func characteristic(
      _ handle: UInt16,
      _ uuid: UInt16,
      _ properties: UInt16,
      _ descriptors: [(UInt16, UInt16)] = []
    ) -> RemoteCharacteristic {
      RemoteCharacteristic(
        declarationHandle: AttributeHandle(handle),
        handle: AttributeHandle(handle + 1),
        uuid: BluetoothUUID(uuid),
        properties: CharacteristicProperties(rawValue: properties),
        descriptors: descriptors.map {
          RemoteDescriptor(handle: AttributeHandle($0), uuid: BluetoothUUID($1))
        }
      )
    }
    func service(
      _ range: ClosedRange<UInt16>,
      _ uuid: UInt16,
      isPrimary: Bool = true,
      _ includes: [RemoteInclude] = [],
      _ characteristics: [RemoteCharacteristic]
    ) -> RemoteService {
      RemoteService(
        handle: AttributeHandle(range.lowerBound),
        endHandle: AttributeHandle(range.upperBound),
        uuid: BluetoothUUID(uuid),
        isPrimary: isPrimary,
        includedServices: includes,
        characteristics: characteristics
      )
    }
    let battery = RemoteInclude(
      handle: AttributeHandle(0x0F),
      serviceHandle: AttributeHandle(0x14),
      endHandle: AttributeHandle(0x16),
      uuid: BluetoothUUID(UInt16(0x180F))
    )
    return [
      service(
        1...5,
        0x1800,
        [],
        [characteristic(2, 0x2A00, 0x0A), characteristic(4, 0x2A01, 0x02)]
      ),
      service(
        6...0xD,
        0x1801,
        [],
        [
          characteristic(7, 0x2A05, 0x20, [(9, 0x2902)]), characteristic(0xA, 0x2B29, 0x0A),
          characteristic(0xC, 0x2B2A, 0x02),
        ]
      ),
      service(
        0xE...0x13,
        0x1808,
        [battery],
        [characteristic(0x10, 0x2A18, 0xA2, [(0x12, 0x2902), (0x13, 0x2900)])]
      ),
      service(0x14...0x16, 0x180F, isPrimary: false, [], [characteristic(0x15, 0x2A19, 0x02)]),
    ]
  }()

  @Test("it is that of the example of the specification, least significant byte first")
  func vector() {
    let expected: [UInt8] = [
      0xF1, 0xCA, 0x2D, 0x48, 0xEC, 0xF5, 0x8B, 0xAC, 0x8A, 0x88, 0x30, 0xBB, 0xB9, 0xFB, 0xA9,
      0x90,
    ]
    #expect(DatabaseHash(of: Self.example).bytes == expected.reversed())
  }

  @Test("a client that has discovered a server has the hash that the server has")
  func agreement() throws {
    let definition = ServiceDefinition(
      "F0001000-0000-4000-8000-000000000001",
      characteristics: [
        CharacteristicDefinition(
          "F0001000-0000-4000-8000-000000000002",
          properties: [.read, .write, .notify, .indicate, .reliableWrite],
          userDescription: "text",
          descriptors: [
            DescriptorDefinition(
              BluetoothUUID(UInt16(0x2904)),
              source: .stored([4, 0, 0, 0, 1, 0, 0])
            ),
            DescriptorDefinition(BluetoothUUID(UInt16(0x2906)), source: .stored([0, 1])),
          ]
        )
      ]
    )
    var pair = HostPair(HostConfiguration(services: [definition]))
    _ = pair.act { host, link, now in host.discover(nil, on: link, now: now) }
    var services: [RemoteService] = []
    for case .discovered(_, .success(let found)) in pair.central.events { services = found }
    let hash = try #require(pair.peripheral.host.database.hash)
    #expect(DatabaseHash(of: services) == hash)
  }

  @Test("it follows what is offered, and not the values")
  func changes() throws {
    var database = HostConfiguration().makeDatabase()
    let first = try #require(database.hash)
    database.store(Array("Other".utf8), at: AttributeHandle(3))
    #expect(database.hash == first)
    let service = ServiceDefinition(BluetoothUUID(UInt16(0xFF00)))
    let added = database.add(service)
    let placed = try #require(added)
    let second = try #require(database.hash)
    #expect(second != first)
    _ = database.remove(placed.handle)
    #expect(database.hash == first)
    #expect(DatabaseHash([1, 2, 3]) == nil)
  }

  // MARK: What is remembered

  private func cache() -> GATTCache {
    var cache = GATTCache()
    let database = RememberedDatabase(services: Self.example, hash: DatabaseHash(of: Self.example))
    cache.store(database, of: HostBench.peer(1))
    cache.store(RememberedDatabase(services: [], hash: nil), of: BluetoothAddress(5, .public))
    return cache
  }

  @Test(
    "what has a hash may be used, what has none may not; an address that changes is not remembered"
  )
  func trust() {
    var cache = cache()
    #expect(cache[HostBench.peer(1)]?.services == Self.example)
    #expect(cache[BluetoothAddress(HostBench.peer(1).value, .randomIdentity)] != nil)
    #expect(cache[BluetoothAddress(5, .public)] == nil)
    let database = RememberedDatabase(services: Self.example, hash: DatabaseHash(of: Self.example))
    cache.store(database, of: BluetoothAddress(0x4000_0000_0001, .random))
    #expect(cache.count == 2)
    cache.forget(HostBench.peer(1))
    #expect(cache[HostBench.peer(1)] == nil)
  }

  @Test("the least recently stored of too many peers is forgotten")
  func bound() {
    var cache = GATTCache()
    let database = RememberedDatabase(services: [], hash: DatabaseHash(of: []))
    for number in 1...(UInt64(GATTCache.limit) + 1) {
      cache.store(database, of: BluetoothAddress(number, .public))
    }
    #expect(cache.count == GATTCache.limit)
    #expect(
      cache[BluetoothAddress(1, .public)] == nil && cache[BluetoothAddress(2, .public)] != nil
    )
  }

  @Test("it is the same when it was written and read; what is cut off or garbage is an error")
  func bytes() throws {
    let bytes = cache().bytes
    #expect(try GATTCache(bytes: bytes) == cache())
    for count in bytes.indices {
      #expect(throws: ByteError.self) { try GATTCache(bytes: Array(bytes[..<count])) }
    }
    #expect(throws: ByteError.self) { try GATTCache(bytes: [9] + bytes.dropFirst()) }
    var generator = SplitMix64(seed: 9)
    for _ in 0..<2000 {
      var broken = bytes
      broken[Int.random(in: broken.indices, using: &generator)] = UInt8.random(
        in: 0...255,
        using: &generator
      )
      _ = try? GATTCache(bytes: broken)
      _ = try? GATTCache(bytes: [1] + generator.bytes(60))
    }
  }
}
