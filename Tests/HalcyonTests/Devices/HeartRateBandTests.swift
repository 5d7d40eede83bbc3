import BluetoothTypes
import GATTProfiles
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A heart-rate band", .reportsWorlds)
struct HeartRateBandTests {
  private let measurement = Characteristic<HeartRateMeasurement>("2A37", in: .heartRate)
  private let location = Characteristic<BodySensorLocation>("2A38", in: .heartRate)
  private let control = Characteristic<HeartRateControlPoint>("2A39", in: .heartRate)
  private let battery = Characteristic<BatteryLevel>("2A19", in: .battery)

  @Test("is found, connects, tells where it is worn and streams a measurement a second")
  func streams() async throws {
    let measurement = measurement
    let location = location
    try await World.simulated(seed: 1) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      let central = Central(radio: world.radio)
      try await central.ready()
      let peripheral = try await central.scan(for: [.heartRate]).connect()
      #expect(peripheral.name == "Pulse")
      #expect(peripheral.id == PeerID(band.address))
      #expect(band.isConnected)
      #expect(try await peripheral.read(location) == .chest)

      var beats: [HeartRateMeasurement] = []
      var times: [RadioInstant] = []
      for try await beat in peripheral.values(of: measurement) {
        beats.append(beat)
        times.append(world.now)
        #expect(band.isSubscribed)
        #expect(band.beatsPerMinute == Int(beat.beatsPerMinute))
        if beats.count == 60 { break }
      }
      #expect(beats.allSatisfy { 40...190 ~= $0.beatsPerMinute && $0.contact == .detected })
      #expect(beats.enumerated().allSatisfy { ($0.offset % 10 == 9) == ($0.element.energyExpended != nil) })
      // The beats fill the minute, at the rate that was told.
      let total = beats.flatMap(\.rrIntervals).reduce(Duration.zero) { $0 + $1.duration }
      #expect(total > .seconds(57) && total < .seconds(62))
      let count = beats.flatMap(\.rrIntervals).count
      let mean = beats.reduce(0) { $0 + Int($1.beatsPerMinute) } / beats.count
      #expect(abs(count - mean) <= 5)
      for (one, next) in zip(times, times.dropFirst()) {
        let gap = one.duration(to: next)
        #expect(gap > .milliseconds(900) && gap < .milliseconds(1100))
      }
      try await world.run(for: .seconds(1))
      #expect(!band.isSubscribed)
      #expect(band.problems.isEmpty)
      await peripheral.disconnect()
      try await world.run(for: .seconds(3))
      #expect(!band.isConnected)
    }
  }

  @Test("takes the command to reset its energy, and refuses others")
  func controlPoint() async throws {
    let control = control
    try await World.simulated(seed: 1) { world in
      let band = world.add(.heartRateBand(name: "Pulse", location: .wrist))
      let peripheral = try await connect(to: band, in: world)
      try await world.run(for: .seconds(600))
      #expect(band.energyExpended >= 150)
      try await peripheral.write(.resetEnergyExpended, to: control)
      #expect(band.energyExpended == 0)
      let error = await bluetoothError {
        try await peripheral.write(HeartRateControlPoint(rawValue: 2), to: control)
      }
      #expect(error?.attCode == .heartRateControlPointNotSupported)
    }
  }

  @Test("notifies its battery when the level falls, and says who made it")
  func batteryAndInformation() async throws {
    let battery = battery
    try await World.simulated(seed: 1) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      let peripheral = try await connect(to: band, in: world)
      #expect(try await peripheral.read(battery) == 100)
      var levels: [BatteryLevel] = []
      for try await level in peripheral.values(of: battery) {
        levels.append(level)
        if levels.count == 3 { break }
      }
      #expect(levels == [99, 98, 97])
      let passed = world.now.sinceStart
      #expect(passed >= .seconds(45 * 60) && passed < .seconds(45 * 60 + 1))
      let maker = Characteristic<String>("2A29", in: .deviceInformation)
      #expect(try await peripheral.read(maker) == "Halcyon")
      let pnp = try await peripheral.read(Characteristic<PnPID>("2A50", in: .deviceInformation))
      #expect(pnp.versionText == "1.0.0")
    }
  }

  @Test("without contact it tells so")
  func contact() async throws {
    let measurement = measurement
    try await World.simulated(seed: 1) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      band.setContact(false)
      let peripheral = try await connect(to: band, in: world)
      var values = peripheral.values(of: measurement).makeAsyncIterator()
      let first = try await values.next()
      #expect(first == HeartRateMeasurement(beatsPerMinute: 0, contact: .notDetected))
      band.setContact(true)
      band.setBeatsPerMinute(180)
      let next = try await values.next()
      #expect(next?.contact == .detected)
      #expect((170...190).contains(next?.beatsPerMinute ?? 0))
    }
  }
}
