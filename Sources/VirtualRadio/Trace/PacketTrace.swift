import BluetoothTypes
import RadioPort

/// The HCI packets of all controllers of a world until now.
public struct PacketTrace: Sendable {
  /// Which way a packet went.
  public typealias Direction = HCIPacket.Direction

  /// One packet.
  public struct Entry: Hashable, Sendable {
    /// When it passed.
    public let time: RadioInstant
    /// What the controller is called in the world.
    public let controller: String
    /// Which way it went.
    public let direction: Direction
    /// The packet.
    public let packet: HCIPacket
  }

  /// The last packets, oldest first, as many as the world keeps.
  public let entries: [Entry]
  /// How many packets passed in all.
  public let packetCount: Int
  /// A value that is the same for two runs if and, but for a chance of 1 in 2⁶⁴, only if all their packets were the
  /// same, at the same times, in the same order; also of the packets that are not kept.
  public let digest: UInt64
}

/// Takes the packets down.
struct TraceRecorder: Sendable {
  /// How many packets are kept.
  private let capacity: Int
  /// A ring once it is full.
  private var entries: [PacketTrace.Entry] = []
  private var oldest = 0
  private(set) var packetCount = 0
  private var digest = TraceDigest()

  init(capacity: Int) { self.capacity = max(0, capacity) }

  /// Whether there is any use in ``keep(_:)``.
  var keepsPackets: Bool { capacity > 0 }

  /// Takes note that a packet has passed.
  mutating func count(
    _ packet: HCIPacket,
    _ direction: PacketTrace.Direction,
    of controller: ControllerID,
    at time: RadioInstant
  ) {
    packetCount += 1
    digest.add(UInt64(bitPattern: time.nanoseconds))
    digest.add(UInt64(truncatingIfNeeded: controller.rawValue) &<< 1 | (direction == .toController ? 0 : 1))
    digest.add(packet.bytes)
  }

  /// Keeps the packet that was counted last.
  mutating func keep(_ entry: PacketTrace.Entry) {
    if entries.count < capacity {
      entries.append(entry)
    } else if keepsPackets {
      entries[oldest] = entry
      oldest = (oldest + 1) % capacity
    }
  }

  var trace: PacketTrace {
    PacketTrace(
      entries: Array(entries[oldest...] + entries[..<oldest]),
      packetCount: packetCount,
      digest: digest.value
    )
  }
}
