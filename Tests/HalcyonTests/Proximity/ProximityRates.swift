import Foundation
import Halcyon

/// How often a filter is wrong, and how late, on simulated walks.
enum ProximityRates {
  /// Where somebody is who keeps between 3 and 4 m.
  enum Stay: CaseIterable {
    case atThree, atFour, swaying

    func distance(_ seconds: Double) -> Double {
      switch self {
      case .atThree: 3
      case .atFour: 4
      case .swaying: 3.5 + 0.5 * sin(seconds / 2)
      }
    }
  }

  /// How many times a filter switches while the device keeps between 3 and 4 m for ten minutes. Every other seed begins
  /// with a device that was far.
  static func falseSwitches(_ shadowing: ProximityWalk.Shadowing, _ stay: Stay, seeds: Range<UInt64>) -> Int {
    var count = 0
    for seed in seeds {
      var walk = ProximityWalk(shadowing, seed: seed)
      var filter = ProximityFilter(ProximityConfiguration(pathLoss: ProximityWalk.model))
      let beginning = seed.isMultiple(of: 2) ? 0.5 : 20.0
      while filter.proximity == .unknown {
        let (rssi, time) = walk.measure(at: beginning)
        filter.add(rssi: rssi, at: time)
      }
      for step in 0..<6000 {
        let (rssi, time) = walk.measure(at: stay.distance(Double(step) / 10))
        if filter.add(rssi: rssi, at: time) != nil { count += 1 }
      }
    }
    return count
  }

  /// How long after a clear crossing a filter switches, in seconds, sorted; `infinity` for not within ten.
  ///
  /// Somebody comes to 3.5 m and stands there for half a minute, then walks with 1.4 m/s to 10 m, or to 1 m. The crossing is clear as soon as the
  /// distance is as far beyond the edge as the quiet zone is in front of it: at 6.25 m (4 m to 5 m as 5 m to 6.25 m), or
  /// at 1.33 m.
  static func delays(_ shadowing: ProximityWalk.Shadowing, to side: Proximity, seeds: Range<UInt64>) -> [Double] {
    let clear = side == .far ? 6.25 : 4.0 / 3
    return seeds.compactMap { seed in
      var walk = ProximityWalk(shadowing, seed: seed)
      var filter = ProximityFilter(ProximityConfiguration(pathLoss: ProximityWalk.model))
      while filter.proximity == .unknown {
        let (rssi, time) = walk.measure(at: side == .far ? 0.5 : 20)
        filter.add(rssi: rssi, at: time)
      }
      // From there to 3.5 m on foot, and half a minute to wait.
      let start = side == .far ? 0.5 : 20.0
      for step in 0..<420 {
        let way = Double(step) * 0.14
        let distance = side == .far ? min(3.5, start + way) : max(3.5, start - way)
        let (rssi, time) = walk.measure(at: distance)
        filter.add(rssi: rssi, at: time)
      }
      // One that has switched wrongly before can not be late.
      guard filter.proximity != side else { return nil }
      var crossing: RadioInstant?
      for step in 0..<160 {
        let way = Double(step) * 0.14
        let distance = side == .far ? min(10, 3.5 + way) : max(1, 3.5 - way)
        let isClear = side == .far ? distance >= clear : distance <= clear
        if isClear, crossing == nil { crossing = walk.time }
        let (rssi, time) = walk.measure(at: distance)
        if filter.add(rssi: rssi, at: time) == side {
          return Double((crossing ?? time).duration(to: time).wholeNanoseconds) / 1e9
        }
      }
      return .infinity
    }.sorted()
  }
}
