import Halcyon

// Chapters "connect" and "disconnect".
extension OKBluetooth {
  // readme: begin
  /// The button of a row: connects, within 30 s, or disconnects.
  static func toggle(_ peripheral: Peripheral, central: Central) async throws {
    if peripheral.state.isReady {
      await peripheral.disconnect()
    } else {
      try await central.connect(to: peripheral, timeout: .seconds(30))
    }
  }
  // readme: end

  /// Services, and the characteristics of each. Nothing has to be discovered before it is used; this is to show it.
  @discardableResult
  static func lookAround(_ peripheral: Peripheral) async throws -> [Peripheral.Service] {
    let services = try await peripheral.services()
    for service in services {
      print("service", service.uuid)
      for characteristic in service.characteristics {
        print("  characteristic", characteristic.uuid, characteristic.properties?.names ?? [])
      }
    }
    return services
  }

  /// The signal strength: once, and as a stream that begins with the latest.
  static func watchSignal(of peripheral: Peripheral) async throws {
    let rssi = try await peripheral.readRSSI()
    for await latest in peripheral.rssiReadings.prefix(1) { print("heard with \(rssi) dBm, the latest is \(latest)") }
  }
}
