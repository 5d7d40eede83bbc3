import Halcyon

// readme: begin
/// One place for all that an app does with one band: look for it, connect, hear what it sends, send to it.
actor BandManager {
  /// What became of a wish to connect.
  enum Outcome {
    /// With everything that comes from the device, read or sent, in one sequence.
    case connected(ConnectedDevice)
    case alreadyConnected
    case failed(any Error)
  }

  /// What was found, each device once.
  private(set) var found: [Discovery] = []
  /// The device that was connected last, as long as it is wanted.
  private(set) var current: Peripheral?

  private let central: Central
  private let target: BluetoothUUID

  /// - Parameter target: The characteristic that data is sent to, in whatever service it is.
  init(sendingTo target: BluetoothUUID, central: Central = .shared) {
    self.target = target
    self.central = central
  }

  /// Whether Bluetooth can be used, and why not.
  nonisolated var availability: (isAvailable: Bool, reason: String) { (central.isReady, central.stateMessage) }

  /// The devices that are connected, and each change of the list.
  nonisolated var connected: ConnectedPeripherals { central.connectedUpdates }

  /// Tells of each sighting until it is cancelled. Begun before it is known whether Bluetooth is on, it waits for that.
  func scan(_ sighted: @Sendable (Discovery) -> Void) async throws {
    for try await discovery in central.scan(duplicates: .all, timeout: .never) {
      if !found.contains(where: { $0.id == discovery.id }) { found.append(discovery) }
      sighted(discovery)
    }
  }

  /// Connects, discovers everything, subscribes wherever that is allowed, and reads each readable one of these once.
  func connect(to discovery: Discovery) async -> Outcome {
    do {
      let device = try await central.connectToEverything(of: discovery)
      if device.wasConnected { return .alreadyConnected }
      current = device.peripheral
      return .connected(device)
    } catch {
      return .failed(error)
    }
  }

  /// Sends data without waiting for an answer; returns when the radio has taken it.
  func send(_ bytes: [UInt8]) async throws {
    guard let band = current else { return }
    try await band.write(bytes, to: band.characteristic(target), type: .withoutResponse)
  }

  /// Lets the device go.
  func disconnect() async {
    await current?.disconnect()
    current = nil
  }
}
// readme: end
