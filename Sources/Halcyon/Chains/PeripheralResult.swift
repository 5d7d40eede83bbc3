import BluetoothTypes

/// What a step of a chain has brought for one peripheral. An error of one peripheral is its own: it does not end the
/// sequence, and the steps that follow leave this peripheral out and pass the error on.
public struct PeripheralResult<Value: Sendable>: Sendable {
  /// The peripheral.
  public let peripheral: Peripheral
  /// The value, or why there is none: ``BluetoothError``, or what the program's own step threw.
  public let result: Result<Value, any Error>

  init(_ peripheral: Peripheral, _ result: Result<Value, any Error>) {
    self.peripheral = peripheral
    self.result = result
  }

  /// The value, if there is one.
  public var value: Value? { try? result.get() }
  /// Why there is no value.
  public var error: (any Error)? { if case .failure(let error) = result { error } else { nil } }

  /// The value, or the error thrown.
  public func get() throws -> Value { try result.get() }
}

/// The value of a characteristic that was read among others, or why it could not be read.
public struct CharacteristicReading: Sendable {
  /// The characteristic.
  public let characteristic: Characteristic<[UInt8]>
  /// Its value, or why there is none.
  public let result: Result<[UInt8], BluetoothError>

  /// The value, if there is one.
  public var bytes: [UInt8]? { try? result.get() }
}

extension Peripheral {
  /// Discovers one service, or all, and reads every characteristic in it that can be read. One that the device refuses to
  /// tell is a failure among the others.
  ///
  /// - Throws: ``BluetoothError`` of the kind `.serviceNotFound` if the device does not have the service, and of others
  ///   if the connection is lost; `CancellationError`.
  public func readAll(in service: ServiceID? = nil, timeout: Timeout = .default) async throws
    -> [CharacteristicReading]
  {
    let services = try await services(service.map { [$0] }, timeout: timeout)
    if let service, services.isEmpty {
      throw core.attempt(.discover, CharacteristicName(uuid: service.uuid, service: service)).error(.serviceNotFound)
    }
    var readings: [CharacteristicReading] = []
    for characteristic in services.flatMap(\.characteristics) where characteristic.properties?.contains(.read) == true {
      do {
        let bytes = try await read(characteristic, timeout: timeout)
        readings.append(CharacteristicReading(characteristic: characteristic, result: .success(bytes)))
      } catch let error as BluetoothError where state.isReady {
        readings.append(CharacteristicReading(characteristic: characteristic, result: .failure(error)))
      }
    }
    return readings
  }
}
