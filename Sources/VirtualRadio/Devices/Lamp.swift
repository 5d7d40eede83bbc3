import BluetoothTypes
import RadioPort
import Synchronization

/// A lamp with a service of its maker's own: switched, dimmed and coloured over the air or by hand.
///
/// The service ``service`` has three characteristics, each with its value in a fixed number of bytes:
///
/// | characteristic | value | operations |
/// |---|---|---|
/// | ``power`` | 1 byte: 0 off, 1 on | read, write, notify |
/// | ``brightness-type.property`` | 1 byte: 0 to 100 percent | read, write, write without response, notify |
/// | ``colour-type.property`` | 3 bytes: red, green, blue | read, write, notify |
///
/// A value of another length is refused with Invalid Attribute Value Length (0x0D), one out of range with Value Not
/// Allowed (0x13). A value that has changed is notified to all who have subscribed, also to who has written it.
public final class Lamp: DeviceHandle {
  /// The service, which the lamp advertises.
  public static let service = ServiceID("48A10000-5C1B-4C5A-9B1E-0C4A6C3F7D21")
  /// Whether the lamp is on.
  public static let power: BluetoothUUID = "48A10001-5C1B-4C5A-9B1E-0C4A6C3F7D21"
  /// How bright the lamp is when it is on.
  public static let brightness: BluetoothUUID = "48A10002-5C1B-4C5A-9B1E-0C4A6C3F7D21"
  /// The colour of its light.
  public static let colour: BluetoothUUID = "48A10003-5C1B-4C5A-9B1E-0C4A6C3F7D21"

  /// A colour of light.
  public struct Colour: Hashable, Sendable, ByteReadable, ByteWritable {
    /// How much red, 0 to 255.
    public var red: UInt8
    /// How much green, 0 to 255.
    public var green: UInt8
    /// How much blue, 0 to 255.
    public var blue: UInt8

    /// Makes a colour.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }

    /// Reads three bytes.
    public init(reading reader: inout ByteReader) throws {
      try reader.require(3)
      self.init(red: try reader.read(), green: try reader.read(), blue: try reader.read())
    }

    /// Appends three bytes.
    public func write(to writer: inout ByteWriter) { writer.write([red, green, blue]) }

    /// The light of a bulb: what a lamp has at first.
    public static let warmWhite = Colour(red: 255, green: 214, blue: 170)
  }

  /// The device behind the handle.
  public let device: VirtualDevice

  init(_ device: VirtualDevice) { self.device = device }

  /// Whether the lamp is on.
  public var isOn: Bool { bytes(Self.power) == [1] }
  /// How bright it is when it is on, 0 to 100 percent.
  public var brightness: Int { Int(bytes(Self.brightness).first ?? 0) }
  /// The colour of its light.
  public var colour: Colour { (try? Colour(bytes: bytes(Self.colour))) ?? .warmWhite }
  /// Whether somebody has subscribed to one of its values.
  public var isSubscribed: Bool {
    [Self.power, Self.brightness, Self.colour].contains { subscriberCount(of: $0) > 0 }
  }

  /// Somebody presses the switch on the lamp: it goes on if it was off, and off if it was on.
  public func press() {
    let device = device
    device.perform { lamp in
      guard let handle = device.handles(of: Self.power).first else { return }
      let isOn = device.board.withLock { $0.values[handle] } == [1]
      lamp.publish([isOn ? 0 : 1], handle)
    }
  }

  private func bytes(_ uuid: BluetoothUUID) -> [UInt8] { (try? device.value(of: uuid)) ?? [] }
}

extension DeviceKind where Handle == Lamp {
  /// A lamp that is off at first, at full brightness.
  ///
  /// - Parameter name: What it advertises as.
  public static func lamp(name: String) -> Self {
    Self { world in Lamp(world.add(.custom(Lamp.description(name: name)))) }
  }
}

extension Lamp {
  static func description(name: String) -> VirtualDevice.Description {
    VirtualDevice.Description(
      name: name,
      appearance: .bulb,
      position: RadioPosition(x: 2),
      advertisedServices: [service],
      services: [
        lampService,
        DeviceInformation(model: "Lamp 1", product: 3, name: name).service,
      ]
    )
  }

  private static var lampService: VirtualDevice.Service {
    VirtualDevice.Service(
      service,
      characteristics: [
        characteristic(power, [.read, .write, .notify], [0], "Power") { $0[0] <= 1 },
        characteristic(
          brightness,
          [.read, .write, .writeWithoutResponse, .notify],
          [100],
          "Brightness in percent"
        ) { $0[0] <= 100 },
        characteristic(colour, [.read, .write, .notify], Colour.warmWhite.bytes, "Colour: red, green, blue") { _ in true
        },
      ]
    )
  }

  /// A characteristic whose values all have as many bytes as the first one.
  private static func characteristic(
    _ uuid: BluetoothUUID,
    _ properties: CharacteristicProperties,
    _ value: [UInt8],
    _ userDescription: String,
    isAllowed: @escaping @Sendable ([UInt8]) -> Bool
  ) -> VirtualDevice.Characteristic {
    VirtualDevice.Characteristic(
      uuid,
      properties,
      value: value,
      userDescription: userDescription,
      onWrite: { (written, device) throws(ATTErrorCode) in
        guard written.count == value.count else { throw .invalidAttributeValueLength }
        guard isAllowed(written) else { throw .valueNotAllowed }
        try? device.notify(written, of: uuid)
      }
    )
  }
}
