import BluetoothTypes
import GATTProfiles
import RadioPort

/// The battery that the ready-made devices have: full when the world begins, empty after 25 hours.
enum Battery {
  /// How long one percent lasts.
  static let percentDuration = Duration.seconds(15 * 60)

  static func level(after age: Duration) -> BatteryLevel {
    BatteryLevel(UInt8(max(0, 100 - used(after: age))))
  }

  private static func used(after age: Duration) -> Int64 {
    max(0, age.wholeNanoseconds / percentDuration.wholeNanoseconds)
  }

  /// When the level falls the next time; `nil` for an empty battery.
  private static func untilNextFall(after age: Duration) -> Duration? {
    let used = used(after: age)
    return used >= 100 ? nil : percentDuration * Int(used + 1) - age
  }

  /// The Battery Service 1.1. Its level is notified when it falls.
  static var service: VirtualDevice.Service {
    var level = VirtualDevice.Characteristic(
      .batteryLevel,
      [.read, .notify],
      value: BatteryLevel(100).bytes,
      onRead: { device in Battery.level(after: device.world.now.sinceStart).bytes },
      onSubscription: { _, device in scheduleNext(device) }
    )
    level.next = { device in
      scheduleNext(device)
      return Battery.level(after: device.world.now.sinceStart).bytes
    }
    return VirtualDevice.Service(.battery, characteristics: [level])
  }

  private static func scheduleNext(_ device: VirtualDevice) {
    // The device has one battery, so that its UUID names it.
    try? device.setInterval(untilNextFall(after: device.world.now.sinceStart), of: .batteryLevel)
  }
}

/// What the ready-made devices say of themselves.
struct DeviceInformation: Sendable {
  /// The name of the model.
  var model: String
  /// The number of the model in the PnP ID.
  var product: UInt16
  /// The device's name, from which its serial number follows.
  var name: String

  static let manufacturer = "Halcyon"
  static let firmwareRevision = "1.0.0"

  /// Eight digits, for example `20481632`.
  var serialNumber: String {
    let number = SeededGenerator.part("serial \(model) \(name)") % 90_000_000 + 10_000_000
    return "\(number)"
  }

  /// The Device Information Service 1.2.
  var service: VirtualDevice.Service {
    func text(_ uuid: BluetoothUUID, _ text: String) -> VirtualDevice.Characteristic {
      VirtualDevice.Characteristic(uuid, .read, value: Array(text.utf8))
    }
    // Nobody's number: the devices are virtual.
    let pnpID = PnPID(
      vendorSource: .bluetoothSIG,
      vendor: CompanyID.internalUse.rawValue,
      product: product,
      version: 0x0100
    )
    return VirtualDevice.Service(
      .deviceInformation,
      characteristics: [
        text(.manufacturerNameString, Self.manufacturer),
        text(.modelNumberString, model),
        text(.serialNumberString, serialNumber),
        text(.hardwareRevisionString, "A"),
        text(.firmwareRevisionString, Self.firmwareRevision),
        text(.softwareRevisionString, Self.firmwareRevision),
        VirtualDevice.Characteristic(.pnpID, .read, value: pnpID.bytes),
      ]
    )
  }
}
