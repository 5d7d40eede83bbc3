import BluetoothTypes
import RadioPort

extension Peripheral {
  /// The one characteristic of this device that a name means, as an instance with its handle and properties.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.serviceNotFound`, `.characteristicNotFound`, `.ambiguous` with the
  ///   choices, `.notConnected` and others; `CancellationError`.
  public func characteristic<Value>(
    _ name: Characteristic<Value>,
    timeout: Timeout = .default
  ) async throws -> Characteristic<Value> {
    Characteristic(try await core.find(name.name, timeout: timeout))
  }

  /// The one characteristic of this device with this UUID, in whatever service it is.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.characteristicNotFound`, `.ambiguous` with the choices, `.notConnected`
  ///   and others; `CancellationError`.
  public func characteristic(
    _ uuid: BluetoothUUID,
    timeout: Timeout = .default
  ) async throws -> Characteristic<[UInt8]> {
    try await core.find(timeout: timeout) { _, characteristic in characteristic.uuid == uuid }
  }

  /// The characteristic of this device whose value has this handle.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.characteristicNotFound`, `.notConnected` and others;
  ///   `CancellationError`.
  public func characteristic(
    at handle: AttributeHandle,
    timeout: Timeout = .default
  ) async throws -> Characteristic<[UInt8]> {
    try await core.find(timeout: timeout) { _, characteristic in characteristic.handle == handle }
  }

  /// All characteristics of this device that a name can mean, in the order of their handles: more than one where a
  /// service or a characteristic stands there more than once.
  ///
  /// - Throws: ``BluetoothError`` of the kind `.notConnected` and others; `CancellationError`.
  public func characteristics<Value>(
    matching name: Characteristic<Value>,
    timeout: Timeout = .default
  ) async throws -> [Characteristic<Value>] {
    let services = try await services([name.service], timeout: timeout)
    return services.flatMap(\.characteristics)
      .filter { $0.uuid == name.uuid && (name.handle ?? $0.handle) == $0.handle }
      .map { $0.typed() }
  }
}

extension Peripheral.Service {
  /// Its characteristics with this UUID, in the order of their handles.
  public func characteristics(_ uuid: BluetoothUUID) -> [Characteristic<[UInt8]>] {
    characteristics.filter { $0.uuid == uuid }
  }
}

extension PeripheralCore {
  func find(_ name: CharacteristicName, timeout: Timeout) async throws -> CharacteristicName {
    let limit = timeout.duration(standard: central.configuration.timeouts.discover)
    let attempt = attempt(.discover, name, limit: limit)
    try await ensureKnown(.services([name.service.uuid]), for: attempt, deadline: central.deadline(after: limit))
    var found = name
    found.instance = try lookUp(name, for: attempt)
    return found
  }

  func find(
    timeout: Timeout,
    where isMatch: @Sendable (RemoteService, RemoteCharacteristic) -> Bool
  ) async throws -> Characteristic<[UInt8]> {
    let limit = timeout.duration(standard: central.configuration.timeouts.discover)
    let attempt = attempt(.discover, limit: limit)
    try await ensureKnown(.all, for: attempt, deadline: central.deadline(after: limit))
    guard let link else { throw attempt.error(lastLoss) }
    let found = database.services.flatMap { service in
      service.characteristics.filter { isMatch(service, $0) }.map { CharacteristicName($0, in: service, on: link) }
    }
    guard let first = found.first else { throw attempt.error(.characteristicNotFound) }
    guard found.count == 1 else { throw attempt.error(.ambiguous, choices: found) }
    return Characteristic(first)
  }
}
