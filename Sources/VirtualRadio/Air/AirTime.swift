/// How long packets take on the air (Core 5.4, Vol 6, Part B, 2.1 and 4.1). All times are nanoseconds.
enum AirTime {
  /// Between two packets of one exchange.
  static let interFrameSpace: Int64 = 150_000
  /// From the end of a CONNECT_IND to the earliest transmit window.
  static let transmitWindowDelay: Int64 = 1_250_000

  /// A packet on an advertising channel: preamble, access address, header and CRC around `payload` bytes.
  static func advertising(payload: Int) -> Int64 { Int64(10 &+ payload) &* 8_000 }

  /// An advertiser's time on one channel: its packet, the time in which a reply may come, and the switch to the next.
  static func advertisingChannel(payload: Int) -> Int64 { advertising(payload: payload) &+ 600_000 }

  /// A SCAN_REQ and the SCAN_RSP to it.
  static func scanResponse(payload: Int) -> Int64 {
    2 &* interFrameSpace &+ advertising(payload: 12) &+ advertising(payload: 6 &+ payload)
  }

  /// A CONNECT_IND after the advertisement.
  static var connectIndication: Int64 { interFrameSpace &+ advertising(payload: 34) }

  /// A packet from the central and one from the peripheral, each followed by the inter-frame space.
  static func exchange(central: Int, _ centralPHY: LinkPHY, peripheral: Int, _ peripheralPHY: LinkPHY) -> Int64 {
    centralPHY.airTime(payload: central) &+ peripheralPHY.airTime(payload: peripheral) &+ 2 &* interFrameSpace
  }
}

/// A PHY on which a link can send.
enum LinkPHY: UInt8, Hashable, Sendable {
  /// One megabit a second.
  case le1M = 1
  /// Two megabits a second.
  case le2M = 2

  /// A data packet with `payload` bytes: preamble, access address, header and CRC around them.
  func airTime(payload: Int) -> Int64 {
    switch self {
    case .le1M: Int64(10 &+ payload) &* 8_000
    case .le2M: Int64(11 &+ payload) &* 4_000
    }
  }

  /// The longest payload whose packet takes no more than `microseconds`, with room for the MIC, as the specification
  /// counts it (Core 5.4, Vol 6, Part B, 4.5.10).
  func longestPayload(microseconds: UInt16) -> Int {
    switch self {
    case .le1M: Int(microseconds) / 8 &- 14
    case .le2M: Int(microseconds) / 4 &- 15
    }
  }
}
