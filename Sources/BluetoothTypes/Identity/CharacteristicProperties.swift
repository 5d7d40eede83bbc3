/// What a characteristic allows, as its declaration says (Core 5.4, Vol 3, Part G, 3.3.1.1).
public struct CharacteristicProperties: OptionSet, Hashable, Sendable {
  /// The bits of the declaration; those of the Extended Properties descriptor stand from bit 8 on.
  public let rawValue: UInt16

  /// Properties from their bits.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The value may be broadcast.
  public static let broadcast = Self(rawValue: 0x01)
  /// The value can be read.
  public static let read = Self(rawValue: 0x02)
  /// The value can be written without response.
  public static let writeWithoutResponse = Self(rawValue: 0x04)
  /// The value can be written with response.
  public static let write = Self(rawValue: 0x08)
  /// The server can notify the value.
  public static let notify = Self(rawValue: 0x10)
  /// The server can indicate the value.
  public static let indicate = Self(rawValue: 0x20)
  /// The value takes signed writes.
  public static let authenticatedSignedWrites = Self(rawValue: 0x40)
  /// There is an Extended Properties descriptor.
  public static let extendedProperties = Self(rawValue: 0x80)
  /// The value takes reliable writes (Extended Properties, bit 0).
  public static let reliableWrite = Self(rawValue: 0x100)
  /// The user description can be written (Extended Properties, bit 1).
  public static let writableAuxiliaries = Self(rawValue: 0x200)
}

extension CharacteristicProperties {
  /// The names of the properties that are set, for a person to read.
  public var names: [String] {
    let all: [(CharacteristicProperties, String)] = [
      (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write without response"),
      (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
      (.authenticatedSignedWrites, "signed write"), (.reliableWrite, "reliable write"),
      (.writableAuxiliaries, "writable description"),
    ]
    return all.compactMap { contains($0.0) ? $0.1 : nil }
  }
}
