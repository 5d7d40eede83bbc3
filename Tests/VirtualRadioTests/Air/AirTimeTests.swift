import Testing

@testable import VirtualRadio

@Suite("Time on the air")
struct AirTimeTests {
  @Test(
    "packets take what the specification says, from empty ones to the longest",
    arguments: [
      (LinkPHY.le1M, 0, 80), (.le1M, 27, 296), (.le1M, 251, 2088), (.le1M, 255, 2120),
      (.le2M, 0, 44), (.le2M, 27, 152), (.le2M, 251, 1048), (.le2M, 255, 1064),
      (.codedS8, 0, 720), (.codedS8, 31, 2704), (.codedS8, 255, 17040),
      (.codedS2, 0, 462), (.codedS2, 31, 958), (.codedS2, 255, 4542),
    ]
  )
  func packets(phy: LinkPHY, payload: Int, microseconds: Int64) {
    #expect(phy.airTime(payload: payload) == microseconds * 1000)
  }

  @Test("a limit of time allows the longest payload that fits with its MIC", arguments: LinkPHY.allCases)
  func limits(phy: LinkPHY) {
    for payload in 27...251 {
      let time = UInt16(phy.airTime(payload: payload + 4) / 1000)
      #expect(phy.longestPayload(microseconds: time) == payload)
      #expect(phy.longestPayload(microseconds: time - 1) == payload - 1)
    }
  }
}
