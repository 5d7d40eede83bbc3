import Halcyon
import RadioPort

/// A heart-rate sensor on a real controller: our host in the peripheral role, for whatever central is in range.
struct SensorCommand {
  let radio: any Radio
  let name: String
  let output: @Sendable (String) -> Void

  /// Serves until `stopped` returns, with the reason to stop.
  func run(until stopped: @Sendable () async -> String) async throws {
    let server = PeripheralServer(advertising: .init(name: name, services: [.heartRate]), radio: radio) {
      heartRate
      Service(.battery) { Readable(.batteryLevel, value: 100) }
    }
    try await server.start()
    output("sensor: “\(name)” can be found")
    output("sensor: stopped by \(await stopped())")
    await server.stop()
  }

  private var heartRate: Service {
    let (output, clock) = (output, radio.executor.clock)
    return Service(.heartRate) {
      Notifying(.heartRateMeasurement) { subscriber in
        output("sensor: a central listens")
        for beat in 0... {
          // Counted, so that who listens can tell whether one is missing.
          try await subscriber.send(HeartRateMeasurement(beatsPerMinute: UInt16(60 + beat % 60)))
          try await clock.sleep(for: .seconds(1))
        }
      }
      Readable(.bodySensorLocation, value: .chest)
      Writable(.heartRateControlPoint) { command in
        guard command == .resetEnergyExpended else { throw ATTError.heartRateControlPointNotSupported }
        output("sensor: the energy is reset")
      }
    }
  }
}
