import RadioPort
import Testing

@Suite("What the port's values say of themselves")
struct DescriptionTests {
  @Test("a state tells its reason, if it has one")
  func state() {
    #expect("\(RadioState.poweredOn)" == "poweredOn")
    #expect("\(RadioState(.poweredOff, reason: "switched off"))" == "poweredOff: switched off")
  }

  @Test("the options of a link tell what is asked for, PHYs in their order")
  func linkOptions() {
    #expect(
      "\(LinkOptions())" == "interval 0.015 seconds to 0.03 seconds, latency 0, supervision timeout 2.0 seconds"
    )
    let options = LinkOptions(phys: [.leCoded, .le1M], preferredPHYs: PHYPreference(transmit: [.le2M], receive: []))
    #expect("\(options)".hasSuffix(", found on le1M or leCoded, then transmit le2M, receive any"))
  }
}
