import BluetoothTypes
import RadioPort

/// What is known of a device and can be read at once.
struct PeripheralFacts: Sendable {
  var name: String?
  var rssi: Int?
  var smoothedRSSI = SmoothedRSSI()
  var advertisement: AdvertisingData?
  var services: [Peripheral.Service] = []
  var lastError: BluetoothError?
  /// The longest ATT PDU; 23 until exchanged (Core 5.4, Vol 3, Part F, 5.2.1).
  var mtu = PeripheralFacts.defaultMTU

  static let defaultMTU = 23
}

/// What an operation on a device tries, for the errors that may come of it.
struct Attempt: Sendable {
  var operation: BluetoothError.Operation
  var name: CharacteristicName?
  var psm: L2CAPPSM?
  var limit: Duration?
  var subject: BluetoothError.Subject
  var language: Language

  func error(
    _ kind: BluetoothError.Kind,
    underlying: (any Error)? = nil,
    choices: [CharacteristicName] = [],
    detail: BluetoothError.Detail? = nil
  ) -> BluetoothError {
    BluetoothError(
      kind,
      operation,
      peripheral: subject,
      characteristic: name.map { Characteristic($0) },
      psm: psm,
      underlying: underlying,
      choices: choices.map { Characteristic($0) },
      detail: detail,
      language: language
    )
  }

  func error(_ failure: RadioFailure) -> BluetoothError {
    error(BluetoothError.kind(of: failure), underlying: failure)
  }

  func error(_ loss: LinkLoss) -> BluetoothError {
    error(loss.kind, underlying: loss.failure, detail: loss.isLocal ? .releasedLocally : nil)
  }

  var timedOut: BluetoothError { error(.timedOut, detail: limit.map { .time($0) }) }
}

/// Why a link is gone.
struct LinkLoss: Sendable {
  var failure: RadioFailure?
  /// The central has let go of it, while it may live on for others.
  var isReleased: Bool { isLocal || failure == Self.dropped.failure }
  /// It was given up before it was ready.
  static let dropped = LinkLoss(
    failure: RadioFailure(.disconnected, reason: "the connection was given up before its set-up was done")
  )
  /// The program ended it.
  var isLocal: Bool { failure == nil }
  var kind: BluetoothError.Kind { failure.map { BluetoothError.kind(of: $0) } ?? .disconnected }
}
