import BluetoothTypes
import HostStack
import RadioPort
import SystemRadio
import Testing

@Suite struct SystemRadioTests {
  @Test(
    "each form of a radio's name is understood and written back",
    arguments: [
      ("bluez", RadioSelection.bluez), ("virtual", .virtual(scene: nil)),
      ("virtual:ride.json", .virtual(scene: "ride.json")),
      ("hci:tcp:localhost:7001", .hciTCP(host: "localhost", port: 7001)),
      ("hci:tcp:[::1]:7001", .hciTCP(host: "::1", port: 7001)),
      ("hci:unix:/tmp/a:b", .hciUnix(path: "/tmp/a:b")),
      ("hci:uart:/dev/ttyACM0,1000000", .hciUART(device: "/dev/ttyACM0", baud: 1_000_000)),
      ("hci:user:0", .hciUser(index: 0)),
    ]
  )
  func forms(text: String, selection: RadioSelection) throws {
    #expect(try RadioSelection(text) == selection)
    #expect(selection.description == text)
  }

  @Test(
    "a name that makes no sense is refused with the forms that do",
    arguments: [
      "", "bluetooth", "bluez:", "virtual:", "hci", "hci:", "hci:tcp", "hci:tcp:localhost", "hci:tcp::7001",
      "hci:tcp:localhost:0", "hci:tcp:localhost:70000", "hci:tcp:localhost:x", "hci:tcp:::1:7001", "hci:uart:",
      "hci:uart:/dev/x", "hci:uart:/dev/x,0", "hci:uart:,9600", "hci:user:", "hci:user:-1", "hci:usb:0", "hci:unix",
      "hci:unix:",
    ]
  )
  func nonsense(text: String) {
    let error = #expect(throws: RadioSelectionError.self) { try RadioSelection(text) }
    #expect(error?.description.contains(RadioSelection.forms) == true)
  }

  @Test(
    "a radio that is not in this version says so",
    arguments: ["bluez", "hci:uart:/dev/x,9600"]
  )
  func missing(text: String) async throws {
    let error = #expect(throws: RadioSelectionError.self) { try SystemRadio.open(text) }
    #expect(error?.description.contains("not in this version") == true)
    let state = await SystemRadio.radio(named: text).state
    #expect(state.power == .unsupported)
    #expect(state.reason?.contains("HALCYON_RADIO can not be followed") == true)
  }

  @Test("without a radio every operation fails with the reason, and each only once")
  func unavailable() async {
    let radio = SystemRadio.radio(named: nil)
    let scanned: RadioFailure = await withCheckedContinuation { continuation in
      Task {
        _ = await radio.startScan(
          ScanRequest(),
          sighting: { _ in Issue.record("a sighting without a radio") },
          ended: { continuation.resume(returning: $0) }
        )
      }
    }
    #expect(scanned.kind == .unsupported)
    #expect(scanned.reason.contains("HALCYON_RADIO"))
    let connected: Result<LinkID, RadioFailure> = await withCheckedContinuation { continuation in
      Task {
        _ = await radio.connect(
          to: PeerID(BluetoothAddress(1, .random)),
          options: LinkOptions(),
          events: { _ in },
          completion: { continuation.resume(returning: $0) }
        )
      }
    }
    #expect(connected == .failure(scanned))
  }

  @Test("a refused port becomes the state of the radio, with the reason")
  func refused() async throws {
    let server = try #require(LoopbackServer())
    server.stop()
    let live = LiveRadio(host: "127.0.0.1", port: server.port)
    let (states, source) = AsyncStream.makeStream(of: RadioState.self)
    let radio = live.radio
    _ = await radio.observeState { source.yield($0) }
    source.yield(await radio.state)
    let off = await states.first { $0.power == .poweredOff && $0.reason?.contains("refused") == true }
    #expect(off?.reason?.contains("127.0.0.1:\(server.port)") == true)
    await withCheckedContinuation { continuation in live.close { continuation.resume() } }
    #expect(live.loop.hasEnded)
  }
}
