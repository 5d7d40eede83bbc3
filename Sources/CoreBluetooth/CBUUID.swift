import BluetoothTypes
import CoreFoundation
import Foundation

/// A UUID of 16, 32 or 128 bits. UUIDs are equal if their 128-bit forms are, whatever they were made from.
open class CBUUID: NSObject, NSCopying {
  let value: BluetoothUUID

  /// A UUID as our own types have it.
  init(_ value: BluetoothUUID) { self.value = value }

  /// Reads 4, 8 or 32 hexadecimal digits, the last with dashes or without; `0x` may stand in front.
  ///
  /// A text that is no UUID is a mistake in the program and stops it, as on Apple's platforms.
  public init(string theString: String) {
    guard let uuid = try? BluetoothUUID(theString) else {
      Misuse.raise("String \"\(theString)\" does not represent a valid UUID: give 4, 8 or 32 hexadecimal digits.")
    }
    value = uuid
  }

  /// Reads 2, 4 or 16 bytes, most significant first. Any other count is a mistake in the program and stops it.
  public init(data theData: Data) {
    switch theData.count {
    case 2, 4: value = BluetoothUUID(theData.reduce(into: UInt32(0)) { $0 = $0 &<< 8 | UInt32($1) })
    case 16:
      value = BluetoothUUID(
        high: theData.prefix(8).reduce(into: 0) { $0 = $0 &<< 8 | UInt64($1) },
        low: theData.suffix(8).reduce(into: 0) { $0 = $0 &<< 8 | UInt64($1) }
      )
    default:
      Misuse.raise(
        "Data of \(counted(theData.count, "byte")) does not represent a valid UUID: give 2, 4 or 16 bytes."
      )
    }
  }

  /// A UUID of Foundation.
  public convenience init(nsuuid theUUID: UUID) {
    self.init(data: withUnsafeBytes(of: theUUID.uuid) { Data($0) })
  }

  /// A UUID of Core Foundation.
  @available(*, deprecated, message: "use init(nsuuid:)")
  public convenience init(cfuuid theUUID: CFUUID) {
    self.init(data: withUnsafeBytes(of: CFUUIDGetUUIDBytes(theUUID)) { Data($0) })
  }

  /// The bytes, most significant first: 2, 4 or 16, as few as hold the UUID.
  open var data: Data {
    let count = value.shortestByteCount
    let source = count == 16 ? [value.high, value.low] : [value.high]
    let bytes = source.flatMap { half in stride(from: 56, through: 0, by: -8).map { UInt8(half &>> UInt64($0) & 0xFF) }
    }
    return Data(count == 16 ? bytes[...] : bytes[(4 - count)..<4])
  }

  /// The UUID in upper case: 4 or 8 digits if it is a short one, else 32 with dashes.
  open var uuidString: String { value.description }

  /// Equal if the 128-bit forms are.
  open override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.value == value }

  /// The same for all forms of a UUID.
  open override var hash: Int { value.hashValue }

  /// The name that is assigned to the UUID, or its digits.
  open override var description: String { AssignedNames.any(value) ?? uuidString }

  /// The object itself, as it can not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension CBUUID {
  /// What the lists of the API hold, in our own types.
  static func values(_ uuids: [CBUUID]?) -> [BluetoothUUID]? { uuids.map { $0.map(\.value) } }
}

/// The UUID of the descriptor with a characteristic's extended properties, 0x2900.
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
/// The UUID of the descriptor with a characteristic's description for people, 0x2901.
public let CBUUIDCharacteristicUserDescriptionString = "2901"
/// The UUID of the descriptor that switches notifications and indications, 0x2902.
public let CBUUIDClientCharacteristicConfigurationString = "2902"
/// The UUID of the descriptor that switches broadcasts, 0x2903.
public let CBUUIDServerCharacteristicConfigurationString = "2903"
/// The UUID of the descriptor with the format of a characteristic's value, 0x2904.
public let CBUUIDCharacteristicFormatString = "2904"
/// The UUID of the descriptor that lists the formats of a value of several parts, 0x2905.
public let CBUUIDCharacteristicAggregateFormatString = "2905"
/// The UUID of the descriptor with the range of valid values, 0x2906.
public let CBUUIDCharacteristicValidRangeString = "2906"
/// The UUID of the descriptor with the schedule of an observation, 0x2910.
public let CBUUIDCharacteristicObservationScheduleString = "2910"
/// The UUID of the characteristic that tells the PSM of a published L2CAP channel.
public let CBUUIDL2CAPPSMCharacteristicString = "ABDD3056-28FA-441D-A470-55A75A52553A"
