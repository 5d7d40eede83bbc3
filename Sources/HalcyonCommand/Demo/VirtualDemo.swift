import Halcyon
import VirtualRadio

/// The main job on three virtual devices, with a link that is lost and comes back, in virtual time.
struct VirtualDemo {
  let seed: UInt64
  var capture: String?
  let output: @Sendable (String) -> Void

  func run() async throws {
    // A file that can not be written is no fault of the world, which reports on itself if its body throws.
    let refusal: BluetoothError? = try await World.simulated(seed: seed) { [capture, output, seed] world in
      output("Halcyon demo, seed \(seed): virtual devices that speak real HCI; the times are radio time.")
      let scenes = Scenes(world: world, output: output)
      do {
        if let capture { try await scenes.central.startCapture(to: capture) }
      } catch let error as BluetoothError where error.kind == .fileFailed {
        return error
      }
      try await scenes.play()
      return nil
    }
    if let refusal { throw refusal }
  }
}

/// What happens in the demo's world.
private struct Scenes {
  let world: World
  let band: HeartRateBand
  let thermometer: Thermometer
  let lamp: Lamp
  let central: Central
  let transcript: Transcript
  let session: HeartRateSession

  init(world: World, output: @escaping @Sendable (String) -> Void) {
    self.world = world
    band = world.add(.heartRateBand(name: "Pulse"))
    thermometer = world.add(.thermometer(name: "Thermo"))
    lamp = world.add(.lamp(name: "Lamp"))
    central = Central(radio: world.radio)
    transcript = Transcript(clock: world.clock, output: output)
    session = HeartRateSession(central: central, transcript: transcript)
  }

  func play() async throws {
    transcript.heading("Find what is near")
    let found = try await findAll()

    transcript.heading("Meet the heart-rate band")
    guard let bandFound = found["Pulse"], let thermometerFound = found["Thermo"], let lampFound = found["Lamp"] else {
      throw DemoError(description: "A device of the demo was not found. Please report the seed.")
    }
    let pulse = try await session.connect(to: bandFound)
    try await session.showTree(of: pulse)
    try await session.readFacts(of: pulse)
    try await session.stream(3, from: pulse)
    try await session.resetEnergy(of: pulse)

    transcript.heading("Use two more devices at the same time")
    try await measureTemperature(thermometerFound)
    let light = try await switchLamp(lampFound)

    transcript.heading("Lose the band, and get it back")
    try await loseAndRecover(pulse)

    transcript.heading("Say good-bye")
    await session.disconnect(pulse)
    await session.disconnect(light)
    transcript.say("done", "the whole job took \(Transcript.timestamp(world.now)) of radio time")
  }

  private func findAll() async throws -> [String: Discovery] {
    try await central.ready()
    transcript.say("radio", "powered on")
    transcript.say("scan", "for three devices, at most 10 s")
    var found: [String: Discovery] = [:]
    for try await discovery in central.scan(timeout: .seconds(10), limit: 3) {
      transcript.say("found", SightingLine(discovery).text)
      if let name = discovery.name { found[name] = discovery }
    }
    return found
  }

  private func measureTemperature(_ discovery: Discovery) async throws {
    let device = try await session.connect(to: discovery)
    transcript.say("read", "temperature type: \(try await device.read(.temperatureType))")
    var left = 2
    for try await measurement in device.values(of: .temperatureMeasurement) {
      transcript.say("indicated", "\(measurement.temperature) °C")
      left -= 1
      if left == 0 { break }
    }
    await session.disconnect(device)
  }

  private func switchLamp(_ discovery: Discovery) async throws -> Peripheral {
    let device = try await session.connect(to: discovery)
    transcript.say("lamp", "is \(lamp.isOn ? "on" : "off")")
    try await device.write(true, to: .lampPower)
    try await device.write(80, to: .lampBrightness)
    transcript.say("write", "power on, brightness 80 %")
    transcript.say("lamp", "is \(lamp.isOn ? "on" : "off"), with \(lamp.brightness) %")
    do {
      try await device.write(200, to: .lampBrightness)
    } catch let error as BluetoothError {
      transcript.say("refused", error.message)
    }
    return device
  }

  /// One reader of the beats all the time, while the device leaves and comes back.
  private func loseAndRecover(_ pulse: Peripheral) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await followBeats(of: pulse) }
      group.addTask { try await reconnectOnce(pulse) }
      try await world.run(for: .seconds(3))
      transcript.say("walk", "the band leaves the room for ten minutes")
      band.moveOutOfRange(for: .seconds(600))
      try await group.waitForAll()
    }
  }

  private func followBeats(of pulse: Peripheral) async throws {
    var lastTime: RadioInstant?
    var sinceReturn = 0
    for try await beat in pulse.values(of: .heartRateMeasurement) {
      let hasReturned = lastTime.map { $0.duration(to: world.now) > .seconds(60) } ?? false
      if hasReturned || sinceReturn > 0 { sinceReturn += 1 }
      lastTime = world.now
      transcript.say("beat", session.describe(beat) + (hasReturned ? " (the same stream goes on)" : ""))
      if sinceReturn == 3 { break }
    }
  }

  private func reconnectOnce(_ pulse: Peripheral) async throws {
    for await event in central.connectionEvents {
      guard case .disconnected(pulse, let error?) = event else { continue }
      transcript.say("lost", error.message)
      transcript.say("reconnect", "waiting until the band is near again")
      try await central.connect(to: pulse, timeout: .never)
      transcript.say("connected", "\(pulse.name ?? "the band") is back")
      return
    }
  }
}

/// Why the demo could not go on.
struct DemoError: Error, CustomStringConvertible {
  let description: String
}

extension Characteristic where Value == Bool {
  /// Whether the virtual lamp is on.
  fileprivate static var lampPower: Self { .init(Lamp.power, in: Lamp.service) }
}

extension Characteristic where Value == UInt8 {
  /// How bright the virtual lamp is, in percent.
  fileprivate static var lampBrightness: Self { .init(Lamp.brightness, in: Lamp.service) }
}
