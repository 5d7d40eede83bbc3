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

  /// The requests that the central has sent, since the last clearing.
  var requests: [ATTOpcode] = []
  /// The requests up to the first read, of a whole connection.
  var allRequests: [ATTOpcode] {
    let end = connectionRequests.firstIndex(of: .readRequest).map { $0 + 1 }
    return Array(connectionRequests[..<(end ?? connectionRequests.count)])
  }
  private var connectionRequests: [ATTOpcode] = []

  static let handle: UInt16 = 0x40

  /// Both are connected, and the MTU is exchanged.
  init(
    _ configuration: HostConfiguration,
    central: HostConfiguration = HostConfiguration(),
    _ change: (inout Host) -> Void = { _ in }
  ) {
    self.central = .on(central)
    peripheral = .on(configuration)
    change(&self.central.host)
    connect()
  }

  mutating func connect() {
    connectionRequests = []
    central.events = []
    if let made = central.link(to: HostBench.peer(7), handle: Self.handle) { (claim, link) = made }
    peripheral.connected(HostBench.peer(8), handle: Self.handle, role: .peripheral)
    run()
  }

  mutating func disconnect() {
    central.disconnected(Self.handle)
    peripheral.disconnected(Self.handle)
    central.data = []
    peripheral.data = []
  }

  mutating func reconnect() {
    disconnect()
    connect()
  }

  /// Lets time pass at both.
  mutating func pass(_ duration: Duration) {
    central.pass(duration)
    peripheral.pass(duration)
    run()
  }

  /// Carries all data to and fro until there is none.
  mutating func run() {
    while !central.data.isEmpty || !peripheral.data.isEmpty {
      for packet in central.data
      where packet.boundary.isFirst && packet.data.count > 4 && packet.data[2] == 4 {
        let opcode = ATTOpcode(rawValue: packet.data[4])
        guard opcode.isRequest else { continue }
        requests.append(opcode)
        connectionRequests.append(opcode)
      }
      Self.carry(&central, &peripheral, completes)
      Self.carry(&peripheral, &central, completes)
    }
  }

  private static func carry(_ from: inout HostBench, _ to: inout HostBench, _ completes: Bool) {
    for var packet in from.takeData() {
      if packet.boundary == .firstNonFlushable { packet.address(to: handle, .firstFlushable) }
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
