import Halcyon
import RadioPort

/// The main job with whatever heart-rate device is in range of a real controller.
struct RadioDemo {
  let radio: any Radio
  /// How many times to come back.
  var again = 0
  var capture: String?
  let output: @Sendable (String) -> Void

  func run() async throws {
    let transcript = Transcript(clock: radio.executor.clock, output: output)
    let central = Central(radio: radio)
    if let capture { try await central.startCapture(to: capture) }
    let session = HeartRateSession(central: central, transcript: transcript)
    // A controller that can not be reached does not come by waiting; the scan then fails with the reason.
    let state = await central.states.first { ![.unknown, .resetting].contains($0.power) }
    if state?.power == .poweredOn { transcript.say("radio", "powered on") }
    transcript.say("scan", "for a heart-rate device, at most 30 s")
    guard let discovery = try await central.scan(for: [.heartRate], limit: 1).first(where: { _ in true }) else {
      return
    }
    transcript.say("found", SightingLine(discovery).text)
    let device = try await session.connect(to: discovery)
    try await session.showTree(of: device)
    try await session.readFacts(of: device)
    try await session.stream(5, from: device)
    try await session.resetEnergy(of: device)
    await session.disconnect(device)
    for _ in 0..<again {
      try await session.connect(to: device)
      try await session.readFacts(of: device)
      await session.disconnect(device)
    }
  }
}
