import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Links on the air")
struct LinkTests {
  @Test("both ends hear of a new link, and the advertiser stops advertising")
  func connecting() throws {
    var bench = AirBench()
    let (central, peripheral) = (bench.add(), bench.add())
    bench.advertise(peripheral)
    bench.connect(central, to: bench.address(2), interval: 40, latency: 2, timeout: 300)
    #expect(bench.status(.leCreateConnection, from: central) == .success)
    bench.run(for: .seconds(1))
    let one = try bench.takeFirst(LEConnectionComplete.self, from: central)
    let other = try bench.takeFirst(LEConnectionComplete.self, from: peripheral)
    #expect(one.role == .central && one.peerAddress == bench.address(2))
    #expect(other.role == .peripheral && other.peerAddress == bench.address(1))
    #expect((one.connectionInterval, one.peripheralLatency, one.supervisionTimeout) == (40, 2, 300))
    let observer = bench.add()
    bench.scan(observer)
    bench.run(for: .seconds(2))
    #expect(bench.count(LEAdvertisingReport.self, from: observer) == 0)
  }

  @Test("both hosts hear of a link when the request for it is over, and not before", arguments: [false, true])
  func connectionTime(isExtended: Bool) throws {
    var bench = AirBench()
    bench.air.setPropagation(.steady, now: bench.now)
    let (peripheral, central, observer) = (bench.add(), bench.add(), bench.add())
    if isExtended {
      bench.advertiseExtended(peripheral, .connectable)
      bench.scanExtended(observer, .passive)
      bench.unmask(observer)
      bench.connectExtended(central, to: bench.address(1))
    } else {
      bench.advertise(peripheral)
      bench.scan(observer, .passive)
      bench.connect(central, to: bench.address(1))
    }
    bench.run(for: .seconds(2))
    let made = try [central, peripheral].map { id in
      try #require(bench.heard[id, default: []].first { $0.event?.event is LEConnectionComplete }).time
    }
    #expect(made[0] == made[1])
    // Reports come at the beginning of a legacy packet, and at the end of an auxiliary one.
    let reports = bench.heard[observer, default: []].filter { $0.time < made[0] && $0.event?.event is any LEMetaEvent }
    if let last = reports.last {
      let least =
        isExtended
        ? AirTime.auxiliaryConnection(on: .le1M)
        : AirTime.advertising(payload: 9) + AirTime.connectIndication
      let passed = made[0].nanoseconds - last.time.nanoseconds
      #expect(passed >= least && passed < 4_000_000, "\(passed)")
    }
    #expect(!reports.isEmpty)
  }

  @Test("data goes both ways in order, cut to 27 bytes, at connection events only")
  func data() throws {
    var bench = AirBench()
    let link = try bench.link(interval: 80)
    let start = bench.now
    for number in UInt8(0)..<6 {
      bench.send(Array(repeating: number, count: 60), on: link.centralHandle, to: link.central)
      bench.send(Array(repeating: number + 100, count: 10), on: link.peripheralHandle, to: link.peripheral)
    }
    #expect(bench.received(by: link.peripheral).isEmpty)
    bench.run(for: .milliseconds(250))
    let down = bench.received(by: link.peripheral)
    #expect(down.allSatisfy { $0.count <= 27 })
    #expect(down.flatMap(\.self) == (UInt8(0)..<6).flatMap { Array(repeating: $0, count: 60) })
    #expect(bench.received(by: link.central).map(\.first) == (UInt8(100)..<106).map { $0 })
    #expect(start.duration(to: try #require(bench.firstData(at: link.peripheral))) <= .milliseconds(101))
    let completed = bench.take(NumberOfCompletedPackets.self, from: link.central).flatMap(\.completed)
    #expect(completed.reduce(0) { $0 + Int($1.count) } == 6)
    #expect(completed.count <= 2)
  }

  @Test("packets come at anchors that are a whole number of intervals apart")
  func anchors() throws {
    var bench = AirBench()
    let link = try bench.link(interval: 40)
    var times: [Int64] = []
    for step in 0..<20 {
      bench.heard = [:]
      bench.send([1], on: link.centralHandle, to: link.central)
      bench.run(for: .milliseconds(60 + 7 * step))
      times.append(try #require(bench.firstData(at: link.peripheral)).nanoseconds)
    }
    #expect(zip(times, times.dropFirst()).allSatisfy { ($1 - $0) % 50_000_000 == 0 && $1 > $0 })
  }

  @Test("F43: buffers fill up; a packet too many is lost, and the host hears of it")
  func fullBuffers() throws {
    var bench = AirBench()
    let link = try bench.link(interval: 80)
    for number in UInt8(0)..<10 { bench.send([number], on: link.centralHandle, to: link.central) }
    #expect(bench.count(DataBufferOverflow.self, from: link.central) == 2)
    bench.run(for: .seconds(1))
    #expect(bench.received(by: link.peripheral) == (UInt8(0)..<8).map { [$0] })
    bench.send(Array(repeating: 1, count: 252), on: link.centralHandle, to: link.central)
    #expect(bench.count(DataBufferOverflow.self, from: link.central) == 3)
    bench.send([1], on: 0x0999, to: link.central)
    bench.run(for: .seconds(1))
    #expect(bench.received(by: link.peripheral).count == 8)
  }

  @Test("a disconnect tells each end its own reason and ends the link once", arguments: [true, false])
  func disconnecting(byCentral: Bool) throws {
    var bench = AirBench()
    let link = try bench.link()
    let (local, remote) = byCentral ? (link.central, link.peripheral) : (link.peripheral, link.central)
    let handle = byCentral ? link.centralHandle : link.peripheralHandle
    bench.send(Disconnect(connectionHandle: handle, reason: .success), to: local)
    #expect(bench.status(.disconnect, from: local) == .invalidHCICommandParameters)
    bench.send(Disconnect(connectionHandle: handle, reason: .remoteUserTerminatedConnection), to: local)
    bench.send(Disconnect(connectionHandle: handle), to: local)
    #expect(bench.status(.disconnect, from: local) == .commandDisallowed)
    bench.run(for: .seconds(5))
    #expect(bench.take(DisconnectionComplete.self, from: local).map(\.reason) == [.connectionTerminatedByLocalHost])
    #expect(bench.take(DisconnectionComplete.self, from: remote).map(\.reason) == [.remoteUserTerminatedConnection])
    bench.send(Disconnect(connectionHandle: handle), to: local)
    #expect(bench.status(.disconnect, from: local) == .unknownConnectionIdentifier)
  }

  @Test("ends that move apart lose each other after the supervision timeout, but not if they come back before")
  func supervision() throws {
    var bench = AirBench()
    let link = try bench.link(timeout: 100)
    bench.air.setReachable(false, link.peripheral, now: bench.now)
    bench.send([1], on: link.centralHandle, to: link.central)
    bench.run(for: .milliseconds(900))
    #expect(bench.received(by: link.peripheral).isEmpty)
    bench.air.setReachable(true, link.peripheral, now: bench.now)
    bench.run(for: .seconds(10))
    #expect(bench.count(DisconnectionComplete.self, from: link.central) == 0)
    #expect(bench.received(by: link.peripheral) == [[1]])
    let left = bench.now
    bench.air.setPosition(RadioPosition(x: 100), of: link.peripheral, now: left)
    bench.run(for: .seconds(10))
    for id in [link.central, link.peripheral] {
      let end = try #require(bench.heard[id, default: []].first { $0.event?.event is DisconnectionComplete })
      #expect(left.duration(to: end.time) > .milliseconds(960) && left.duration(to: end.time) <= .seconds(1))
      #expect(bench.take(DisconnectionComplete.self, from: id).map(\.reason) == [.connectionTimeout])
    }
  }

  @Test("a reset tells nobody: the other end finds out by its timeout")
  func reset() throws {
    var bench = AirBench()
    let link = try bench.link()
    bench.send(Reset(), to: link.peripheral)
    bench.run(for: .seconds(3))
    #expect(bench.count(DisconnectionComplete.self, from: link.peripheral) == 0)
    #expect(bench.take(DisconnectionComplete.self, from: link.central).map(\.reason) == [.connectionTimeout])
  }

  @Test("a link whose peripheral goes before the first event fails to be established")
  func neverEstablished() throws {
    var bench = AirBench()
    let (central, peripheral) = (bench.add(), bench.add())
    bench.advertise(peripheral)
    bench.connect(central, to: bench.address(2), interval: 800, timeout: 3200)
    while bench.count(LEConnectionComplete.self, from: central) == 0, let next = bench.air.nextEvent {
      bench.run(for: bench.now.duration(to: next))
    }
    bench.air.setPowered(false, peripheral, now: bench.now)
    bench.run(for: .seconds(10))
    #expect(bench.take(DisconnectionComplete.self, from: central).map(\.reason) == [.connectionFailedToBeEstablished])
  }

  @Test("F07: a pending connection is cancelled at once and can be asked for again")
  func cancelling() {
    var bench = AirBench()
    let central = bench.add()
    bench.send(LECreateConnectionCancel(), to: central)
    #expect(bench.status(.leCreateConnectionCancel, from: central) == .commandDisallowed)
    bench.connect(central, to: bench.address(9))
    bench.connect(central, to: bench.address(9))
    #expect(bench.status(.leCreateConnection, from: central) == .commandDisallowed)
    bench.run(for: .seconds(60))
    bench.send(LECreateConnectionCancel(), to: central)
    #expect(bench.status(.leCreateConnectionCancel, from: central) == .success)
    #expect(bench.take(LEConnectionComplete.self, from: central).map(\.status) == [.unknownConnectionIdentifier])
    bench.connect(central, to: bench.address(9))
    #expect(bench.status(.leCreateConnection, from: central) == .success)
  }

  @Test("one central keeps two links apart, and both carry data")
  func twoLinks() throws {
    var bench = AirBench()
    let (central, one, other) = (bench.add(), bench.add(), bench.add())
    var handles: [UInt16] = []
    for (number, peripheral) in [(UInt64(2), one), (3, other)] {
      bench.advertise(peripheral)
      bench.connect(central, to: bench.address(number))
      bench.run(for: .seconds(1))
      handles += bench.take(LEConnectionComplete.self, from: central).map(\.connectionHandle)
    }
    try #require(handles.count == 2)
    #expect(handles[0] != handles[1])
    bench.connect(central, to: bench.address(2))
    #expect(bench.status(.leCreateConnection, from: central) == .connectionAlreadyExists)
    for round in UInt8(0)..<20 {
      bench.send([round, 0], on: handles[0], to: central)
      bench.send([round, 1], on: handles[1], to: central)
      bench.run(for: .milliseconds(70))
    }
    #expect(bench.received(by: one) == (UInt8(0)..<20).map { [$0, 0] })
    #expect(bench.received(by: other) == (UInt8(0)..<20).map { [$0, 1] })
  }

  @Test(
    "two who connect to an advertiser at once disturb each other, unless one is much nearer",
    arguments: [false, true]
  )
  func contention(isNearer: Bool) {
    var bench = AirBench()
    bench.air.setPropagation(.steady, now: bench.now)
    let peripheral = bench.add()
    let (one, other) = (bench.add { $0.position.x = isNearer ? 0.5 : 5 }, bench.add { $0.position.x = 5 })
    bench.advertise(peripheral)
    bench.connect(one, to: bench.address(1))
    bench.connect(other, to: bench.address(1))
    bench.run(for: .seconds(5))
    #expect(bench.count(LEConnectionComplete.self, from: peripheral) == (isNearer ? 1 : 0))
    // Each takes its link for made as soon as it has asked for it, and then finds that nobody is there.
    for id in [one, other] {
      let lost = bench.take(DisconnectionComplete.self, from: id).map(\.reason)
      #expect(lost == (isNearer && id == one ? [] : [.connectionFailedToBeEstablished]))
    }
    bench.connect(other, to: bench.address(1))
    bench.run(for: .seconds(5))
    #expect(bench.count(DisconnectionComplete.self, from: other) == 0)
  }

  @Test("with latency the central waits for the peripheral, but not the other way round")
  func latency() throws {
    var bench = AirBench()
    let link = try bench.link(interval: 80, latency: 9, timeout: 600)
    var (down, up) = (Duration.zero, Duration.zero)
    for _ in 0..<20 {
      bench.heard = [:]
      var start = bench.now
      bench.send([1], on: link.centralHandle, to: link.central)
      bench.run(for: .milliseconds(1530))
      down = max(down, start.duration(to: try #require(bench.firstData(at: link.peripheral))))
      start = bench.now
      bench.send([2], on: link.peripheralHandle, to: link.peripheral)
      bench.run(for: .milliseconds(1570))
      up = max(up, start.duration(to: try #require(bench.firstData(at: link.central))))
    }
    #expect(down > .milliseconds(300) && down <= .milliseconds(1001))
    #expect(up > .zero && up <= .milliseconds(101))
  }

  @Test(
    "with length and PHY agreed on, the air carries what its time allows",
    arguments: [(LEPHYs.le1M, 400, 10), (.le2M, 700, 20)]
  )
  func throughput(phys: LEPHYs, expected: Int, tolerance: Int) throws {
    var bench = AirBench()
    let link = try bench.link(interval: 24)
    bench.send(LESetDataLength(connectionHandle: link.centralHandle), to: link.central)
    bench.send(LESetPHY(connectionHandle: link.centralHandle, txPHYs: phys, rxPHYs: phys), to: link.central)
    bench.run(for: .seconds(2))
    #expect(bench.take(LEDataLengthChange.self, from: link.central).map(\.maxTXOctets) == [251])
    #expect(bench.take(LEDataLengthChange.self, from: link.peripheral).map(\.maxRXOctets) == [251])
    #expect(bench.take(LEPHYUpdateComplete.self, from: link.central).map(\.txPHY.rawValue) == [phys.rawValue])
    bench.heard = [:]
    let payload = [UInt8](repeating: 7, count: 251)
    for _ in 0..<8 { bench.send(payload, on: link.centralHandle, to: link.central) }
    let end = bench.now.advanced(by: .seconds(10))
    while let next = bench.air.nextEvent, next < end {
      bench.run(for: bench.now.duration(to: next))
      let completed = bench.take(NumberOfCompletedPackets.self, from: link.central).flatMap(\.completed)
      for _ in 0..<completed.reduce(0, { $0 + Int($1.count) }) {
        bench.send(payload, on: link.centralHandle, to: link.central)
      }
    }
    #expect(bench.count(DataBufferOverflow.self, from: link.central) == 0)
    let rate = bench.received(by: link.peripheral).count / 10
    #expect(abs(rate - expected) <= tolerance, "\(rate) packets a second")
  }

  @Test("a connection update takes effect at both ends; the peripheral's wish is put to the central's host")
  func update() throws {
    var bench = AirBench()
    let link = try bench.link()
    var command = LEConnectionUpdate()
    command.connectionHandle = link.centralHandle
    command.connectionIntervalMin = 80
    command.connectionIntervalMax = 80
    command.maxLatency = 0
    command.supervisionTimeout = 400
    bench.send(command, to: link.central)
    bench.run(for: .seconds(2))
    for id in [link.central, link.peripheral] {
      #expect(bench.take(LEConnectionUpdateComplete.self, from: id).map(\.connectionInterval) == [80])
    }
    command.connectionHandle = link.peripheralHandle
    command.connectionIntervalMin = 12
    command.connectionIntervalMax = 12
    for isAccepted in [false, true] {
      bench.send(command, to: link.peripheral)
      bench.run(for: .seconds(1))
      let request = try bench.takeFirst(LERemoteConnectionParameterRequest.self, from: link.central)
      #expect(request.intervalMax == 12)
      if isAccepted {
        var reply = LERemoteConnectionParameterRequestReply()
        reply.connectionHandle = link.centralHandle
        reply.intervalMin = 12
        reply.intervalMax = 12
        reply.maxLatency = 0
        reply.timeout = 400
        bench.send(reply, to: link.central)
      } else {
        var reply = LERemoteConnectionParameterRequestNegativeReply()
        reply.connectionHandle = link.centralHandle
        reply.reason = .unacceptableConnectionParameters
        bench.send(reply, to: link.central)
      }
      bench.run(for: .seconds(2))
      let result = try bench.takeFirst(LEConnectionUpdateComplete.self, from: link.peripheral)
      #expect(result.status == (isAccepted ? .success : .unacceptableConnectionParameters))
      #expect(result.connectionInterval == (isAccepted ? 12 : 80))
    }
  }

  @Test("the peer's features and version can be read from both ends, more than once")
  func remote() throws {
    var bench = AirBench()
    let link = try bench.link()
    for _ in 0..<2 {
      for (id, handle) in [(link.central, link.centralHandle), (link.peripheral, link.peripheralHandle)] {
        bench.send(LEReadRemoteFeatures(connectionHandle: handle), to: id)
        bench.send(ReadRemoteVersionInformation(connectionHandle: handle), to: id)
        bench.run(for: .seconds(1))
        let features = bench.take(LEReadRemoteFeaturesComplete.self, from: id).map(\.leFeatures)
        #expect(features == [VirtualController.features])
        #expect(bench.take(ReadRemoteVersionInformationComplete.self, from: id).map(\.version) == [0x0D])
      }
    }
  }
}
