import Halcyon

/// The main job with one heart-rate device, told as it happens. Works with any such device, virtual or not.
struct HeartRateSession {
  let central: Central
  let transcript: Transcript

  /// Connects to a device and shows what it offers.
  func connect(to discovery: Discovery) async throws -> Peripheral {
    let name = discovery.name ?? discovery.id.description
    transcript.say("connect", name)
    let peripheral = try await central.connect(to: discovery, timeout: .seconds(15))
    transcript.say("connected", "\(name), \(try await strength(of: peripheral))")
    return peripheral
  }

  /// Connects to a device once more.
  func connect(to peripheral: Peripheral) async throws {
    let name = peripheral.name ?? peripheral.id.description
    transcript.say("connect", "\(name) again")
    try await central.connect(to: peripheral, timeout: .seconds(15))
    transcript.say("connected", name)
  }

  /// How strongly the device is heard, in words; not every controller can tell.
  private func strength(of peripheral: Peripheral) async throws -> String {
    do {
      return "heard with \(try await peripheral.readRSSI()) dBm"
    } catch let error as BluetoothError where [.unsupported, .controller].contains(error.kind) {
      return "with a strength that this controller does not tell"
    }
  }

  /// Discovers everything and draws it.
  func showTree(of peripheral: Peripheral, vendorNames: [BluetoothUUID: String] = [:]) async throws {
    let services = try await peripheral.services()
    let characteristics = services.reduce(0) { $0 + $1.characteristics.count }
    let (all, parts) = (counted(services.count, "service"), counted(characteristics, "characteristic"))
    transcript.say("discover", "\(all) with \(parts)")
    for line in DeviceTree(services: services, vendorNames: vendorNames).lines { transcript.detail(line) }
  }

  /// Reads what such devices commonly tell, as typed values; what this one does not have is left out.
  func readFacts(of peripheral: Peripheral) async throws {
    try await tell("manufacturer") { try await peripheral.read(.manufacturerName) }
    try await tell("body sensor location") { "\(try await peripheral.read(.bodySensorLocation))" }
    try await tell("battery") { "\(try await peripheral.read(.batteryLevel))" }
  }

  private func tell(_ what: String, _ read: () async throws -> String) async throws {
    do {
      transcript.say("read", "\(what): \(try await read())")
    } catch let error as BluetoothError where [.serviceNotFound, .characteristicNotFound].contains(error.kind) {
      transcript.say("read", "\(what): not offered by this device")
    }
  }

  /// Streams a number of heart beats.
  func stream(_ count: Int, from peripheral: Peripheral) async throws {
    transcript.say("subscribe", "heart rate measurement")
    var left = count
    for try await beat in peripheral.values(of: .heartRateMeasurement) {
      transcript.say("beat", describe(beat))
      left -= 1
      if left == 0 { break }
    }
  }

  /// A measurement in words.
  func describe(_ beat: HeartRateMeasurement) -> String {
    var parts = ["\(beat.beatsPerMinute) bpm"]
    if let energy = beat.energyExpended { parts.append("\(energy) kJ") }
    if !beat.rrIntervals.isEmpty {
      let times = beat.rrIntervals.map { "\($0.duration.milliseconds) ms" }
      let last = times.suffix(2).joined(separator: " and ")
      parts.append("RR \((times.dropLast(2) + [last]).joined(separator: ", "))")
    }
    return parts.joined(separator: ", ")
  }

  /// Resets the energy that the device has counted, where it counts any.
  func resetEnergy(of peripheral: Peripheral) async throws {
    do {
      try await peripheral.write(.resetEnergyExpended, to: .heartRateControlPoint)
      transcript.say("write", "heart rate control point: reset energy expended")
    } catch let error as BluetoothError where [.characteristicNotFound, .notPermitted].contains(error.kind) {
      transcript.say("write", "this device has no control point to write to")
    }
  }

  /// Ends the connection.
  func disconnect(_ peripheral: Peripheral) async {
    await peripheral.disconnect()
    transcript.say("disconnect", peripheral.name ?? peripheral.id.description)
  }
}

extension Duration {
  /// Whole milliseconds.
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
