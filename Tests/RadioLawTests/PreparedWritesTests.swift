#if os(Linux)
  import BluetoothTypes
  import Halcyon
  import HostStack
  import Synchronization
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// What a central prepares for several characteristics and has written as one, at a server of Halcyon's.
  @Suite("Prepared writes to several handlers", .reportsWorlds)
  struct PreparedWritesTests {
    private static let service: ServiceID = "FFE0"
    private static let one: Halcyon.Characteristic<UInt16> = .init("FFE1", in: service)
    private static let two: Halcyon.Characteristic<UInt16> = .init("FFE2", in: service)
    private static let three: Halcyon.Characteristic<UInt16> = .init("FFE3", in: service)

    private func run(
      _ body:
        @escaping @Sendable (RawCentral, [AttributeHandle], _ acted: @Sendable () -> [UInt16]) async throws -> Void
    ) async throws {
      try await World.simulated(seed: 1) { world in
        let log = Log()
        func handler(_ offset: UInt16) -> @Sendable (UInt16) async throws -> Void {
          { value in
            if value == 0xFFFF { throw ATTErrorCode.valueNotAllowed }
            log.add("\(value + offset)")
          }
        }
        let server = PeripheralServer(radio: world.makeRadio(name: "server")) {
          Service(Self.service) {
            Writable(Self.one, isReliable: true, handler(100))
            Writable(Self.two, isReliable: true, handler(200))
            Writable(Self.three, isReliable: true, handler(300))
          }
        }
        try await server.start()
        let central = Central(radio: world.radio)
        try await central.ready()
        let found = try await central.scan(for: [Self.service], timeout: .seconds(3)).first { _ in true }
        let raw = RawCentral(world, number: 9)
        try await raw.connect(to: try #require(found?.peripheral.id.address))
        var handles: [AttributeHandle] = []
        for uuid in [0xFFE1, 0xFFE2, 0xFFE3] as [UInt16] { handles += try await raw.handles(of: uuid) }
        try #require(handles.count == 3)
        try await body(raw, handles) { log.take().compactMap { UInt16($0) } }
      }
    }

    @Test("the handlers run in their order, and the central hears that all is written")
    func all() async throws {
      try await run { raw, handles, acted in
        try await raw.prepare([1, 0], at: handles[1])
        try await raw.prepare([2, 0], at: handles[0])
        try await raw.prepare([3, 0], at: handles[2])
        #expect(try await raw.execute() == [0x19])
        #expect(acted() == [201, 102, 303])
      }
    }

    @Test("bytes that make no value refuse all before any handler runs")
    func undecodable() async throws {
      try await run { raw, handles, acted in
        try await raw.prepare([1, 0], at: handles[0])
        try await raw.prepare([2], at: handles[1])
        let answer = try await raw.execute()
        #expect(answer?.first == 0x01 && answer?.last == ATTErrorCode.invalidAttributeValueLength.rawValue)
        #expect(acted() == [])
      }
    }

    @Test("the first handler that throws gives its error; those before it have acted, those behind it do not")
    func refused() async throws {
      try await run { raw, handles, acted in
        try await raw.prepare([1, 0], at: handles[0])
        try await raw.prepare([0xFF, 0xFF], at: handles[1])
        try await raw.prepare([3, 0], at: handles[2])
        let answer = try await raw.execute()
        #expect(answer?.first == 0x01 && answer?.last == ATTErrorCode.valueNotAllowed.rawValue)
        #expect(acted() == [101])
        // Nothing is left of it.
        #expect(try await raw.execute() == [0x19])
        #expect(acted() == [])
      }
    }
  }
#endif
