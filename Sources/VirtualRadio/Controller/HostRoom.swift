/// How much data the host can take, where it says so (Core 5.4, Vol 4, Part E, 4.2).
struct HostRoom: Sendable {
  /// The host grants each packet.
  var isControlled = false
  /// The way to the host is full: it takes nothing, whatever it has granted. That is the way's, so a reset keeps it.
  var isStalled = false
  /// The longest packet of data that the host takes.
  private(set) var longestPacket = Int.max
  private var total = Int.max
  /// Packets with the host, by handle.
  private var outstanding: [(handle: UInt16, count: Int)] = []

  init() {}

  /// The host says how many packets of which length it takes.
  mutating func announce(length: UInt16, count: UInt16) {
    longestPacket = Int(length)
    total = Int(count)
  }

  /// Whether the host takes another packet now.
  @inline(__always)
  var hasRoom: Bool { !isStalled && (!isControlled || isGranted) }

  /// Whether the host has room for another packet, be the way to it full or not.
  var isGranted: Bool { !isControlled || outstanding.reduce(0) { $0 &+ $1.count } < total }

  /// A packet goes to the host.
  mutating func use(_ handle: UInt16) {
    guard isControlled else { return }
    if let index = outstanding.firstIndex(where: { $0.handle == handle }) {
      outstanding[index].count &+= 1
    } else {
      outstanding.append((handle, 1))
    }
  }

  /// The host is done with packets; more than it has had counts as all.
  mutating func release(_ count: Int, of handle: UInt16) {
    guard let index = outstanding.firstIndex(where: { $0.handle == handle }) else { return }
    outstanding[index].count = max(0, outstanding[index].count &- max(0, count))
  }

  /// A link is gone, and all that the host has of it counts as done.
  mutating func forget(_ handle: UInt16) { outstanding.removeAll { $0.handle == handle } }
}
