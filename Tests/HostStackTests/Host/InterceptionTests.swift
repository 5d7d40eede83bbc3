import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("PDUs that wait for the owner's word")
struct InterceptionTests {
  private static func pair() -> HostPair {
    HostPair(HostConfiguration(interceptsRequests: true))
  }

  private func intercepted(_ bench: HostBench) -> [InterceptID] {
    bench.host.intercepted.map(\.id)
  }

  private func feed(_ pair: inout HostPair, _ pdu: [UInt8]) {
    let frame = [UInt8(pdu.count), 0, 4, 0] + pdu
    pair.peripheral.receive(
      ACLPacket(connectionHandle: HostPair.handle, boundary: .firstFlushable, data: frame).packet
    )
  }

  @Test("no more of one client wait than there is room for: commands are discarded then, requests refused")
  func bound() throws {
    var pair = Self.pair()
    let before = intercepted(pair.peripheral).count
    for number in 0..<1000 { feed(&pair, [0x52, 3, 0, UInt8(truncatingIfNeeded: number)]) }
    #expect(intercepted(pair.peripheral).count == Host.interceptionLimit)
    pair.peripheral.data = []
    feed(&pair, [0x0A, 3, 0])
    #expect(pair.answer() == [0x01, 0x0A, 3, 0, ATTErrorCode.insufficientResources.rawValue])
    // A word makes room again.
    let first = try #require(intercepted(pair.peripheral).first)
    pair.peripheral.act { host, now in host.resolve(first, .ignore, now: now) }
    feed(&pair, [0x0A, 3, 0])
    #expect(intercepted(pair.peripheral).count == Host.interceptionLimit)
    #expect(before < Host.interceptionLimit)
    pair.peripheral.disconnected(HostPair.handle)
    #expect(intercepted(pair.peripheral).isEmpty)
  }
}
