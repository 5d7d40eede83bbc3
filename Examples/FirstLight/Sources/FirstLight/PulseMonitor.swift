import Halcyon

// readme: begin
/// What an app makes of a heart-rate band: the latest beat, and an alarm where it beats too fast for too long.
actor PulseMonitor {
  private(set) var latest: HeartRateMeasurement?
  private(set) var isAlarmed = false
  private let limit: UInt16
  private var fastBeats = 0

  init(limit: UInt16) { self.limit = limit }

  /// Watches the first band that comes near, and comes back to it whenever it has been away, until the task is cancelled.
  func run(central: Central) async throws {
    try await central.ready()
    let band = try await central.scan(for: [.heartRate]).connect(reconnect: .waiting)
    for try await beat in band.values(of: .heartRateMeasurement) {
      latest = beat
      fastBeats = beat.beatsPerMinute > limit ? fastBeats + 1 : 0
      isAlarmed = fastBeats >= 10
    }
  }
}
// readme: end
