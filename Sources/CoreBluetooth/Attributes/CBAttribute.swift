import BluetoothTypes
import Foundation

/// What services, characteristics and descriptors have in common.
open class CBAttribute: NSObject {
  /// What it is.
  public let uuid: CBUUID

  init(uuid: CBUUID) { self.uuid = uuid }
}

/// What a characteristic allows.
public struct CBCharacteristicProperties: OptionSet, Hashable, Sendable {
  /// The bits, as the characteristic's declaration has them, and two of Apple's own from bit 8 on.
  public let rawValue: UInt

  /// Properties from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The value may be broadcast.
  public static let broadcast = Self(rawValue: 0x01)
  /// The value can be read.
  public static let read = Self(rawValue: 0x02)
  /// The value can be written without response.
  public static let writeWithoutResponse = Self(rawValue: 0x04)
  /// The value can be written with response.
  public static let write = Self(rawValue: 0x08)
  /// The value can be notified.
  public static let notify = Self(rawValue: 0x10)
  /// The value can be indicated.
  public static let indicate = Self(rawValue: 0x20)
  /// The value takes signed writes.
  public static let authenticatedSignedWrites = Self(rawValue: 0x40)
  /// There is an Extended Properties descriptor.
  public static let extendedProperties = Self(rawValue: 0x80)
  /// Only trusted devices can have the value notified; for characteristics that are published here.
  public static let notifyEncryptionRequired = Self(rawValue: 0x100)
  /// Only trusted devices can have the value indicated; for characteristics that are published here.
  public static let indicateEncryptionRequired = Self(rawValue: 0x200)
}

/// What clients may do with the value of a characteristic that is published here.
public struct CBAttributePermissions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Permissions from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The value can be read.
  public static let readable = Self(rawValue: 0x01)
  /// The value can be written.
  public static let writeable = Self(rawValue: 0x02)
  /// Only trusted devices can read the value.
  public static let readEncryptionRequired = Self(rawValue: 0x04)
  /// Only trusted devices can write the value.
  public static let writeEncryptionRequired = Self(rawValue: 0x08)
}
