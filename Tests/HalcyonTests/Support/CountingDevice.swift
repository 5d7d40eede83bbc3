import BluetoothTypes
import Halcyon
import RadioPort
import Synchronization
import VirtualRadio

/// What a device that counts has sent: it notifies one number more at each interval while somebody has subscribed.
final class SentCounts: Sendable {
  struct Sending: Hashable, Sendable {
    var count: UInt32
    var time: RadioInstant
  }

  private let sent = Mutex<[Sending]>([])

  var all: [Sending] { sent.withLock { $0 } }
  var count: Int { sent.withLock { $0.count } }

  func next(now: RadioInstant) -> UInt32 {
    sent.withLock { sent in
      let count = UInt32(sent.count + 1)
      sent.append(Sending(count: count, time: now))
      return count
    }
  }
}

/// A device with a characteristic of each way of use.
final class CountingDevice: DeviceHandle {
  static let longValue = (0..<300).map { UInt8(truncatingIfNeeded: $0) }

  /// Channels to this PSM give back what they get.
  static let psm: L2CAPPSM = 0x0080

  let device: VirtualDevice
  let sent: SentCounts

  init(_ device: VirtualDevice, _ sent: SentCounts) {
    self.device = device
    self.sent = sent
  }

  var id: PeerID { PeerID(address) }
}

extension DeviceKind where Handle == CountingDevice {
  /// A device that notifies a count at each `interval`; in `FFF0`, which it advertises.
  static func counting(
    name: String = "Counter",
    every interval: Duration = .seconds(1),
    _ describe: @escaping @Sendable (inout VirtualDevice.Description) -> Void = { _ in }
  ) -> Self {
    Self { world in
      let sent = SentCounts()
      var description = VirtualDevice.Description(
        name: name,
        advertisedServices: ["FFF0"],
        services: [
          VirtualDevice.Service(
            "FFF0",
            characteristics: [
              VirtualDevice.Characteristic("FFF1", [.notify, .read], value: [0, 0, 0, 0], every: interval) { device in
                sent.next(now: device.world.now).bytes
              },
              VirtualDevice.Characteristic("FFF2", [.read, .write], value: [7]),
              VirtualDevice.Characteristic("FFF3", .writeWithoutResponse, value: []),
              VirtualDevice.Characteristic("FFF4", .read, value: CountingDevice.longValue),
              VirtualDevice.Characteristic("FFF5", .indicate, value: [0]),
            ]
          ),
          // The same UUID once more, in another service.
          VirtualDevice.Service(
            "FFE0",
            characteristics: [VirtualDevice.Characteristic("FFF2", [.read, .write], value: [9])]
          ),
        ],
        channels: [.echo(CountingDevice.psm, options: ChannelOptions(mtu: 600, mps: 200, credits: 4))]
      )
      describe(&description)
      return CountingDevice(world.add(.custom(description)), sent)
    }
  }
}

extension Characteristic where Value == UInt32 {
  static var count: Self { .init("FFF1", in: "FFF0") }
}

extension Characteristic where Value == UInt8 {
  static var setting: Self { .init("FFF2", in: "FFF0") }
  static var otherSetting: Self { .init("FFF2", in: "FFE0") }
  static var alarm: Self { .init("FFF5", in: "FFF0") }
}

extension Characteristic where Value == [UInt8] {
  static var log: Self { .init("FFF3", in: "FFF0") }
  static var bulk: Self { .init("FFF2", in: "FFF0") }
  static var long: Self { .init("FFF4", in: "FFF0") }
}
