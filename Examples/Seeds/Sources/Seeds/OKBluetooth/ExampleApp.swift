import Halcyon

/// The example app of OKBluetooth, as far as a terminal shows it: a start screen, the list of what is near, the services
/// of a device, the characteristics of a service.
actor ExampleApp {
  let central: Central
  /// The rows of the list.
  private(set) var devices: [Discovery] = []
  /// What is shown over the list when something went wrong.
  private(set) var message: String?

  init(central: Central) { self.central = central }

  // MARK: Start screen

  /// A spinner while something goes on, and the state with its reason.
  nonisolated var startScreen: String { "\(central.activity.isEmpty ? " " : "…") \(central.stateMessage)" }

  // MARK: List

  /// The button "Refresh", and what happens when Bluetooth comes on: lists for 10 s what is near, 30 devices at most.
  func refresh() async {
    devices = []
    message = nil
    do {
      for try await list in central.nearby(timeout: .seconds(10), limit: 30) { devices = list }
    } catch let error as BluetoothError {
      message = error.kind == .timedOut ? "The scan has timed out." : error.message
    } catch {
      // The screen was left.
    }
  }

  /// A row of the list; the word in brackets is its button.
  nonisolated func row(_ device: Discovery) -> String {
    let strength = device.rssi.map { "\($0) dBm" } ?? "unknown"
    let button = device.peripheral.state.isReady ? "disconnect" : "connect"
    return "\(device.name.flatMap { $0.isEmpty ? nil : $0 } ?? "NONAME")  \(device.id)  \(strength)  [\(button)]"
  }

  /// The button of a row.
  func press(_ device: Discovery) async {
    do {
      try await OKBluetooth.toggle(device.peripheral, central: central)
    } catch {
      message = (error as? BluetoothError)?.message ?? "\(error)"
    }
  }

  // MARK: A device, and a service

  /// The services of a device.
  nonisolated func services(of device: Discovery) async throws -> [Peripheral.Service] {
    try await device.peripheral.services()
  }

  /// A tap on a characteristic: what may be written is written, what may be read is read, and what may be subscribed to
  /// is, for three values.
  nonisolated func tap(_ characteristic: Characteristic<[UInt8]>, of device: Discovery) async throws -> [String] {
    let properties = characteristic.properties ?? []
    let peripheral = device.peripheral
    var lines: [String] = []
    if properties.contains(.writeWithoutResponse) {
      try await peripheral.write([1, 3], to: characteristic, type: .withoutResponse)
      lines.append("written")
    }
    if properties.contains(.read) { lines.append("read: \(try await peripheral.read(characteristic))") }
    if properties.contains(.notify) {
      for try await value in peripheral.values(of: characteristic).prefix(3) { lines.append("notified: \(value)") }
    }
    return lines
  }

  // MARK: A visit

  /// Goes through all screens.
  static func show(central: Central) async throws {
    let app = ExampleApp(central: central)
    print(app.startScreen)
    await app.refresh()
    print(await app.message ?? "")
    let rows = await app.devices
    for device in rows { print(app.row(device)) }
    guard let scooter = rows.first(where: { $0.name == "Scooter" }) else { return }
    await app.press(scooter)
    print(app.row(scooter))
    for service in try await app.services(of: scooter) where service.uuid == "FEE9" {
      print("service", service.uuid)
      for characteristic in service.characteristics {
        print("  \(characteristic.uuid):", try await app.tap(characteristic, of: scooter).joined(separator: ", "))
      }
    }
    await app.press(scooter)
    print(app.row(scooter))
  }
}
