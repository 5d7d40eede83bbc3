#if os(Linux)
  import Foundation
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @testable import CoreBluetooth

  @Suite("Files of state restoration", .reportsWorlds)
  struct RestorationFileTests {
    private static func file(_ shelf: Shelf, _ identifier: Any = "one") -> RestorationFile? {
      RestorationFile(
        role: "central",
        key: CBCentralManagerOptionRestoreIdentifierKey,
        options: [
          CBCentralManagerOptionRestoreIdentifierKey: identifier, CBManagerOptionStateDirectoryKey: shelf.url,
        ]
      )
    }

    private static let record = ServerRecord(
      services: [
        ServerRecord.Service(
          uuid: RecordedUUID(CBUUID(string: "FFF0").value),
          isPrimary: true,
          includes: [],
          characteristics: [
            ServerRecord.Characteristic(
              uuid: RecordedUUID(CBUUID(string: "FFF1").value),
              properties: 2,
              permissions: 1,
              value: Data([1, 2]),
              descriptors: [.init(uuid: RecordedUUID(CBUUID(string: "2901").value), text: "Text")]
            )
          ]
        )
      ],
      advertisement: .init(name: "Name", services: nil)
    )

    @Test("what is saved is loaded; nothing is left when there is nothing to keep, or the end was in good order")
    func roundTrip() throws {
      let shelf = try Shelf()
      let file = try #require(Self.file(shelf))
      #expect(file.load(ServerRecord.self) == nil)
      file.save { Self.record }
      #expect(shelf.names == ["central-one.json"])
      #expect(Self.file(shelf)?.load(ServerRecord.self) == Self.record)
      file.save { nil as ServerRecord? }
      #expect(shelf.names == [])
      file.save { Self.record }
      file.end()
      #expect(shelf.names == [])
      file.save { Self.record }
      #expect(shelf.names == [])
      // A manager without an identifier, or with something else than text, keeps nothing.
      #expect(RestorationFile(role: "central", key: CBCentralManagerOptionRestoreIdentifierKey, options: nil) == nil)
      #expect(Self.file(shelf, 5) == nil)
    }

    @Test("identifiers of any form and length have files of their own")
    func names() throws {
      let shelf = try Shelf()
      let long = String(repeating: "ß", count: 300)
      for identifier in ["a/b", "a b", "..", "", long + "1", long + "2"] {
        try #require(Self.file(shelf, identifier)).save { Self.record }
      }
      #expect(shelf.names.count == 6)
    }

    @Test("a file that is cut at any byte, of another form or no text at all is set aside, and never traps")
    func corrupted() throws {
      let shelf = try Shelf()
      try #require(Self.file(shelf)).save { Self.record }
      let url = shelf.file("central-one.json")
      let whole = try Data(contentsOf: url)
      var broken = (0..<whole.count).map { whole.prefix($0) }
      let text = String(decoding: whole, as: UTF8.self)
      for (old, new) in [
        ("\"FFF0\"", "\"FFFG\""), ("\"version\" : 1", "\"version\" : 2"),
        ("\"includes\" : [\n", "\"includes\" : [\n 3"),
        ("\"properties\" : 2", "\"properties\" : -2"), ("\"services\"", "\"others\""),
      ] {
        #expect(text.contains(old))
        broken.append(Data(text.replacingOccurrences(of: old, with: new).utf8))
      }
      broken.append(Data([0xFF, 0xFE, 0, 1]))
      broken.append(Data(String(repeating: "[", count: 10_000).utf8))
      for (number, content) in broken.enumerated() {
        try content.write(to: url)
        #expect(Self.file(shelf)?.load(ServerRecord.self) == nil, "\(number)")
        #expect(shelf.names == ["central-one.json.corrupted"], "\(number)")
        try FileManager.default.removeItem(at: shelf.file("central-one.json.corrupted"))
      }
      // None takes the place of another.
      for _ in 0..<3 {
        try Data("?".utf8).write(to: url)
        #expect(Self.file(shelf)?.load(ServerRecord.self) == nil)
      }
      #expect(shelf.names.map { $0.dropFirst("central-one.json.corrupted".count) } == ["", "-2", "-3"])
    }

    @Test("managers with corrupted files start as new ones, and keep what they do from then on")
    func managers() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(.heartRateBand(name: "Pulse"))
        let shelf = try Shelf()
        let names = ["central-the%20app%27s%20own%2F1.json", "peripheral-the%20app%27s%20own%2F1.json"]
        for name in names { try Data("{\"version\":1".utf8).write(to: shelf.file(name)) }
        let (central, server) = (RestoredCentral(), RestoredServer())
        let manager = CBCentralManager(delegate: central, queue: nil, options: shelf.options(world.radio))
        let other = CBPeripheralManager(delegate: server, queue: nil, options: shelf.options(world.radio))
        #expect(shelf.names == names.map { $0 + ".corrupted" })
        try await world.run(for: .seconds(1))
        #expect(central.take() == ["state poweredOn"] && server.take() == ["state poweredOn"])
        manager.scanForPeripherals(withServices: nil)
        other.startAdvertising(nil)
        try await world.run(for: .seconds(1))
        #expect(shelf.names.count == 4 && central.heard == ["Pulse"])
        let left = try shelf.afterKill()
        // What can not be written is told, and nothing else comes of it.
        try FileManager.default.removeItem(at: shelf.url)
        try Data().write(to: shelf.url)
        manager.stopScan()
        manager.scanForPeripherals(withServices: [CBUUID(string: "180D")])
        #expect(manager.isScanning && left.names.count == 4)
      }
    }
  }
#endif
