import BluetoothTypes
import Halcyon
import Testing
import VirtualRadioTesting

@testable import HalcyonCommand
@testable import VirtualRadio

@Suite("What the controllers of an air are doing", .reportsWorlds)
struct AirScreenTests {
  @Test("TUT-06: the five states of the link layer are seen as they change, and the roles")
  func states() async throws {
    try await World.simulated(seed: 1) { world in
      let central = Central(radio: world.radio)
      try await central.ready()
      var changes = world.controllerStateChanges.makeAsyncIterator()
      #expect(await changes.next()?.map(\.states) == [.standby])
      let band = world.add(.heartRateBand(name: "Pulse"))
      func wait(_ name: String, _ states: LinkLayerStates) async -> ControllerState? {
        while let all = await changes.next() {
          if let found = all.first(where: { $0.name == name && $0.states == states }) { return found }
        }
        return nil
      }
      #expect(await wait("Pulse", .advertising)?.address == band.address)
      let scan = Task { for try await _ in central.scan(timeout: .seconds(60)) {} }
      #expect(await wait("radio", .scanning) != nil)
      scan.cancel()
      #expect(await wait("radio", .standby) != nil)
      let connect = Task { try await central.connect(to: PeerID(band.address)) }
      #expect(await wait("radio", .initiating) != nil)
      let linked = await wait("radio", .connected)
      #expect(linked?.links.map(\.role) == [.central] && linked?.links.map(\.peer) == [band.address])
      let peripheral = try await connect.value
      let other = world.controllerStates.first { $0.name == "Pulse" }
      #expect(other?.states == .connected && other?.links.map(\.role) == [.peripheral])
      await peripheral.disconnect()
      #expect(await wait("Pulse", .advertising) != nil)
      band.powerOff()
      #expect(await wait("Pulse", .standby)?.isPoweredOn == false)
    }
  }

  @Test("TUT-06: a controller that has no address yet is shown without one")
  func withoutAddress() throws {
    func state(_ address: UInt64, _ states: LinkLayerStates) -> ControllerState {
      let address = BluetoothAddress(address, address == 0 ? .public : .random)
      return ControllerState(name: "Pulse", address: address, isPoweredOn: true, states: states, links: [])
    }
    let (early, late) = ([state(0, .standby)], [state(0xC000_0000_0001, .advertising)])
    var lines = AirScreen(isTerminal: false, isWatching: true)
    #expect(lines.show(early) == "air: Pulse: standby")
    #expect(lines.show(late) == "air: Pulse (C0:00:00:00:00:01): advertising")
    var table = AirScreen(isTerminal: true, isWatching: false)
    let text = table.show(early)
    let row = try #require(text?.split(separator: "\n").last)
    #expect(row.split(separator: " ") == ["Pulse", "–", "standby"])
  }

  @Test("TUT-06: a terminal has a table that is drawn anew; elsewhere each change is a line, if it is asked for")
  func screen() async throws {
    try await World.simulated(seed: 1) { world in
      world.add(.heartRateBand(name: "Pulse"))
      try await world.run(for: .seconds(1))
      let before = world.controllerStates
      let central = Central(radio: world.radio)
      try await central.ready()
      let after = world.controllerStates
      var table = AirScreen(isTerminal: true, isWatching: false)
      #expect(table.message("hello") == "hello")
      let text = table.show(before)
      let first = try #require(text).split(separator: "\n")
      #expect(first.count == 2 && first[0].hasPrefix("controller  address"))
      #expect(first[1].hasPrefix("Pulse       ") && first[1].hasSuffix("advertising"))
      #expect(table.show(before) == nil)
      let message = table.message("air: hello")
      #expect(message.hasPrefix("\u{1B}[2A\u{1B}[Jair: hello\ncontroller"))
      #expect(table.show(after)?.hasPrefix("\u{1B}[2A\u{1B}[Jcontroller") == true)
      #expect(table.show([])?.hasPrefix("\u{1B}[3A\u{1B}[J") == true)

      var lines = AirScreen(isTerminal: false, isWatching: true)
      #expect(lines.message("air: hello") == "air: hello")
      #expect(lines.show(before)?.hasSuffix("advertising") == true)
      let change = lines.show(after)
      let news = try #require(change)
      #expect(news.hasPrefix("air: radio (") && news.hasSuffix("standby") && !news.contains("\n"))
      #expect(lines.show(before)?.hasSuffix("gone") == true)
      var silent = AirScreen(isTerminal: false, isWatching: false)
      #expect(silent.show(before) == nil)
    }
  }
}
