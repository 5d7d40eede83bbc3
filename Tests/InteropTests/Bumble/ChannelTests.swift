import BluetoothTypes
import HostStack
import RadioPort
import Synchronization
import SystemRadio
import Testing

/// L2CAP channels on real input: our host at one end, Bumble's controllers and host at the other.
@Suite("Bumble's L2CAP channels", Bumble.trait, .timeLimit(.minutes(5)))
struct ChannelTests {
  /// What a channel brings, as streams.
  private final class Inbox: Sendable {
    let events: AsyncStream<ChannelEvent>
    private let source: AsyncStream<ChannelEvent>.Continuation

    init() { (events, source) = AsyncStream.makeStream() }

    func take(_ event: ChannelEvent) { source.yield(event) }
  }

  private static func link(to name: String, _ radio: HostRadio) async throws -> LinkID {
    let (sightings, source) = AsyncStream.makeStream(of: PeerID.self)
    let scan = await radio.startScan(
      ScanRequest(),
      sighting: { if $0.advertisement.localName == name { source.yield($0.peer) } },
      ended: { _ in source.finish() }
    )
    let found = try await bounded("an advertisement of \(name)") { await sightings.first { _ in true } }
    await radio.stopScan(scan)
    let peer = try #require(found)
    let (results, ends) = AsyncStream.makeStream(of: Result<LinkID, RadioFailure>.self)
    _ = await radio.connect(to: peer, options: LinkOptions(), events: { _ in }, completion: { ends.yield($0) })
    let result = try await bounded("a link to \(name)") { await results.first { _ in true } }
    return try #require(result).get()
  }

  @Test("what goes over a channel to Bumble comes back, whole and in order; either end closes it, and it opens again")
  func echo() async throws {
    try await Bumble.withPeer("channel_echo.py") { peer, port in
      let psm = L2CAPPSM(rawValue: try #require(UInt16(try await peer.line("psm "))))
      let live = LiveRadio(host: "127.0.0.1", port: port)
      let radio = live.radio
      let (states, source) = AsyncStream.makeStream(of: RadioState.self)
      _ = await radio.observeState { source.yield($0) }
      if await radio.state.power != .poweredOn {
        _ = try await bounded("the controller") { await states.first { $0.power == .poweredOn } }
      }
      let link = try await Self.link(to: "Bumble Echo", radio)
      for round in 1...2 {
        let inbox = Inbox()
        let (results, ends) = AsyncStream.makeStream(of: Result<ChannelInfo, RadioFailure>.self)
        let id = await radio.openChannel(
          to: psm,
          on: link,
          options: ChannelOptions(mtu: 300, mps: 50, credits: 5),
          events: { inbox.take($0) },
          completion: { ends.yield($0) }
        )
        let result = try await bounded("the channel") { await results.first { _ in true } }
        let info = try #require(result).get()
        #expect(info.sendLimit == 200 && info.receiveLimit == 300)
        #expect(try await peer.line("opened ", count: round) == "300 50")

        var sent = 0
        var received: [UInt8] = []
        let all = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 256) }
        var events = inbox.events.makeAsyncIterator()
        while received.count < all.count {
          while sent < all.count {
            let end = min(all.count, sent + 200)
            guard try await radio.send(Array(all[sent..<end]), on: id) == .taken else { break }
            sent = end
          }
          while let sdu = await radio.receive(on: id) { received += sdu }
          if received.count < all.count { _ = await events.next() }
        }
        #expect(received == all)

        if round == 1 {
          await withCheckedContinuation { continuation in
            Task { await radio.closeChannel(id, .afterSending) { continuation.resume() } }
          }
        } else {
          try peer.tell("close")
          let end = try await bounded("the end") { [inbox] in await inbox.events.first { $0 == .ended(nil) } }
          #expect(end != nil)
        }
        _ = try await peer.line("closed", count: round)
      }
      await withCheckedContinuation { continuation in live.close { continuation.resume() } }
    }
  }
}
