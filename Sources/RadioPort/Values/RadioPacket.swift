import BluetoothTypes

/// A packet that passed between a radio's host and its controller.
public struct RadioPacket: Hashable, Sendable {
  /// When it passed, in the radio's time.
  public let time: RadioInstant
  /// Which way it went.
  public let direction: HCIPacket.Direction
  /// The packet.
  public let packet: HCIPacket

  /// A packet as it passed.
  public init(time: RadioInstant, direction: HCIPacket.Direction, packet: HCIPacket) {
    self.time = time
    self.direction = direction
    self.packet = packet
  }
}
