import BluetoothTypes
import HostStack
import Testing

@Suite struct HCIPacketDescriptionTests {
  @Test("a packet is one line with the names of the specification")
  func lines() {
    let command = LESetScanEnable(leScanEnable: true, filterDuplicates: true).packet
    #expect(
      HCIPacketDescription.line(for: command, isFromHost: true)
        == "host → LE Set Scan Enable: le scan enable true, filter duplicates true"
    )
    let event = DisconnectionComplete(connectionHandle: 0x40, reason: .connectionTimeout).packet
    #expect(
      HCIPacketDescription.line(for: event, isFromHost: false)
        .hasPrefix("controller → Disconnection Complete: status ")
    )
    let data = ACLPacket(connectionHandle: 0x40, boundary: .firstNonFlushable, data: [1, 2]).packet
    #expect(
      HCIPacketDescription.line(for: data, isFromHost: true, payload: { "\($0.count) bytes" })
        == "host → ACL 0x0040 2 bytes"
    )
  }

  @Test("random packets are described too, each in one line")
  func random() {
    var random = SeededBytes(seed: 7)
    for kind in HCIPacket.Kind.allCases {
      for _ in 0..<300 {
        let packet = HCIPacket(kind, payload: random.bytes(Int(random.next() % 40)))
        #expect(!HCIPacketDescription.line(for: packet, isFromHost: true).contains("\n"))
      }
    }
  }
}
