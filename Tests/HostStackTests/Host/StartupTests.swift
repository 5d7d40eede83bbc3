import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Start-up of a controller")
struct StartupTests {
  @Test("asks for everything in order and is on")
  func sequence() {
    var bench = HostBench()
    bench.act { host, now in host.powerOn(now: now) }
    #expect(
      bench.takeNames() == [
        "Reset", "Read Local Version Information", "Read Local Supported Commands", "Read Local Supported Features",
        "Read BD ADDR", "Set Event Mask", "LE Read Local Supported Features", "LE Set Event Mask",
        "LE Read Buffer Size", "LE Read Filter Accept List Size",
      ]
    )
    #expect(bench.events.states == [.poweredOn])
    #expect(bench.host.info.address == HostBench.address)
    #expect(bench.host.info.aclCount == 4)
  }

  @Test("takes the shared buffers where there are none for LE alone")
  func sharedBuffers() {
    let bench = HostBench.on {
      $0.aclLength = 0
      $0.aclCount = 0
      $0.answers[.readBufferSize] = { _ in
        [HostBench.complete(ReadBufferSize.self, .init(aclDataPacketLength: 1021, totalNumACLDataPackets: 6))]
      }
    }
    #expect(bench.host.state == .poweredOn)
    #expect(bench.host.info.aclLength == 1021)
    #expect(bench.host.info.aclCount == 6)
  }

  @Test("makes a static random address where there is no public one, the same for the same randomness")
  func randomAddress() {
    func address(_ randomness: UInt64) -> BluetoothAddress {
      HostBench.on(HostConfiguration(randomness: randomness)) {
        $0.answers[.readBDADDR] = { _ in
          [HostBench.complete(ReadBDADDR.self, .init(bdADDR: BluetoothAddress(0, .public)))]
        }
      }.host.info.address
    }
    #expect(address(7).randomKind == .static)
    #expect(address(7) == address(7))
    #expect(address(7) != address(8))
    for edge in [0, UInt64.max] {
      #expect(address(edge).value & 0x3FFF_FFFF_FFFF != 0)
      #expect(address(edge).value & 0x3FFF_FFFF_FFFF != 0x3FFF_FFFF_FFFF)
    }
  }

  @Test("goes on when optional commands are unknown or left out of the bitmap")
  func optional() {
    for opcode in [
      HCIOpcode.readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures, .readBDADDR,
      .leReadLocalSupportedFeatures, .leReadFilterAcceptListSize,
    ] {
      let bench = HostBench.on { $0.answers[opcode] = { _ in [HostBench.refuse(opcode, .unknownHCICommand)] } }
      #expect(bench.host.state == .poweredOn, "\(opcode)")
    }
    var bench = HostBench()
    bench.answers[.readLocalSupportedCommands] = { _ in
      [HostBench.complete(ReadLocalSupportedCommands.self, .init(supportedCommands: SupportedCommands()))]
    }
    bench.act { host, now in host.powerOn(now: now) }
    #expect(!bench.takeNames().contains("LE Read Filter Accept List Size"))
    #expect(bench.host.state == .poweredOn)
  }

  @Test("a controller that never answers counts as failed after 5 s, with the reason")
  func silence() {
    var bench = HostBench()
    bench.answers[.reset] = { _ in [] }
    bench.act { host, now in host.powerOn(now: now) }
    bench.pass(.seconds(4))
    #expect(bench.events.states.isEmpty)
    bench.pass(.seconds(1))
    #expect(bench.host.state.power == .poweredOff)
    #expect(bench.host.state.reason?.contains("0C03") == true)
    #expect(bench.host.deadline == nil)
  }

  @Test("a controller that gives no room for commands counts as failed")
  func noRoom() {
    var bench = HostBench()
    bench.answers[.reset] = { _ in
      [CommandComplete(numHCICommandPackets: 0, opcode: .reset, returnParameters: [0]).packet]
    }
    bench.act { host, now in host.powerOn(now: now) }
    #expect(bench.takeNames() == ["Reset"])
    bench.pass(.seconds(2))
    #expect(bench.host.state.power == .unknown)
    // Room may come by itself, with opcode 0.
    bench.receive(CommandComplete(numHCICommandPackets: 1, opcode: .none))
    #expect(bench.host.state == .poweredOn)
  }

  @Test("a refused reset and a controller without Low Energy are told apart")
  func refusals() {
    let dead = HostBench.on { $0.answers[.reset] = { _ in [HostBench.refuse(.reset, .hardwareFailure)] } }
    #expect(dead.host.state.power == .poweredOff)
    let classic = HostBench.on {
      $0.answers[.leReadBufferSize] = { _ in [HostBench.refuse(.leReadBufferSize, .unknownHCICommand)] }
    }
    #expect(classic.host.state.power == .unsupported)
  }

  @Test("answers that are cut short end the start-up with a reason")
  func cutShort() {
    let bench = HostBench.on {
      $0.answers[.leReadBufferSize] = { _ in
        [CommandComplete(opcode: .leReadBufferSize, returnParameters: [0, 27]).packet]
      }
    }
    #expect(bench.host.state.power == .poweredOff)
    #expect(bench.host.state.reason?.contains("LE_Read_Buffer_Size") == true)
  }

  @Test("a hardware error ends all that is pending and starts the controller again")
  func hardwareError() throws {
    var bench = HostBench.on()
    let made = bench.link(to: HostBench.peer(1))
    let linked = try #require(made)
    let scan = bench.act { host, now in host.startScan(ScanRequest(), now: now) }
    bench.events = []
    bench.commands = []
    bench.receive(HardwareError(hardwareCode: 9))
    #expect(bench.events.states.map(\.power) == [.resetting, .poweredOn])
    #expect(bench.events.linkEvents.map(\.claims) == [[linked.claim]])
    #expect(
      bench.events.contains {
        if case .scanEnded(scan, let failure) = $0 { failure.kind == .poweredOff } else { false }
      }
    )
    #expect(bench.takeNames().first == "Reset")
  }
}
