import Halcyon
import VirtualRadio

extension DeviceKind where Handle == VirtualDevice {
  /// A board with a light, a button that somebody presses each second, and a motion sensor. A write to the light is
  /// answered by a notification of what it shows.
  static func punch(name: String = "PunchLX") -> Self {
    .custom(name: name) { punch in
      punch.advertisedServices = ["19B10010-E8F2-537E-4F6C-D104768A1214"]
      punch.services = [
        VirtualDevice.Service(
          "19B10010-E8F2-537E-4F6C-D104768A1214",
          characteristics: [
            VirtualDevice.Characteristic(
              "19B10011-E8F2-537E-4F6C-D104768A1214",
              [.read, .write, .notify],
              value: [0],
              onWrite: { value, device throws(ATTErrorCode) in
                guard value == [0] || value == [1] else { throw .valueNotAllowed }
                try? device.notify(value, of: "19B10011-E8F2-537E-4F6C-D104768A1214")
              }
            ),
            VirtualDevice.Characteristic(
              "19B10012-E8F2-537E-4F6C-D104768A1214",
              [.read, .notify],
              value: [0],
              every: .seconds(1)
            ) { device in
              let seconds = device.world.now.sinceStart.components.seconds
              return [UInt8(seconds % 2)]
            },
            VirtualDevice.Characteristic(
              "19B10013-E8F2-537E-4F6C-D104768A1214",
              [.read, .notify],
              // 1.5 s; 0, 0 and 9.81 m/s²; 1, -2 and 0.5 °/s
              value: UInt32(1500).bytes + [Int16(0), 0, 981].flatMap(\.bytes) + [Int32(100), -200, 50].flatMap(\.bytes)
            ),
          ]
        )
      ]
    }
  }
}
