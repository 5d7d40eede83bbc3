import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Connecting")
struct ConnectingTests {
  private let one = HostBench.peer(1)
  private let two = HostBench.peer(2)
  private let three = HostBench.peer(3)

  private func connect(_ bench: inout HostBench, _ peer: BluetoothAddress) -> ClaimID {
    bench.act { host, now in host.connect(to: PeerID(peer), now: now) }
  }

  private func release(_ bench: inout HostBench, _ claim: ClaimID) {
    bench.act { host, now in host.release(claim, now: now) }
  }

  /// The peer of the last Create Connection; `nil` if it was by the list.
  private func created(_ commands: [AnyHCICommand]) -> [BluetoothAddress?] {
    commands.compactMap {
      guard case .leCreateConnection(let command) = $0 else { return nil }
      return .some(command.initiatorFilterPolicy == .peerAddress ? command.peerAddress : nil)
    }
  }

  private func listed(_ commands: [AnyHCICommand]) -> [BluetoothAddress] {
    commands.compactMap { if case .leAddDeviceToFilterAcceptList(let command) = $0 { command.address } else { nil } }
  }

  @Test("a connect creates the connection, exchanges the MTU once and gives the link")
  func connects() throws {
    var bench = HostBench.on()
    let claim = connect(&bench, one)
    guard case .leCreateConnection(let command)? = bench.takeCommands().first else {
      Issue.record("no Create Connection")
      return
    }
    #expect(command.peerAddress == one)
    #expect(command.connectionIntervalMin == 12)
    #expect(command.connectionIntervalMax == 24)
    #expect(command.supervisionTimeout == 200)
    bench.connected(one)
    #expect(bench.events.claims.map(\.claim) == [claim])
    let sent = bench.takeData()
    #expect(sent.map(\.data) == [[3, 0, 4, 0, 0x02, 0x05, 0x02]])
    #expect(sent.map(\.boundary) == [.firstNonFlushable])
  }

  @Test("several connects are served together by the filter accept list")
  func together() {
    var bench = HostBench.on()
    let first = connect(&bench, one)
    #expect(created(bench.takeCommands()) == [one])
    let second = connect(&bench, two)
    // The first attempt has to be ended before the list can be filled.
    #expect(bench.takeNames() == ["LE Create Connection Cancel"])
    bench.connected(one, status: .unknownConnectionIdentifier)
    let commands = bench.takeCommands()
    #expect(Set(listed(commands)) == [one, two])
    #expect(created(commands) == [nil])
    bench.connected(two, handle: 0x41)
    #expect(bench.events.claims.map(\.claim) == [second])
    #expect(created(bench.takeCommands()) == [one])
    bench.connected(one, handle: 0x40)
    #expect(bench.events.claims.map(\.claim) == [second, first])
  }

  @Test("with too short a list, peers are looked for in turns")
  func turns() {
    var bench = HostBench.on { $0.acceptListSize = 0 }
    _ = connect(&bench, one)
    _ = connect(&bench, two)
    _ = connect(&bench, three)
    var looked = created(bench.takeCommands())
    for _ in 0..<5 {
      bench.pass(Connector.slice)
      #expect(bench.takeNames() == ["LE Create Connection Cancel"])
      bench.connected(BluetoothAddress(0, .public), status: .unknownConnectionIdentifier)
      looked += created(bench.takeCommands())
    }
    #expect(looked == [one, two, three, one, two, three])
  }

  @Test("F05, F07: giving up a connect cancels it at the controller and waits for nothing")
  func cancel() {
    var bench = HostBench.on()
    let claim = connect(&bench, one)
    _ = bench.takeCommands()
    bench.answers[.leCreateConnectionCancel] = { _ in [] }
    release(&bench, claim)
    #expect(bench.events.released == [claim])
    #expect(bench.takeNames() == ["LE Create Connection Cancel"])
    #expect(bench.events.claims.isEmpty)
  }

  @Test("F06: a link that comes up though its connect was given up is dropped at once")
  func late() {
    var bench = HostBench.on()
    let claim = connect(&bench, one)
    bench.answers[.leCreateConnectionCancel] = { _ in
      [HostBench.refuse(.leCreateConnectionCancel, .commandDisallowed)]
    }
    release(&bench, claim)
    _ = bench.takeCommands()
    bench.connected(one)
    #expect(
      bench.takeCommands() == [
        .disconnect(Disconnect(connectionHandle: 0x40, reason: .remoteUserTerminatedConnection))
      ]
    )
    #expect(bench.events.claims.isEmpty)
    #expect(bench.takeData().isEmpty)
    bench.disconnected(0x40, .connectionTerminatedByLocalHost)
    #expect(bench.events.linkEvents.isEmpty)
    #expect(bench.host.links.isEmpty)
  }

  @Test("F06: the same when the controller's word comes before its answer to the cancel")
  func lateBefore() {
    var bench = HostBench.on()
    let claim = connect(&bench, one)
    bench.answers[.leCreateConnectionCancel] = { _ in [] }
    release(&bench, claim)
    bench.connected(one)
    bench.receive(HostBench.refuse(.leCreateConnectionCancel, .commandDisallowed))
    #expect(bench.takeNames().last == "Disconnect")
    // Another connect goes on as soon as the dropped link is gone.
    let again = connect(&bench, one)
    #expect(bench.takeNames().isEmpty)
    bench.disconnected(0x40, .connectionTerminatedByLocalHost)
    #expect(created(bench.takeCommands()) == [one])
    bench.connected(one, handle: 0x42)
    #expect(bench.events.claims.map(\.claim) == [again])
  }

  @Test("a controller that never tells the end of a cancelled attempt does not block the next")
  func cancelBound() {
    var bench = HostBench.on()
    let claim = connect(&bench, one)
    release(&bench, claim)
    _ = connect(&bench, two)
    _ = bench.takeCommands()
    bench.pass(Connector.cancelBound)
    #expect(created(bench.takeCommands()) == [two])
  }

  @Test("F08: a connect that fails at the controller fails with its reason, in the status and in the event")
  func failures() {
    var bench = HostBench.on {
      $0.answers[.leCreateConnection] = { _ in [HostBench.refuse(.leCreateConnection, .connectionLimitExceeded)] }
    }
    let refused = connect(&bench, one)
    #expect(bench.events.failure(of: refused)?.kind == .connectionFailed)
    #expect(bench.events.failure(of: refused)?.status == .connectionLimitExceeded)

    bench.answers = [:]
    let failed = connect(&bench, one)
    bench.connected(one, status: .connectionFailedToBeEstablished)
    #expect(bench.events.failure(of: failed)?.status == .connectionFailedToBeEstablished)
    #expect(bench.host.deadline == nil)
  }

  @Test("a failure of one of several leaves the others waiting")
  func oneOfSeveral() {
    var bench = HostBench.on()
    let first = connect(&bench, one)
    let second = connect(&bench, two)
    bench.connected(one, status: .unknownConnectionIdentifier)
    bench.connected(one, status: .connectionFailedToBeEstablished)
    #expect(bench.events.failure(of: first) != nil)
    #expect(bench.events.failure(of: second) == nil)
    bench.connected(two)
    #expect(bench.events.claims.last?.claim == second)
  }

  @Test("F01, F09: power loss ends a pending connect once")
  func powerLoss() {
    var bench = HostBench.on()
    let claim = connect(&bench, one)
    bench.act { host, _ in host.powerOff() }
    release(&bench, claim)
    #expect(bench.events.claims.count == 1)
    #expect(bench.events.failure(of: claim)?.kind == .poweredOff)
    let late = connect(&bench, one)
    #expect(bench.events.failure(of: late)?.kind == .poweredOff)
  }

  @Test("owners share a link; it ends with the last of them, and tells none who released it")
  func claims() throws {
    var bench = HostBench.on()
    let made = bench.link(to: one)
    let (first, link) = try #require(made)
    let second = connect(&bench, one)
    #expect(bench.events.claims.map(\.claim) == [first, second])
    _ = bench.takeCommands()
    release(&bench, first)
    #expect(bench.events.released == [first])
    #expect(bench.takeCommands().isEmpty)
    #expect(bench.host.mtu(of: link) == 23)
    let read = bench.act { host, now in host.read(AttributeHandle(3), on: link, now: now) }
    release(&bench, second)
    #expect(bench.takeNames() == ["Disconnect"])
    // What was under way has failed already; the release waits for the link's end.
    #expect(
      bench.events.contains {
        if case .read(read, .failure(let failure)) = $0 { failure.kind == .disconnected } else { false }
      }
    )
    #expect(bench.events.released == [first])
    bench.disconnected(0x40, .connectionTerminatedByLocalHost)
    #expect(bench.events.released == [first, second])
    #expect(bench.events.linkEvents.isEmpty)
  }

  @Test("F07: a release is bounded, whatever the peer and the controller do")
  func releaseBound() throws {
    var bench = HostBench.on()
    let made = bench.link(to: one)
    let (claim, _) = try #require(made)
    release(&bench, claim)
    bench.pass(.milliseconds(2900))
    #expect(bench.events.released.isEmpty)
    bench.pass(.milliseconds(200))
    #expect(bench.events.released == [claim])
    bench.disconnected()
    #expect(bench.events.released == [claim])
  }

  @Test("F02, F03, F13: a disconnect ends all that is pending with its reason; the next link starts clean")
  func disconnect() throws {
    var bench = HostBench.on { $0.answers[.readRSSI] = { _ in [] } }
    let made = bench.link(to: one)
    let (claim, link) = try #require(made)
    let rssi = bench.act { host, now in host.readRSSI(of: link, now: now) }
    let discovery = bench.act { host, now in host.discover(nil, on: link, now: now) }
    bench.events = []
    bench.disconnected(0x40, .connectionTimeout)
    var failures: [RadioFailure] = []
    for event in bench.events {
      switch event {
      case .rssi(rssi, .failure(let failure)), .discovered(discovery, .failure(let failure)): failures.append(failure)
      case .link(.disconnected(let failure), [claim]): failures.append(failure)
      default: break
      }
    }
    #expect(failures.map(\.kind) == [.disconnected, .disconnected, .disconnected])
    #expect(failures.allSatisfy { $0.status == .connectionTimeout })
    // The answer that comes late belongs to nobody; the link's name is of no use any more.
    bench.receive(HostBench.complete(ReadRSSI.self, .init(handle: 0x40, rssi: -50)))
    let late = bench.act { host, now in host.read(AttributeHandle(1), on: link, now: now) }
    #expect(
      bench.events.contains {
        if case .read(late, .failure(let failure)) = $0 { failure.kind == .notConnected } else { false }
      }
    )
    let again = bench.link(to: one, handle: 0x40)
    #expect(again?.link != link)
    #expect(bench.takeData().last?.data.dropFirst(4).first == 0x02)
  }

  @Test("RSSI comes from the controller; 127 and a refusal are failures")
  func rssi() throws {
    var bench = HostBench.on()
    let made = bench.link(to: one)
    let (_, link) = try #require(made)
    func read(_ bench: inout HostBench) -> Result<Int, RadioFailure>? {
      let request = bench.act { host, now in host.readRSSI(of: link, now: now) }
      for case .rssi(request, let result) in bench.events { return result }
      return nil
    }
    #expect(read(&bench) == .success(-60))
    bench.answers[.readRSSI] = { _ in [HostBench.complete(ReadRSSI.self, .init(handle: 0x40, rssi: 127))] }
    #expect((try? read(&bench)?.get()) == nil)
    bench.answers[.readRSSI] = { _ in [HostBench.refuse(.readRSSI, .unknownConnectionIdentifier)] }
    guard case .failure(let failure)? = read(&bench) else {
      Issue.record("a refusal is a failure")
      return
    }
    #expect(failure.kind == .controller)
    bench.answers[.readRSSI] = { _ in [HostBench.refuse(.readRSSI, .unknownHCICommand)] }
    guard case .failure(let missing)? = read(&bench) else {
      Issue.record("a refusal is a failure")
      return
    }
    #expect(missing.kind == .unsupported)
    #expect(missing.underlying == .hci(.unknownHCICommand))
  }

  @Test("a controller that can not scan and connect at once does both in turns")
  func exclusive() {
    var bench = HostBench.on {
      $0.answers[.leCreateConnection] = { _ in [HostBench.refuse(.leCreateConnection, .commandDisallowed)] }
    }
    _ = bench.act { host, now in host.startScan(ScanRequest(), now: now) }
    bench.answers[.leSetScanEnable] = { command in
      guard case .leSetScanEnable(let command) = command, !command.leScanEnable else {
        return [CommandComplete(opcode: .leSetScanEnable, returnParameters: [0]).packet]
      }
      return []
    }
    let claim = connect(&bench, one)
    #expect(bench.takeNames().suffix(2) == ["LE Create Connection", "LE Set Scan Enable"])
    bench.answers = [:]
    bench.receive(CommandComplete(opcode: .leSetScanEnable, returnParameters: [0]))
    #expect(created(bench.takeCommands()) == [one])
    #expect(bench.events.failure(of: claim) == nil)
    // The scan gets its turn though the peer is away.
    bench.pass(ExclusiveTurns.length)
    #expect(bench.takeNames() == ["LE Create Connection Cancel"])
    bench.connected(one, status: .unknownConnectionIdentifier)
    #expect(bench.takeNames() == ["LE Set Scan Parameters", "LE Set Scan Enable"])
    bench.pass(ExclusiveTurns.length)
    #expect(bench.takeNames() == ["LE Set Scan Enable", "LE Create Connection"])
    bench.connected(one)
    #expect(bench.events.claims.map(\.claim) == [claim])
    #expect(bench.takeNames() == ["LE Set Scan Parameters", "LE Set Scan Enable"])
  }

  @Test("the peer's wishes for connection parameters reach the controller")
  func parameters() throws {
    var bench = HostBench.on()
    let made = bench.link(to: one)
    let (claim, _) = try #require(made)
    _ = bench.takeCommands()
    // Over L2CAP: signalling channel 5, request 0x12.
    let wish: [UInt8] = [12, 0, 5, 0, 0x12, 1, 8, 0, 80, 0, 100, 0, 2, 0, 0x2C, 1]
    bench.receive(ACLPacket(connectionHandle: 0x40, boundary: .firstFlushable, data: wish).packet)
    guard case .leConnectionUpdate(let update)? = bench.takeCommands().first else {
      Issue.record("no Connection Update")
      return
    }
    #expect(update.connectionIntervalMin == 80)
    #expect(update.supervisionTimeout == 300)
    bench.receive(
      LERemoteConnectionParameterRequest(
        connectionHandle: 0x40,
        intervalMin: 80,
        intervalMax: 100,
        maxLatency: 2,
        timeout: 300
      )
    )
    bench.receive(
      LERemoteConnectionParameterRequest(
        connectionHandle: 0x40,
        intervalMin: 100,
        intervalMax: 80,
        maxLatency: 2,
        timeout: 300
      )
    )
    #expect(
      bench.takeNames() == [
        "LE Remote Connection Parameter Request Reply", "LE Remote Connection Parameter Request Negative Reply",
      ]
    )
    bench.receive(
      LEConnectionUpdateComplete(
        status: .success,
        connectionHandle: 0x40,
        connectionInterval: 80,
        peripheralLatency: 2,
        supervisionTimeout: 300
      )
    )
    #expect(
      bench.events.linkEvents.map(\.event) == [
        .parametersChanged(interval: .milliseconds(100), latency: 2, supervisionTimeout: .seconds(3))
      ]
    )
    #expect(bench.events.linkEvents.map(\.claims) == [[claim]])
  }
}
