import BluetoothTypes
import Foundation

/// A remote device.
open class CBPeer: NSObject, NSCopying {
  let peer: PeerID

  init(_ peer: PeerID) { self.peer = peer }

  /// What names the device to this program. It stays the same on every run as long as the device's address does.
  open var identifier: UUID { peer.uuid }

  /// The object itself: a device has one object per manager.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension PeerID {
  /// The identifier as Foundation has it.
  var uuid: UUID {
    var bytes: [UInt8] = []
    for half in [high, low] {
      for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(half &>> UInt64(shift) & 0xFF)) }
    }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  init(_ uuid: UUID) {
    let halves = withUnsafeBytes(of: uuid.uuid) { bytes in
      [bytes.prefix(8), bytes.suffix(8)].map { $0.reduce(into: UInt64(0)) { $0 = $0 &<< 8 | UInt64($1) } }
    }
    self.init(high: halves[0], low: halves[1])
  }
}
