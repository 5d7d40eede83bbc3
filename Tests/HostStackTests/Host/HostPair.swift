import BluetoothTypes
import RadioPort

@testable import HostStack

/// A central's host and a peripheral's host on a wire between two scripted controllers.
struct HostPair {
  var central: HostBench
  var peripheral: HostBench
  var link: LinkID?
  var claim: ClaimID?
  /// Whether the controllers tell that packets have left.
  var completes = true

  static let handle: UInt16 = 0x40

  /// Both are connected, and the MTU is exchanged.
  init(_ configuration: HostConfiguration, central: HostConfiguration = HostConfiguration()) {
    self.central = .on(central)
    peripheral = .on(configuration)
    let address = HostBench.peer(7)
    if let made = self.central.link(to: address, handle: Self.handle) { (claim, link) = made }
    peripheral.connected(HostBench.peer(8), handle: Self.handle, role: .peripheral)
    run()
  }

  /// Carries all data to and fro until there is none.
  mutating func run() {
    while !central.data.isEmpty || !peripheral.data.isEmpty {
      Self.carry(&central, &peripheral, completes)
      Self.carry(&peripheral, &central, completes)
    }
  }

  private static func carry(_ from: inout HostBench, _ to: inout HostBench, _ completes: Bool) {
    for var packet in from.takeData() {
      if packet.boundary == .firstNonFlushable { packet.boundary = .firstFlushable }
      if completes {
        from.receive(NumberOfCompletedPackets(completed: [.init(connectionHandle: handle, count: 1)]))
      }
      to.receive(packet.packet)
    }
  }

  /// Does something at the central, and all that follows.
  mutating func act<Result>(_ body: (inout Host, LinkID, RadioInstant) -> Result) -> Result? {
    guard let link else { return nil }
    let result = central.act { host, now in body(&host, link, now) }
    run()
    return result
  }

  /// Sends a request to the server as it is and gives the answer.
  mutating func request(_ pdu: [UInt8]) -> [UInt8]? {
    let frame = [UInt8(truncatingIfNeeded: pdu.count), UInt8(truncatingIfNeeded: pdu.count >> 8), 4, 0] + pdu
    peripheral.data = []
    peripheral.receive(ACLPacket(connectionHandle: Self.handle, boundary: .firstFlushable, data: frame).packet)
    return answer()
  }

  /// What the server has sent since; the central does not get it.
  mutating func answer() -> [UInt8]? {
    var frame: [UInt8] = []
    while let packet = peripheral.data.first {
      peripheral.data.removeFirst()
      frame += packet.data
      peripheral.receive(NumberOfCompletedPackets(completed: [.init(connectionHandle: Self.handle, count: 1)]))
    }
    return frame.isEmpty ? nil : Array(frame.dropFirst(4))
  }
}
