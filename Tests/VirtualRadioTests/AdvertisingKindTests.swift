import BluetoothTypes
import HostStack
import RadioPort
import Testing
import VirtualRadioTesting

@testable import VirtualRadio

/// Every kind of advertising that there is (Core 5.4, Vol 4, Part E, 7.8.5 and 7.8.53), from host to host.
@Suite("Kinds of advertising, from host to host")
struct AdvertisingKindTests {
  private typealias Bench = HostsOnAirTests.Bench
  private static let central = BluetoothAddress(0x10, .public)
  private static let advertiser = BluetoothAddress(0x20, .public)

  /// One kind, and what becomes of it.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let configuration: AdvertisingConfiguration
    /// What the device that it is for hears, scan responses included; `nil` if it hears nothing.
    let heard: [UInt8]?
    /// Whether others hear it too.
    var isForAll = true
    /// What a scanner that does not ask hears.
    let heardPassively: [UInt8]?

    var testDescription: String { name }
  }

  private static func data(_ count: Int) -> [UInt8] {
    stride(from: 0, to: count, by: 250).flatMap { start -> [UInt8] in
      let size = min(250, count - start)
      return [UInt8(size - 1), 0xFF] + [UInt8](repeating: UInt8(start / 250), count: size - 2)
    }
  }

  static let cases: [Case] = {
    let (short, response) = ([2, 1, 6] as [UInt8], [3, 9, 0x48, 0x69] as [UInt8])
    let here = PeerID(central)
    let extended = AdvertisingRequest.Format.extended()
    return [
      Case(
        name: "ADV_IND",
        configuration: AdvertisingConfiguration(data: short, scanResponse: response),
        heard: short + response,
        heardPassively: short
      ),
      Case(
        name: "ADV_SCAN_IND",
        configuration: AdvertisingConfiguration(data: short, scanResponse: response, isConnectable: false),
        heard: short + response,
        heardPassively: short
      ),
      Case(
        name: "ADV_SCAN_IND without a response",
        configuration: AdvertisingConfiguration(data: short, isConnectable: false, kind: .scannable),
        heard: short,
        heardPassively: short
      ),
      Case(
        name: "ADV_NONCONN_IND",
        configuration: AdvertisingConfiguration(data: short, isConnectable: false),
        heard: short,
        heardPassively: short
      ),
      Case(
        name: "ADV_DIRECT_IND, low duty cycle",
        configuration: AdvertisingConfiguration(data: [], kind: .directed(to: here)),
        heard: [],
        isForAll: false,
        heardPassively: []
      ),
      Case(
        name: "ADV_DIRECT_IND, high duty cycle",
        configuration: AdvertisingConfiguration(data: [], kind: .directed(to: here, isUrgent: true)),
        heard: [],
        isForAll: false,
        heardPassively: []
      ),
      Case(
        name: "extended, connectable, all the room there is",
        configuration: AdvertisingConfiguration(data: data(245), format: extended),
        heard: data(245),
        heardPassively: data(245)
      ),
      Case(
        name: "extended, connectable, with its power",
        configuration: AdvertisingConfiguration(data: data(244), format: extended, includesTransmitPower: true),
        heard: data(244),
        heardPassively: data(244)
      ),
      Case(
        name: "extended, scannable, 1650 bytes for who asks",
        configuration: AdvertisingConfiguration(
          data: [],
          scanResponse: data(1650),
          isConnectable: false,
          format: extended,
          kind: .scannable
        ),
        heard: data(1650),
        heardPassively: []
      ),
      Case(
        name: "extended, neither, 1650 bytes with the power",
        configuration: AdvertisingConfiguration(
          data: data(1650),
          isConnectable: false,
          format: extended,
          includesTransmitPower: true
        ),
        heard: data(1650),
        heardPassively: data(1650)
      ),
      Case(
        name: "extended, anonymous",
        configuration: AdvertisingConfiguration(
          data: data(500),
          isConnectable: false,
          format: extended,
          kind: .anonymous
        ),
        heard: data(500),
        heardPassively: data(500)
      ),
      Case(
        name: "extended, connectable, directed",
        configuration: AdvertisingConfiguration(
          data: data(238),
          format: extended,
          kind: .directed(to: here),
          includesTransmitPower: true
        ),
        heard: data(238),
        isForAll: false,
        heardPassively: data(238)
      ),
      Case(
        name: "extended, directed, without connections",
        configuration: AdvertisingConfiguration(
          data: data(300),
          isConnectable: false,
          format: extended,
          kind: .directed(to: here)
        ),
        heard: data(300),
        isForAll: false,
        heardPassively: data(300)
      ),
    ]
  }()

  private func sightings(_ bench: Bench, _ id: ControllerID) -> [Sighting] {
    bench.events[id, default: []].compactMap { if case .sighting(let sighting, _) = $0 { sighting } else { nil } }
  }

  private func isConnected(_ bench: Bench, _ id: ControllerID) -> Bool {
    bench.events[id, default: []].contains { if case .claimed(_, .success) = $0 { true } else { false } }
  }

  @Test("who it is for hears it as it is, and connects if it may; others do not", arguments: cases)
  func kinds(_ kind: Case) throws {
    var bench = Bench()
    let central = bench.add(HostConfiguration(), address: Self.central.value)
    let other = bench.add(HostConfiguration(), address: 0x11)
    let quiet = bench.add(HostConfiguration(), address: 0x12)
    let peripheral = bench.add(HostConfiguration(), address: Self.advertiser.value)
    let isUrgent = if case .directed(_, isUrgent: true) = kind.configuration.kind { true } else { false }
    for id in [central, other] { _ = bench.hosts[id]?.startScan(ScanRequest(), now: bench.now) }
    _ = bench.hosts[quiet]?.startScan(ScanRequest(isActive: false), now: bench.now)
    bench.settle()
    bench.pass(.seconds(1))
    bench.hosts[peripheral]?.startAdvertising(kind.configuration, set: 0, now: bench.now)
    bench.settle()
    bench.pass(isUrgent ? .milliseconds(500) : .seconds(10))

    let last = try #require(sightings(bench, central).last)
    #expect(try last.advertisement.encoded(fitting: 1650) == kind.heard)
    #expect(last.isConnectable == kind.configuration.isConnectable)
    #expect(last.channel.isDirected == !kind.isForAll)
    #expect(last.channel.isExtended == kind.configuration.isExtended)
    #expect((last.channel.power != nil) == kind.configuration.includesTransmitPower)
    #expect(last.address == (kind.configuration.kind == .anonymous ? nil : Self.advertiser))
    #expect(sightings(bench, other).isEmpty != kind.isForAll)
    if kind.isForAll {
      #expect(try sightings(bench, quiet).last?.advertisement.encoded(fitting: 1650) == kind.heardPassively)
    }

    for id in [other, central] {
      _ = bench.hosts[id]?.connect(to: PeerID(Self.advertiser), now: bench.now)
      bench.settle()
      bench.pass(isUrgent ? .milliseconds(300) : .seconds(3))
      let may = kind.configuration.isConnectable && (kind.isForAll || id == central)
      // Only one fits where one connection ends it.
      if id == other || !kind.isForAll { #expect(isConnected(bench, id) == may) }
    }
    #expect(bench.events.values.joined().allSatisfy { if case .report = $0 { false } else { true } })
  }

  @Test("urgent directed advertising that nobody answers ends by itself, and says so", arguments: [true, false])
  func urgent(isExtended: Bool) throws {
    var bench = Bench()
    let peripheral = bench.add(HostConfiguration(), address: Self.advertiser.value) {
      if !isExtended { $0.features = [.dataPacketLengthExtension] }
    }
    bench.hosts[peripheral]?.startAdvertising(
      AdvertisingConfiguration(data: [], kind: .directed(to: PeerID(Self.central), isUrgent: true)),
      set: 0,
      now: bench.now
    )
    bench.settle()
    bench.pass(.milliseconds(1200))
    func ends() -> [RadioFailure.Kind] {
      bench.events[peripheral, default: []].compactMap { event in
        if case .advertisingStopped(_, let failure?) = event { failure.kind } else { nil }
      }
    }
    #expect(ends().isEmpty)
    bench.pass(.milliseconds(200))
    #expect(ends() == [.timedOut])
  }

  @Test("what makes no sense together is refused with what it is")
  func contradictions() throws {
    var bench = Bench()
    let id = bench.add(HostConfiguration(), address: Self.advertiser.value)
    let info = try #require(bench.hosts[id]?.info)
    let here = AdvertisingRequest.Kind.directed(to: PeerID(Self.central))
    let wrong: [(AdvertisingConfiguration, String)] = [
      (AdvertisingConfiguration(data: [], kind: .scannable), "takes no connections"),
      (AdvertisingConfiguration(data: [], isConnectable: false, kind: .anonymous), "needs the extended format"),
      (AdvertisingConfiguration(data: [], format: .extended(), kind: .anonymous), "without an address"),
      (AdvertisingConfiguration(data: [2, 1, 6], kind: here), "has no data"),
      (AdvertisingConfiguration(data: [], isConnectable: false, kind: here), "needs the extended format"),
      (AdvertisingConfiguration(data: [], kind: .directed(to: PeerID(high: 1, low: 1))), "the address of its device"),
      (
        AdvertisingConfiguration(
          data: [],
          format: .extended(),
          kind: .directed(to: PeerID(Self.central), isUrgent: true)
        ),
        "needs the legacy format"
      ),
    ]
    for (configuration, reason) in wrong {
      let obstacle = configuration.obstacle(info)
      #expect(obstacle?.kind == .invalidArgument)
      #expect(obstacle?.reason.contains(reason) == true, "\(obstacle?.reason ?? "none")")
    }
    let long = AdvertisingConfiguration(data: Self.data(240), format: .extended(), kind: here)
    #expect(long.obstacle(info)?.kind == .tooLong)
  }
}
