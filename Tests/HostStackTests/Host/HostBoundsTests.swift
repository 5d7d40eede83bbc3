import BluetoothTypes
import RadioPort
import Synchronization
import Testing

@testable import HostStack

@Suite("A host among controllers and peers that do not keep to the rules")
struct HostBoundsTests {
  private let one = HostBench.peer(1)
  private let two = HostBench.peer(2)
  private let three = HostBench.peer(3)

  private func connect(_ bench: inout HostBench, _ peer: BluetoothAddress) -> ClaimID {
    bench.act { host, now in host.connect(to: PeerID(peer), now: now) }
  }

  private func release(_ bench: inout HostBench, _ claim: ClaimID) {
    bench.act { host, now in host.release(claim, now: now) }
  }

  private func room(_ bench: inout HostBench, _ count: UInt8) {
    bench.receive(CommandComplete(numHCICommandPackets: count, opcode: .none))
  }

  // MARK: Handles

  @Test("commands that waited for a link do not meet the next one with its handle")
  func handleReuse() throws {
    var bench = HostBench.on()
    let made = bench.link(to: one)
    let (claim, link) = try #require(made)
    _ = bench.takeCommands()
    room(&bench, 0)
    _ = bench.act { host, now in host.readRSSI(of: link, now: now) }
    try bench.act { host, now in try host.updateParameters(of: link, to: LinkOptions(), now: now) }
    bench.receive(
      LERemoteConnectionParameterRequest(
        connectionHandle: 0x40,
        intervalMin: 80,
        intervalMax: 100,
        maxLatency: 2,
        timeout: 300
      )
    )
    bench.receive(LELongTermKeyRequest(connectionHandle: 0x40, randomNumber: 0, encryptedDiversifier: 0))
    release(&bench, claim)
    bench.disconnected(0x40, .connectionTimeout)
    bench.connected(two, handle: 0x40, role: .peripheral)
    room(&bench, 1)
    #expect(bench.takeNames().isEmpty)
    #expect(bench.host.links.map(\.isOpen) == [true])
    #expect(bench.events.released == [claim])
  }

  @Test("the late answer to the Disconnect of a former link does not end the next one with its handle")
  func lateAnswer() throws {
    var bench = HostBench.on { $0.answers[.disconnect] = { _ in [] } }
    let made = bench.link(to: one)
    let (claim, _) = try #require(made)
    release(&bench, claim)
    bench.disconnected(0x40, .connectionTimeout)
    room(&bench, 1)
    let again = connect(&bench, two)
    bench.connected(two, handle: 0x40)
    release(&bench, again)
    #expect(bench.takeNames().count { $0 == "Disconnect" } == 2)
    bench.receive(HostBench.refuse(.disconnect, .unknownConnectionIdentifier))
    #expect(bench.events.released == [claim])
    bench.receive(HostBench.refuse(.disconnect, .unknownConnectionIdentifier))
    #expect(bench.events.released == [claim, again])
  }

  @Test(
    "F07: a link whose end is never told, or whose Disconnect is refused, is given up at the bound; connecting works again",
    arguments: [.success, .commandDisallowed, .controllerBusy] as [HCIStatus]
  )
  func endNeverTold(status: HCIStatus) throws {
    var bench = HostBench.on { $0.answers[.disconnect] = { _ in [HostBench.refuse(.disconnect, status)] } }
    let made = bench.link(to: one)
    let (claim, _) = try #require(made)
    release(&bench, claim)
    let again = connect(&bench, one)
    _ = bench.takeCommands()
    bench.pass(.milliseconds(3100))
    #expect(bench.events.released == [claim])
    #expect(bench.takeNames() == ["LE Create Connection"])
    bench.connected(one, handle: 0x41)
    #expect(bench.events.claims.last?.claim == again)
    #expect(bench.host.links.map(\.handle) == [0x41])
    // What the controller tells too late is passed over.
    bench.disconnected(0x40)
    #expect(bench.host.links.count == 1)
  }

  @Test("a link that was dropped here is given up at the bound too, and blocks its peer no longer")
  func dropNeverTold() throws {
    var bench = HostBench.on()
    let made = bench.link(to: one)
    let (_, link) = try #require(made)
    bench.act { host, now in host.disconnect(link, now: now) }
    _ = connect(&bench, one)
    _ = bench.takeCommands()
    bench.pass(.milliseconds(3100))
    #expect(bench.host.links.isEmpty)
    #expect(bench.takeNames() == ["LE Create Connection"])
  }

  // MARK: The accept list

  private final class ShortList: Sendable {
    let count = Mutex(0)
  }

  @Test("an accept list that holds fewer than the controller announced is filled that far, without a pause or a storm")
  func shortList() {
    let list = ShortList()
    var bench = HostBench.on {
      $0.answers[.leClearFilterAcceptList] = { _ in
        list.count.withLock { $0 = 0 }
        return [CommandComplete(opcode: .leClearFilterAcceptList, returnParameters: [0]).packet]
      }
      $0.answers[.leAddDeviceToFilterAcceptList] = { _ in
        let isTaken = list.count.withLock {
          $0 += 1
          return $0 <= 2
        }
        let status = isTaken ? HCIStatus.success : .memoryCapacityExceeded
        return [CommandComplete(opcode: .leAddDeviceToFilterAcceptList, returnParameters: [status.rawValue]).packet]
      }
    }
    for peer in [one, two, three] { _ = connect(&bench, peer) }
    bench.connected(one, status: .unknownConnectionIdentifier)
    let add = "LE Add Device To Filter Accept List"
    #expect(
      bench.takeNames().suffix(5) == ["LE Clear Filter Accept List", add, add, add, "LE Create Connection"]
    )
    for _ in 0..<3 {
      bench.pass(Connector.slice - .milliseconds(1))
      #expect(bench.takeNames().isEmpty)
      bench.pass(.milliseconds(1))
      #expect(bench.takeNames() == ["LE Create Connection Cancel"])
      bench.connected(one, status: .unknownConnectionIdentifier)
      #expect(bench.takeNames() == ["LE Clear Filter Accept List", add, add, "LE Create Connection"])
    }
    // Another reset, another controller, maybe.
    bench.act { host, now in host.powerOn(now: now) }
    _ = bench.takeCommands()
    for peer in [one, two, three] { _ = connect(&bench, peer) }
    bench.connected(one, status: .unknownConnectionIdentifier)
    #expect(bench.takeNames().count { $0 == add } == 3)
  }

  @Test("a list that can not be used at all leaves the peers to be looked for in turns", arguments: [true, false])
  func noList(isClearRefused: Bool) {
    let opcode = isClearRefused ? HCIOpcode.leClearFilterAcceptList : .leAddDeviceToFilterAcceptList
    var bench = HostBench.on { $0.answers[opcode] = { _ in [HostBench.refuse(opcode, .commandDisallowed)] } }
    for peer in [one, two] { _ = connect(&bench, peer) }
    bench.connected(one, status: .unknownConnectionIdentifier)
    _ = bench.takeCommands()
    for _ in 0..<4 {
      bench.pass(Connector.slice - .milliseconds(1))
      #expect(bench.takeNames().isEmpty)
      bench.pass(.milliseconds(1))
      bench.connected(one, status: .unknownConnectionIdentifier)
      #expect(bench.takeNames() == ["LE Create Connection Cancel", "LE Create Connection"])
    }
  }

  // MARK: Peers that take nothing

  @Test(
    "a peer that asks without end and takes no answer loses its link, with the reason; the host keeps a bounded amount",
    arguments: [
      [3, 0, 4, 0, 0x0A, 3, 0],  // Read Request
      [4, 0, 4, 0, 0x1D, 9, 0, 1],  // Handle Value Indication
      [3, 0, 4, 0, 0x02, 185, 0],  // Exchange MTU Request
      [4, 0, 5, 0, 0x77, 1, 0, 0],  // Signalling that is not known
      [1, 0, 6, 0, 0x0B],  // Security Request
    ] as [[UInt8]]
  )
  func flood(frame: [UInt8]) throws {
    var bench = HostBench.on()
    let made = bench.link(to: one)
    let (claim, _) = try #require(made)
    _ = connect(&bench, two)
    bench.connected(two, handle: 0x41)
    bench.events = []
    _ = bench.takeCommands()
    let packet = ACLPacket(connectionHandle: 0x40, boundary: .firstFlushable, data: frame).packet
    func ends() -> [(failure: RadioFailure, claims: [ClaimID])] {
      bench.events.linkEvents.compactMap { entry in
        if case .disconnected(let failure) = entry.event { (failure, entry.claims) } else { nil }
      }
    }
    for _ in 0..<ACLScheduler.answerLimit - 10 { bench.receive(packet) }
    #expect(ends().isEmpty)
    for _ in 0..<1000 { bench.receive(packet) }
    #expect(ends().map(\.claims) == [[claim]])
    let failure = ends().first?.failure
    #expect(failure?.kind == .disconnected && failure?.reason.contains("answers wait") == true)
    #expect(bench.takeNames() == ["Disconnect"])
    #expect(bench.host.links.map(\.isOpen) == [false, true])
  }

  @Test("wishes for connection parameters that come while one is on its way become one, the last")
  func parameterFlood() throws {
    var bench = HostBench.on { $0.answers[.leConnectionUpdate] = { _ in [] } }
    let made = bench.link(to: one)
    _ = try #require(made)
    _ = bench.takeCommands()
    for interval in 80..<180 as Range<UInt8> {
      let wish: [UInt8] = [12, 0, 5, 0, 0x12, interval, 8, 0, interval, 0, interval, 0, 2, 0, 0x2C, 1]
      bench.receive(ACLPacket(connectionHandle: 0x40, boundary: .firstFlushable, data: wish).packet)
    }
    func intervals(_ bench: inout HostBench) -> [UInt16] {
      bench.takeCommands().compactMap {
        if case .leConnectionUpdate(let update) = $0 { update.connectionIntervalMin } else { nil }
      }
    }
    #expect(intervals(&bench) == [80])
    bench.receive(CommandStatus(opcode: .leConnectionUpdate))
    #expect(intervals(&bench) == [179])
    bench.receive(HostBench.refuse(.leConnectionUpdate, .controllerBusy))
    #expect(intervals(&bench).isEmpty)
    #expect(bench.host.commands.isIdle)
  }

  // MARK: Hardware errors

  @Test("a controller that answers its reset with a hardware error is given up after a few restarts, with the reason")
  func endlessHardwareErrors() {
    var bench = HostBench()
    bench.answers[.reset] = { _ in [HardwareError(hardwareCode: 9).packet] }
    bench.act { host, now in host.powerOn(now: now) }
    #expect(bench.takeNames().count == RestartLimit.count + 1)
    #expect(bench.host.state.power == .poweredOff)
    #expect(bench.host.state.reason?.contains("hardware error 9") == true)
    #expect(bench.host.deadline == nil)
    // Somebody may try it again.
    bench.answers = [:]
    bench.act { host, now in host.powerOn(now: now) }
    #expect(bench.host.state == .poweredOn)
  }

  @Test("hardware errors now and then are got over each time")
  func rareHardwareErrors() {
    var bench = HostBench.on()
    for _ in 0..<10 {
      bench.receive(HardwareError(hardwareCode: 9))
      #expect(bench.host.state == .poweredOn)
      bench.pass(.seconds(20))
    }
    for _ in 0..<10 { bench.receive(HardwareError(hardwareCode: 9)) }
    #expect(bench.host.state.power == .poweredOff)
  }
}
