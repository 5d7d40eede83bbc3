import VirtualRadio

extension DeviceKind where Handle == VirtualDevice {
  /// A meter: a level that can be read and is sent each second, a limit that can be set, and the unit in a service that
  /// is found through the first.
  static func meter(name: String, level: UInt8) -> Self {
    let unit = VirtualDevice.Service(
      "FFF8",
      isPrimary: false,
      characteristics: [VirtualDevice.Characteristic("FFF9", .read, value: [1])]
    )
    return .custom(name: name) { meter in
      meter.advertisedServices = ["FFF0"]
      meter.services = [
        VirtualDevice.Service(
          "FFF0",
          includes: [unit],
          characteristics: [
            VirtualDevice.Characteristic("FFF1", [.read, .notify], value: [level], every: .seconds(1)) { _ in [level] },
            VirtualDevice.Characteristic(
              "FFF2",
              [.read, .write, .writeWithoutResponse],
              value: [90],
              userDescription: "limit",
              descriptors: [VirtualDevice.Descriptor("FFFA", value: [0], permissions: [.read, .write])]
            ),
          ]
        )
      ]
    }
  }
}
