import BluetoothTypes
import HostStack
import RadioPort
import Synchronization
import Testing
import VirtualRadioTesting

@testable import VirtualRadio

@Suite("Advertisers without an address", .reportsWorlds)
struct AnonymousTests {
  /// A controller that advertises without an address, in these sets.
  private func addBeacon(_ world: World, _ number: UInt64, _ contents: [[UInt8]]) -> VirtualChannel {
    let channel = world.space.addController(
      ControllerConfiguration(address: BluetoothAddress(0xBEAC_0000 + number, .public)),
      name: "beacon \(number)"
    )
    channel.open(receive: { _ in }, closed: { _ in })
    for (set, content) in contents.enumerated() {
      let handle = UInt8(set)
      var parameters = LESetExtendedAdvertisingParameters(
        advertisingHandle: handle,
        primaryAdvertisingIntervalMin: 160,
        primaryAdvertisingIntervalMax: 160,
        advertisingSID: handle
      )
      parameters.advertisingEventProperties = .anonymous
      parameters.primaryAdvertisingPHY = .le1M
      parameters.secondaryAdvertisingPHY = .le2M
      channel.send(parameters.packet)
      say(content, channel, handle)
      channel.send(
        LESetExtendedAdvertisingEnable(enable: true, sets: [.init(advertisingHandle: handle)]).packet
      )
    }
    return channel
  }

  private func say(_ content: [UInt8], _ channel: VirtualChannel, _ set: UInt8 = 0) {
    channel.send(
      LESetExtendedAdvertisingData(advertisingHandle: set, operation: .complete, advertisingData: content).packet
    )
  }

  @Test("they are sighted by what they say: the same words once, others as somebody else, and never connectable")
  func sightings() async throws {
    try await World.simulated(seed: 1) { world in
      let radio = world.mainRadio
      try await world.run(for: .seconds(1))
      let once = Mutex<[Sighting]>([])
      let always = Mutex<[Sighting]>([])
      _ = await radio.startScan(
        ScanRequest(services: ["180F"]),
        sighting: { sighting in once.withLock { $0.append(sighting) } },
        ended: { _ in }
      )
      _ = await radio.startScan(
        ScanRequest(allowsDuplicates: true),
        sighting: { sighting in always.withLock { $0.append(sighting) } },
        ended: { _ in }
      )
      let battery: [UInt8] = [3, 3, 0x0F, 0x18]
      let (one, two) = (battery + [3, 0xFF, 1, 0], battery + [3, 0xFF, 2, 0])
      let beacon = addBeacon(world, 1, [one, two, [3, 3, 0x0D, 0x18]])
      // Of the same words: it can not be told from the first one.
      _ = addBeacon(world, 2, [one])
      try await world.run(for: .seconds(3))
      let first = once.withLock { $0 }
      #expect(first.count == 2 && Set(first.map(\.peer)).count == 2)
      #expect(Set(first.map(\.channel.set)) == [0, 1])
      let all = always.withLock { $0 }
      #expect(Set(all.map(\.peer)).count == 3 && all.count > 50)
      #expect(all.allSatisfy { $0.address == nil && !$0.isConnectable && $0.channel.isAnonymous })
      #expect(Set(all.map(\.channel.secondaryPHY)) == [.le2M])

      // It says something else from now on.
      say(battery + [3, 0xFF, 3, 0], beacon)
      try await world.run(for: .seconds(3))
      #expect(Set(once.withLock { $0 }.map(\.peer)).count == 3)

      let peer = try #require(first.first).peer
      let ended = Mutex<[Result<LinkID, RadioFailure>]>([])
      _ = await radio.connect(
        to: peer,
        options: LinkOptions(),
        events: { _ in },
        completion: { result in ended.withLock { $0.append(result) } }
      )
      try await world.run(for: .seconds(1))
      let results = ended.withLock { $0 }
      #expect(results.count == 1)
      if case .failure(let failure)? = results.first {
        #expect(failure.kind == .invalidArgument && failure.reason.contains("without an address"))
      }
    }
  }

  @Test("the identifiers say the same on every machine, and are those of no address")
  func identifiers() {
    let one = PeerID(anonymous: [1, 2, 3], set: 4)
    #expect(one == PeerID(anonymous: [1, 2, 3], set: 4) && one.isAnonymous && one.address == nil)
    #expect(one != PeerID(anonymous: [1, 2, 3], set: 5) && one != PeerID(anonymous: [1, 2], set: 4))
    #expect(one.description.hasPrefix("48414C43-5941-8004-"))
    #expect(PeerID(one.description) == one)
    #expect(!PeerID(BluetoothAddress(1, .public)).isAnonymous)
  }
}
