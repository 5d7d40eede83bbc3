import Halcyon

// Chapter "auto-connect".
extension OKBluetooth {
  // readme: begin
  /// Connects, and connects again whenever the device is near, for as long as the user still owns it. The alerts are what
  /// Apple's systems show while the app is suspended.
  static func connect(
    to discovery: Discovery,
    isOwned: @escaping @Sendable (Peripheral.ID) -> Bool,
    central: Central
  ) async throws -> Peripheral {
    let id = discovery.id
    return try await central.connect(
      to: discovery,
      options: LinkOptions(alerts: [.connection, .disconnection, .notification]),
      reconnect: .when { _, _ in isOwned(id) ? .wait : .giveUp }  // there is no time limit
    )
  }
  // readme: end

  /// Lets a device go away and come back.
  static func comeBack(central: Central, while away: () async throws -> Void) async throws {
    let discovery = try await central.scan(where: .named("Scooter")).collect(1)[0]
    let scooter = try await connect(to: discovery, isOwned: { _ in true }, central: central)
    try await away()
    print("it is back:", scooter.state.isReady)
    await scooter.disconnect()  // also ends that it comes back
  }
}
