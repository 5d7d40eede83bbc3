import Foundation
import Halcyon
import Testing

@Suite("Proximity from measurements")
struct ProximityFilterTests {
  private static let configuration = ProximityConfiguration(pathLoss: ProximityWalk.model)

  /// Feeds the same strength, ten times a second, and returns what the filter became when.
  private func feed(
    _ filter: inout ProximityFilter,
    at distance: Double,
    for duration: Duration,
    from start: RadioInstant,
    every interval: Duration = ProximityWalk.step
  ) -> (end: RadioInstant, changes: [Proximity]) {
    let rssi = Int(ProximityWalk.model.rssi(distance: distance).rounded())
    var time = start
    var changes: [Proximity] = []
    while start.duration(to: time) < duration {
      if let change = filter.add(rssi: rssi, at: time) { changes.append(change) }
      time = time.advanced(by: interval)
    }
    return (time, changes)
  }

  @Test("The log-distance model and its inverse fit each other")
  func model() {
    let model = PathLoss(powerAtOneMeter: -59, exponent: 2)
    #expect(model.distance(rssi: -59) == 1)
    #expect(abs(model.distance(rssi: -79) - 10) < 1e-9)
    #expect(abs(model.rssi(distance: 100) + 99) < 1e-9)
    for distance in [0.1, 0.5, 1, 3, 42] {
      #expect(abs(model.distance(rssi: model.rssi(distance: distance)) - distance) < 1e-9)
    }
    #expect(abs(PathLoss(powerAtOneMeter: -50, exponent: 4).distance(rssi: -90) - 10) < 1e-9)
    let beacon = IBeacon(uuid: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", major: 1, minor: 2, powerAtOneMeter: -61)
    #expect(PathLoss(of: .iBeacon(beacon))?.powerAtOneMeter == -61)
    let silent = EddystoneTelemetry(advertisementCount: 0, uptime: .zero)
    #expect(PathLoss(of: .eddystone(.telemetry(silent))) == nil)
  }

  @Test("OK-20: near, then far, with nothing in between: between the edges it stays what it was")
  func hysteresis() {
    var filter = ProximityFilter(Self.configuration)
    #expect(filter.proximity == .unknown)
    #expect(filter.distance == nil)
    var (time, changes) = feed(&filter, at: 3.5, for: .seconds(20), from: .zero)
    #expect(changes.isEmpty)
    #expect(filter.proximity == .unknown)
    (time, changes) = feed(&filter, at: 1, for: .seconds(5), from: time)
    #expect(changes == [.near])
    #expect(filter.distance.map { abs($0 - 1) < 0.2 } == true)
    (time, changes) = feed(&filter, at: 4.5, for: .seconds(60), from: time)
    #expect(changes.isEmpty)
    (time, changes) = feed(&filter, at: 8, for: .seconds(5), from: time)
    #expect(changes == [.far])
    #expect(filter.distance.map { abs($0 - 8) < 1 } == true)
    (time, changes) = feed(&filter, at: 2.5, for: .seconds(60), from: time)
    #expect(changes.isEmpty)
    (_, changes) = feed(&filter, at: 1, for: .seconds(5), from: time)
    #expect(changes == [.near])
  }

  @Test("OK-20: with a dwell time a device has to stay on the other side without interruption")
  func dwell() {
    var configuration = Self.configuration
    configuration.dwell = .seconds(5)
    var filter = ProximityFilter(configuration)
    var (time, changes) = feed(&filter, at: 1, for: .seconds(4), from: .zero)
    #expect(changes.isEmpty)
    (time, changes) = feed(&filter, at: 3.5, for: .seconds(10), from: time)
    #expect(changes.isEmpty)
    let start = time
    (time, changes) = feed(&filter, at: 1, for: .seconds(20), from: time)
    #expect(changes == [.near])
    // Back to 3.5 m, a short trip out does not count, a long one does.
    (time, changes) = feed(&filter, at: 3.5, for: .seconds(10), from: time)
    (time, changes) = feed(&filter, at: 8, for: .seconds(4), from: time)
    #expect(changes.isEmpty)
    (time, changes) = feed(&filter, at: 3.5, for: .seconds(20), from: time)
    #expect(changes.isEmpty)
    (time, changes) = feed(&filter, at: 8, for: .seconds(10), from: time)
    #expect(changes == [.far])
    #expect(start < time)
  }

  @Test("Single measurements that are far off, and what no controller means, change nothing")
  func outliers() {
    var filter = ProximityFilter(Self.configuration)
    var (time, changes) = feed(&filter, at: 1, for: .seconds(5), from: .zero)
    for round in 0..<200 {
      let (next, changed) = feed(&filter, at: 3, for: .seconds(1), from: time)
      changes += changed
      let odd = [-127, -110, 127, -128, 20, .min, .max][round % 7]
      if let change = filter.add(rssi: odd, at: next) { changes.append(change) }
      time = next.advanced(by: ProximityWalk.step)
    }
    #expect(changes == [.near])
    #expect(filter.distance.map { 1.5...6 ~= $0 } == true)
  }

  @Test("Measurements from before a long pause say nothing of now, but near stays near until more is known")
  func pause() {
    var filter = ProximityFilter(Self.configuration)
    var (time, changes) = feed(&filter, at: 1, for: .seconds(10), from: .zero)
    #expect(changes == [.near])
    time = time.advanced(by: .seconds(600))
    let rssi = Int(ProximityWalk.model.rssi(distance: 10).rounded())
    #expect(filter.add(rssi: rssi, at: time) == nil)
    #expect(filter.distance.map { abs($0 - 10) < 1 } == true)
    #expect(filter.proximity == .near)
    (_, changes) = feed(&filter, at: 10, for: .seconds(3), from: time.advanced(by: ProximityWalk.step))
    #expect(changes == [.far])
    filter.forgetMeasurements()
    #expect(filter.distance == nil)
    #expect(filter.proximity == .far)
  }

  @Test(
    "It works with any pace of measurements, also where the time jumps back",
    arguments: [20, 100, 250, 1000, 3000]
  )
  func pace(milliseconds: Int) {
    var filter = ProximityFilter(Self.configuration)
    let interval = Duration.milliseconds(milliseconds)
    var (time, changes) = feed(&filter, at: 0.7, for: .seconds(30), from: .zero, every: interval)
    #expect(changes == [.near])
    (time, changes) = feed(&filter, at: 12, for: .seconds(30), from: time, every: interval)
    #expect(changes == [.far])
    (_, changes) = feed(&filter, at: 0.7, for: .seconds(30), from: .zero, every: interval)
    #expect(changes == [.near])
  }

  @Test("OK-20: distances that the device measures itself are taken as they are, and need few")
  func distances() {
    var filter = ProximityFilter(Self.configuration)
    var time = RadioInstant.zero
    func feed(_ distance: Double, _ count: Int) -> [Proximity] {
      (0..<count).compactMap { _ in
        time = time.advanced(by: .milliseconds(200))
        return filter.add(distance: distance, at: time)
      }
    }
    #expect(feed(1.5, 5) == [.near])
    #expect(feed(4.8, 100).isEmpty)
    #expect(feed(6, 8) == [.far])
    #expect(filter.distance.map { abs($0 - 6) < 0.5 } == true)
    for wrong in [Double.nan, .infinity, -1] { #expect(filter.add(distance: wrong, at: time) == nil) }
    #expect(feed(0, 8) == [.near])
  }

  @Test("A configuration that makes no sense is set right")
  func nonsense() {
    for near in [-1, 0, .nan, .infinity, 5.0] {
      for far in [-1, 0, .nan, .infinity, 5.0] {
        var configuration = ProximityConfiguration(
          pathLoss: PathLoss(powerAtOneMeter: -59, exponent: near),
          near: near,
          far: far,
          shadowing: far,
          dwell: .seconds(-1),
          interval: .zero
        )
        configuration.pathLoss.exponent = far
        var filter = ProximityFilter(configuration)
        for step in 0..<50 { filter.add(rssi: -127 + step * 2, at: RadioInstant.zero.advanced(by: .seconds(step))) }
        #expect(filter.distance.map { $0 >= 0 } == true)
      }
    }
    var filter = ProximityFilter(ProximityConfiguration(pathLoss: PathLoss(powerAtOneMeter: .nan)))
    #expect(filter.add(rssi: -60, at: .zero) == nil)
    #expect(filter.distance == nil)
  }
}
