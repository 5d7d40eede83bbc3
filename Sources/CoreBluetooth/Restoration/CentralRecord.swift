import BluetoothTypes
import Foundation
import RadioPort

/// What a central manager keeps: its scan, and the devices that are connected or are to be.
struct CentralRecord: Codable, Hashable {
  struct Scan: Codable, Hashable {
    /// `nil` for all.
    var services: [RecordedUUID]?
    var allowsDuplicates: Bool
    var solicited: [RecordedUUID]

    /// The options as the app gives them.
    var options: [String: Any] {
      var options: [String: Any] = [:]
      if allowsDuplicates { options[CBCentralManagerScanOptionAllowDuplicatesKey] = NSNumber(value: true) }
      if !solicited.isEmpty {
        options[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] = solicited.map { CBUUID($0.value) }
      }
      return options
    }
  }

  struct Device: Codable, Hashable {
    var identifier: UUID
    var name: String?
    /// How it was connected; `nil` in a file of a time when that was not kept.
    var options: Options?
    /// What was discovered, if anything of it notifies.
    var services: [Service]
  }

  /// The options of a connect.
  struct Options: Codable, Hashable {
    /// How long to wait before it begins, in seconds; 0 once that was waited for.
    var delay: Double
    var reconnects: Bool
    /// The bits of the alerts.
    var alerts: UInt8
    var requiresNotifications: Bool
  }

  struct Service: Codable, Hashable {
    var uuid: RecordedUUID
    var handle: UInt16
    var isPrimary: Bool
    var characteristics: [Characteristic]
  }

  struct Characteristic: Codable, Hashable {
    var uuid: RecordedUUID
    var declaration: UInt16
    var handle: UInt16
    var properties: UInt16
    var descriptors: [Descriptor]
    var isNotifying: Bool
  }

  struct Descriptor: Codable, Hashable {
    var uuid: RecordedUUID
    var handle: UInt16
  }

  var version = RecordVersion()
  var scan: Scan?
  var devices: [Device]
}

extension CentralRecord.Characteristic {
  init(_ remote: RemoteCharacteristic, isNotifying: Bool) {
    self.init(
      uuid: RecordedUUID(remote.uuid),
      declaration: remote.declarationHandle.rawValue,
      handle: remote.handle.rawValue,
      properties: remote.properties.rawValue,
      descriptors: remote.descriptors.map { .init(uuid: RecordedUUID($0.uuid), handle: $0.handle.rawValue) },
      isNotifying: isNotifying
    )
  }

  var remote: RemoteCharacteristic {
    RemoteCharacteristic(
      declarationHandle: AttributeHandle(declaration),
      handle: AttributeHandle(handle),
      uuid: uuid.value,
      properties: CharacteristicProperties(rawValue: properties),
      descriptors: descriptors.map { RemoteDescriptor(handle: AttributeHandle($0.handle), uuid: $0.uuid.value) }
    )
  }
}
