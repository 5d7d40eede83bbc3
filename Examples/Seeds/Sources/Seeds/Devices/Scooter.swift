import Halcyon
import Synchronization
import VirtualRadio

/// A scooter that takes commands, tells its version and its state, and how far away its key is. It stands one metre away
/// at first.
final class VirtualScooter: DeviceHandle {
  let device: VirtualDevice
  private let key: Key

  /// Where the key is.
  final class Key: Sendable {
    let centimetres = Mutex<UInt16>(100)
  }

  init(_ device: VirtualDevice, _ key: Key) {
    self.device = device
    self.key = key
  }

  /// What it was told, byte by byte.
  var commands: [[UInt8]] { device.written(to: "D44BC439-ABFD-45A2-B575-925416129600") }

  /// Its own measurement of the distance, in metres.
  var keyDistance: Double {
    get { Double(key.centimetres.withLock { $0 }) / 100 }
    set { key.centimetres.withLock { $0 = UInt16(min(max(newValue, 0), 655) * 100) } }
  }
}

extension DeviceKind where Handle == VirtualScooter {
  static func scooter(name: String = "Scooter") -> Self {
    Self { world in
      let key = VirtualScooter.Key()
      let kind = DeviceKind<VirtualDevice>.custom(name: name) { scooter in
        scooter.advertisedServices = ["FEE9"]
        scooter.services = [
          VirtualDevice.Service(
            "FEE9",
            characteristics: [
              VirtualDevice.Characteristic("D44BC439-ABFD-45A2-B575-925416129600", [.write, .writeWithoutResponse]),
              VirtualDevice.Characteristic(
                "D44BC439-ABFD-45A2-B575-925416129601",
                [.read, .notify],
                value: [1],
                every: .seconds(1)
              ) { device in [UInt8(truncatingIfNeeded: device.world.now.sinceStart.components.seconds)] },
              VirtualDevice.Characteristic(
                "D44BC439-ABFD-45A2-B575-925416129602",
                .read,
                value: Array("1.2.0".utf8)
              ),
              VirtualDevice.Characteristic("D44BC439-ABFD-45A2-B575-925416129604", .notify, every: .milliseconds(200)) {
                _ in key.centimetres.withLock { $0.bytes }
              },
            ]
          ),
          VirtualDevice.Service("FEE8"),
        ]
      }
      return VirtualScooter(world.add(kind), key)
    }
  }
}
