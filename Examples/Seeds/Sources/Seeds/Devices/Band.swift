import VirtualRadio

extension DeviceKind where Handle == VirtualDevice {
  /// A wristband: steps that are sent every half second, a place to send commands to, a battery.
  static func band(name: String = "Band") -> Self {
    .custom(name: name) { band in
      band.advertisedServices = ["FFE0"]
      band.services = [
        VirtualDevice.Service(
          "FFE0",
          characteristics: [
            VirtualDevice.Characteristic("FF01", [.read, .notify], value: [10], every: .milliseconds(500)) { device in
              let steps = (try? device.value(of: "FF01"))?.first ?? 0
              return [steps &+ 1]
            },
            VirtualDevice.Characteristic("FF02", .writeWithoutResponse),
          ]
        ),
        VirtualDevice.Service(
          "180F",
          characteristics: [VirtualDevice.Characteristic("2A19", [.read, .notify], value: [90])]
        ),
      ]
    }
  }
}
