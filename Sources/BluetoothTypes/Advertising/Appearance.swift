/// What a device looks like, for the icon that stands for it (Assigned Numbers, 2.6): an open set.
public struct Appearance: RawRepresentable, Hashable, Sendable {
  /// The category in the upper ten bits, the subcategory in the lower six.
  public let rawValue: UInt16

  /// An appearance from its number.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The category without the subcategory.
  public var category: Appearance { Appearance(rawValue: rawValue & ~0x3F) }

  /// The number of the subcategory, 0 for the category as such.
  public var subcategory: UInt16 { rawValue & 0x3F }

  /// 0x0000: not known.
  public static let unknown = Appearance(rawValue: 0x0000)
  /// 0x0040: a phone.
  public static let phone = Appearance(rawValue: 0x0040)
  /// 0x0080: a computer.
  public static let computer = Appearance(rawValue: 0x0080)
  /// 0x00C0: a watch.
  public static let watch = Appearance(rawValue: 0x00C0)
  /// 0x00C2: a smartwatch.
  public static let smartwatch = Appearance(rawValue: 0x00C2)
  /// 0x0200: a tag.
  public static let tag = Appearance(rawValue: 0x0200)
  /// 0x0300: a thermometer.
  public static let thermometer = Appearance(rawValue: 0x0300)
  /// 0x0301: an ear thermometer.
  public static let earThermometer = Appearance(rawValue: 0x0301)
  /// 0x0340: a heart-rate sensor.
  public static let heartRateSensor = Appearance(rawValue: 0x0340)
  /// 0x0341: a heart-rate belt.
  public static let heartRateBelt = Appearance(rawValue: 0x0341)
  /// 0x03C1: a keyboard.
  public static let keyboard = Appearance(rawValue: 0x03C1)
  /// 0x03C2: a mouse.
  public static let mouse = Appearance(rawValue: 0x03C2)
  /// 0x0540: a sensor.
  public static let sensor = Appearance(rawValue: 0x0540)
  /// 0x0580: a light fixture.
  public static let lightFixture = Appearance(rawValue: 0x0580)
  /// 0x0597: a bulb.
  public static let bulb = Appearance(rawValue: 0x0597)
  /// 0x07C0: a light source.
  public static let lightSource = Appearance(rawValue: 0x07C0)
}

extension Appearance: CustomStringConvertible {
  /// The name that the SIG gives it, such as `Heart Rate Belt`; `nil` if it has none.
  public var name: String? { AssignedNames.appearance(rawValue) }

  /// The name, or the number where there is none.
  public var description: String { name ?? "0x\(hexadecimal(rawValue, digits: 4))" }
}

extension Appearance: ByteReadable, ByteWritable {
  /// Reads two bytes.
  public init(reading reader: inout ByteReader) throws { self.init(rawValue: try reader.read()) }

  /// Appends two bytes.
  public func write(to writer: inout ByteWriter) { writer.write(rawValue) }
}
