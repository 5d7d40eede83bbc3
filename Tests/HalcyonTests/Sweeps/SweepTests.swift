import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A fault at every moment of a whole session", .reportsWorlds(packets: 25))
struct SweepTests {
  @Test("The task is cancelled at every packet: CancellationError at once, nothing is left, and all works afterwards")
  func cancelledAtPackets() async throws {
    let count = try await Sweep.run(at: .packets) { _, _, task in
      task.cancel()
    } judge: { scenario, time in
      Self.judgeCancellation(scenario, time)
    }
    #expect(count > 100)
  }

  @Test("The task is cancelled at every job: CancellationError at once, nothing is left, and all works afterwards")
  func cancelledAtJobs() async throws {
    let count = try await Sweep.run(at: .jobs) { _, _, task in
      task.cancel()
    } judge: { scenario, time in
      Self.judgeCancellation(scenario, time)
    }
    #expect(count > 100)
  }

  private static func judgeCancellation(_ scenario: SweptScenario, _ time: RadioInstant) {
    guard let failure = scenario.failure else { return #expect(scenario.isWhole) }
    #expect(failure.error is CancellationError, "in \(failure.step): \(failure.error)")
    #expect(failure.time == time, "in \(failure.step)")
  }

  @Test("The device ends the link at every packet: disconnected or not connected, soon, and all works afterwards")
  func disconnectedAtPackets() async throws {
    let count = try await Sweep.run(at: .packets) { _, device, _ in
      device.disconnect()
    } judge: { scenario, time in
      Self.judgeLoss(scenario, time)
    }
    #expect(count > 100)
  }

  @Test("The device goes out of range at every packet: everything ends in time, and all works afterwards")
  func lostAtPackets() async throws {
    let count = try await Sweep.run(at: .packets) { _, device, _ in
      device.moveOutOfRange(for: .seconds(5))
    } judge: { scenario, time in
      Self.judgeLoss(scenario, time)
    }
    #expect(count > 100)
  }

  @Test("The device loses its power at every packet: everything ends in time, and all works afterwards")
  func deviceOffAtPackets() async throws {
    let count = try await Sweep.run(at: .packets) { world, device, _ in
      device.powerOff()
      world.clock.executor.schedule(at: world.now.advanced(by: .seconds(5))) { device.powerOn() }
    } judge: { scenario, time in
      Self.judgeLoss(scenario, time)
    }
    #expect(count > 100)
  }

  private static func judgeLoss(_ scenario: SweptScenario, _ time: RadioInstant) {
    // Before there was a link, the device has only come later.
    guard let failure = scenario.failure else { return #expect(scenario.isWhole) }
    let kind = (failure.error as? BluetoothError)?.kind
    #expect([.disconnected, .notConnected, .connectionFailed].contains(kind), "in \(failure.step): \(failure.error)")
    #expect(time.duration(to: failure.time) < .seconds(4), "in \(failure.step)")
    #expect(![.ready].contains(failure.step))
  }

  @Test(
    "F01, F09, F10: the radio goes off at every packet: poweredOff at once, nothing is left, and all works afterwards"
  )
  func radioOffAtPackets() async throws {
    let count = try await Sweep.run(at: .packets) { world, _, _ in
      world.radioPower(false)
    } repair: { world, _ in
      world.radioPower(true)
    } judge: { scenario, time in
      guard let failure = scenario.failure else { return #expect(scenario.isWhole) }
      let kind = (failure.error as? BluetoothError)?.kind
      // Who only waits for the radio goes on waiting, within a bound.
      if failure.step == .ready { return #expect([.timedOut, .poweredOff].contains(kind), "\(failure.error)") }
      #expect([.poweredOff, .notConnected, .disconnected].contains(kind), "in \(failure.step): \(failure.error)")
      #expect(failure.time == time, "in \(failure.step)")
    }
    #expect(count > 100)
  }

  @Test("The radio goes off and on again at once, at every packet: each operation ends, and all works afterwards")
  func radioOffAndOnAtPackets() async throws {
    let count = try await Sweep.run(at: .packets) { world, _, _ in
      world.radioPower(false)
      world.radioPower(true)
    } judge: { scenario, time in
      guard let failure = scenario.failure else { return #expect(scenario.isWhole) }
      let kind = (failure.error as? BluetoothError)?.kind
      #expect([.poweredOff, .notConnected, .disconnected].contains(kind), "in \(failure.step): \(failure.error)")
      #expect(time.duration(to: failure.time) < .seconds(1), "in \(failure.step)")
    }
    #expect(count > 100)
  }
}
