import BluetoothTypes
import Foundation
import HCITransport
import HostStack
import RadioPort
import Testing
import VirtualRadioTesting

@testable import VirtualRadio

@Suite("Controllers for other programs", .reportsWorlds, .timeLimit(.minutes(5)))
struct ControllerServerTests {
  /// Our host as another program would have it: on a loop of its own, behind a socket.
  private struct Program {
    let loop = PollLoop()
    let radio: HostRadio

    init(_ place: ListenAddress) {
      let channel: any HCIChannel =
        switch place {
        case .tcp(let host, let port): TCPChannel(host: host, port: port, watcher: loop)
        case .unix(let path): LocalChannel(.unix(path: path), watcher: loop)
        }
      radio = HostRadio(executor: loop, channel: channel, configuration: HostConfiguration())
    }

    func start() async {
      let (states, source) = AsyncStream.makeStream(of: RadioState.self)
      _ = await radio.observeState { source.yield($0) }
      await radio.powerOn()
      _ = await states.first { $0.power == .poweredOn }
    }

    func find(_ name: String) async -> Sighting? {
      let (sightings, source) = AsyncStream.makeStream(of: Sighting.self)
      let scan = await radio.startScan(
        ScanRequest(),
        sighting: { source.yield($0) },
        ended: { _ in source.finish() }
      )
      let found = await sightings.first { $0.advertisement.localName == name }
      await radio.stopScan(scan)
      return found
    }

    func connect(to peer: PeerID) async throws -> LinkID {
      try await withCheckedThrowingContinuation { continuation in
        radio.executor.submit {
          radio.assumeIsolated { radio in
            _ = radio.connect(
              to: peer,
              options: LinkOptions(),
              events: { _ in },
              completion: { continuation.resume(with: $0) }
            )
          }
        }
      }
    }

    func discover(on link: LinkID) async throws -> [RemoteService] {
      try await withCheckedThrowingContinuation { continuation in
        radio.executor.submit {
          radio.assumeIsolated { radio in
            _ = radio.discover(nil, on: link) { continuation.resume(with: $0) }
          }
        }
      }
    }

    func end() async {
      await radio.powerOff()
      await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
    }
  }

  private static let port = ListenAddress.tcp(host: "127.0.0.1", port: 0)
  private static let file = ListenAddress.unix(
    path: FileManager.default.temporaryDirectory.appending(path: "air-\(UInt32.random(in: 0...0xFFFF))").path
  )

  @Test(
    "two programs have controllers of their own on one air, by TCP or a unix socket, and meet its devices",
    arguments: [port, file]
  )
  func meeting(address: ListenAddress) async throws {
    try await World.live(speed: 50, seed: 1) { world in
      let (events, source) = AsyncStream.makeStream(of: ControllerServer.Event.self)
      let server = try #require(ControllerServer(in: world) { source.yield($0) })
      let place = try await server.listen(at: address)
      let band = world.add(.heartRateBand(name: "Pulse"))
      let programs = [Program(place), Program(place)]
      var happened = events.makeAsyncIterator()
      for (index, program) in programs.enumerated() {
        await program.start()
        guard case .attached(let guest)? = await happened.next() else {
          Issue.record("nobody came")
          return
        }
        #expect(guest.number == index + 1)
        #expect(guest.address == BluetoothAddress(0x0241_4952_0001 + UInt64(index), .public))
      }
      for program in programs { #expect(await program.find("Pulse")?.address == band.device.address) }
      let peer = try #require(await programs[0].find("Pulse")).peer
      let link = try await programs[0].connect(to: peer)
      let services = try await programs[0].discover(on: link)
      #expect(services.contains { $0.uuid == ServiceID.heartRate.uuid })

      await programs[0].end()
      guard case .detached(let guest, let reason)? = await happened.next() else {
        Issue.record("nobody left")
        return
      }
      #expect(guest.number == 1)
      #expect(reason == "it was closed by the other end")
      // Its controller is gone, so the band's link times out and the other program finds it again.
      #expect(await programs[1].find("Pulse") != nil)
      await server.stop()
      await programs[1].end()
    }
  }

  @Test("a program that speaks nonsense is disconnected with the reason, and others stay")
  func nonsense() async throws {
    try await World.live(speed: 50, seed: 1) { world in
      let (events, source) = AsyncStream.makeStream(of: ControllerServer.Event.self)
      let server = try #require(ControllerServer(in: world) { source.yield($0) })
      let place = try await server.listen(at: .tcp(host: "127.0.0.1", port: 0))
      let good = Program(place)
      await good.start()
      guard case .tcp(let host, let port) = place else { return }
      // An event is nothing that a host may say.
      let loop = PollLoop()
      let bad = TCPChannel(host: host, port: port, watcher: loop)
      loop.submit {
        bad.open(receive: { _ in }, closed: { _ in })
        bad.send(HCIPacket(.event, payload: [0x10, 1, 0]))
      }
      let left = await events.first { if case .detached = $0 { true } else { false } }
      guard case .detached(let guest, let reason)? = left else { return }
      #expect(guest.number == 2)
      #expect(reason.contains("at byte 0 of the stream"))
      world.add(.heartRateBand(name: "Pulse"))
      #expect(await good.find("Pulse") != nil)
      await server.stop()
      await good.end()
      await withCheckedContinuation { continuation in
        loop.submit {
          bad.close()
          loop.stop { continuation.resume() }
        }
      }
    }
  }

  @Test("F43: faults of a scene strike the programs that come by TCP, each its own, and nobody else")
  func faults() async throws {
    let scene = try Scene(
      """
      { "radios": [
        { "name": "program 1", "faults": [{ "dropLink": { "reason": 21 }, "at": { "packet": 3 } }] },
        { "name": "program 2", "faults": [{ "losePackets": 1, "at": { "packet": 3 } }] } ] }
      """
    )
    try await World.live(speed: 20, seed: 1) { world in
      world.load(scene: scene)
      let (events, source) = AsyncStream.makeStream(of: ControllerServer.Event.self)
      let server = try #require(ControllerServer(in: world) { source.yield($0) })
      let place = try await server.listen(at: .tcp(host: "127.0.0.1", port: 0))
      let bands = (0..<3).map { world.add(.heartRateBand(name: "Pulse \($0)")) }
      let programs = [Program(place), Program(place), Program(place)]
      var happened = events.makeAsyncIterator()
      for program in programs {
        await program.start()
        // Their numbers are those of the order in which they came.
        _ = await happened.next()
      }
      // The reason is what the other end hears; who is struck hears that its own end has ended the link.
      let reasons: [HCIStatus?] = [.connectionTerminatedByLocalHost, .connectionTimeout, nil]
      for ((program, band), reason) in zip(zip(programs, bands), reasons) {
        let peer = try #require(await program.find(band.name)).peer
        let link = try await program.connect(to: peer)
        do {
          // It takes more than three packets.
          let services = try await program.discover(on: link)
          #expect(reason == nil && services.contains { $0.uuid == ServiceID.heartRate.uuid })
        } catch let failure as RadioFailure {
          #expect(failure.kind == .disconnected && reason.map { failure.underlying == .hci($0) } == true, "\(failure)")
        }
      }
      for number in 1...3 { #expect(world.faults(ofProgram: number)?.count == (number == 3 ? 0 : 1)) }
      // What happens once has happened, and what lasts lasts until it is taken back.
      world.faults(ofProgram: 2)?.removeAll()
      for (program, band) in zip(programs, bands).prefix(2) {
        let again = try await program.connect(to: PeerID(band.address))
        #expect(try await program.discover(on: again).contains { $0.uuid == ServiceID.heartRate.uuid })
      }
      await server.stop()
      for program in programs { await program.end() }
    }
  }

  @Test("there are so many places and no more")
  func limit() async throws {
    try await World.live(speed: 50, seed: 1) { world in
      let (events, source) = AsyncStream.makeStream(of: ControllerServer.Event.self)
      let server = try #require(ControllerServer(in: world, limit: 1) { source.yield($0) })
      let place = try await server.listen(at: .tcp(host: "127.0.0.1", port: 0))
      let first = Program(place)
      await first.start()
      let second = Program(place)
      await second.radio.powerOn()
      #expect(await events.first { if case .turnedAway = $0 { true } else { false } } != nil)
      await server.stop()
      await first.end()
      await second.end()
    }
  }

  @Test("no guest gets the address of another one that is still there, however many come and go")
  func addresses() {
    var addresses = GuestAddresses()
    let first = addresses.take()
    #expect(first == BluetoothAddress(0x0241_4952_0001, .public))
    var seen: Set<BluetoothAddress> = [first]
    for _ in 0..<200_000 {
      let next = addresses.take()
      #expect(next != first)
      seen.insert(next)
      addresses.giveBack(next)
    }
    #expect(seen.count == 65_536)
    addresses.giveBack(first)
    let all = Set((0..<65_536).map { _ in addresses.take() })
    #expect(all.contains(first) && all.count == 65_536)
  }

  @Test("a world with simulated time serves nobody")
  func simulated() async throws {
    try await World.simulated(seed: 1) { world in
      #expect(ControllerServer(in: world) { _ in } == nil)
    }
  }
}
