import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Wishes for other PHYs")
struct PHYWishTests {
  private func bench(_ options: LinkOptions = LinkOptions()) throws -> (HostBench, LinkID) {
    var bench = ExtendedHostTests.bench()
    let claim = bench.act { host, now in host.connect(to: PeerID(HostBench.peer(1)), options: options, now: now) }
    bench.connected(HostBench.peer(1))
    let link = try #require(try bench.takeEvents().claims.first { $0.claim == claim }?.result.get())
    _ = bench.takeCommands()
    return (bench, link)
  }

  private func wish(_ bench: inout HostBench, _ phy: RadioPHY, _ link: LinkID) -> RequestID {
    bench.act { host, now in host.setPHYs(PHYPreference([phy]), of: link, now: now) }
  }

  private func sent(_ bench: inout HostBench) -> [LEPHYs] {
    bench.takeCommands().compactMap { command in
      if case .leSetPHY(let command) = command { command.txPHYs } else { nil }
    }
  }

  private func complete(_ bench: inout HostBench, _ phy: LEPHY, _ status: HCIStatus = .success) {
    bench.receive(LEPHYUpdateComplete(status: status, connectionHandle: 0x40, txPHY: phy, rxPHY: phy))
  }

  private func outcomes(_ bench: inout HostBench) -> [RequestID: RadioPHY?] {
    bench.takeEvents().reduce(into: [:]) { outcomes, event in
      if case .phys(let id, let result) = event { outcomes.updateValue(try? result.get().transmit, forKey: id) }
    }
  }

  @Test("they go to the controller one after the other, and each gets its own outcome")
  func turns() throws {
    var (bench, link) = try bench()
    let first = wish(&bench, .le2M, link)
    let second = wish(&bench, .leCoded, link)
    let third = wish(&bench, .le1M, link)
    #expect(sent(&bench) == [.le2M])
    complete(&bench, .le2M)
    #expect(outcomes(&bench) == [first: .le2M])
    #expect(sent(&bench) == [.leCoded])
    complete(&bench, .le2M, .unsupportedRemoteFeature)
    #expect(outcomes(&bench) == [second: nil])
    #expect(sent(&bench) == [.le1M])
    bench.disconnected()
    #expect(outcomes(&bench) == [third: nil])
  }

  @Test("what the options of the connection ask for answers no wish of the program")
  func options() throws {
    var (bench, link) = try bench(LinkOptions(preferredPHYs: PHYPreference([.le2M])))
    let request = wish(&bench, .leCoded, link)
    #expect(sent(&bench).isEmpty)
    complete(&bench, .le2M)
    #expect(outcomes(&bench).isEmpty)
    #expect(sent(&bench) == [.leCoded])
    complete(&bench, .leCoded)
    #expect(outcomes(&bench) == [request: .leCoded])
  }

  @Test("a command that is refused fails its own wish, and the next one gets its turn")
  func refused() throws {
    var (bench, link) = try bench()
    bench.answers[LESetPHY.opcode] = { _ in [HostBench.refuse(LESetPHY.opcode, .commandDisallowed)] }
    let first = wish(&bench, .le2M, link)
    #expect(outcomes(&bench) == [first: nil])
    bench.answers[LESetPHY.opcode] = nil
    let second = wish(&bench, .leCoded, link)
    complete(&bench, .leCoded)
    #expect(outcomes(&bench) == [second: .leCoded])
  }
}
