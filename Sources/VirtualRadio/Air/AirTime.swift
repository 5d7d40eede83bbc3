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

  /// The longest packet that there is: 255 bytes on LE Coded with eight symbols a bit.
  static let longestPacket: Int64 = LinkPHY.codedS8.airTime(payload: 255)

  /// The least time from one packet of extended advertising to the next that it points to.
  static let leastAuxiliaryOffset: Int64 = 300_000

  /// An AUX_SCAN_REQ, and the spaces before and behind it.
  static func auxiliaryScanRequest(on phy: LinkPHY) -> Int64 { 2 &* interFrameSpace &+ phy.airTime(payload: 12) }

  /// An AUX_CONNECT_REQ and the AUX_CONNECT_RSP to it.
  static func auxiliaryConnection(on phy: LinkPHY) -> Int64 {
    2 &* interFrameSpace &+ phy.airTime(payload: 34) &+ phy.airTime(payload: 14)
  }

  /// A packet from the central and one from the peripheral, each followed by the inter-frame space.
  static func exchange(central: Int, _ centralPHY: LinkPHY, peripheral: Int, _ peripheralPHY: LinkPHY) -> Int64 {
    centralPHY.airTime(payload: central) &+ peripheralPHY.airTime(payload: peripheral) &+ 2 &* interFrameSpace
  }

  /// A packet from the central that the peripheral does not notice, and the wait for an answer.
  static func unanswered(_ payload: Int, _ phy: LinkPHY) -> Int64 {
    phy.airTime(payload: payload) &+ interFrameSpace &+ phy.airTime(payload: 0)
  }
}

/// A PHY on which a link can send.
enum LinkPHY: UInt8, Hashable, Sendable, CaseIterable {
  /// One megabit a second.
  case le1M
  /// Two megabits a second.
  case le2M
  /// LE Coded with eight symbols a bit: 125 kilobits a second.
  case codedS8
  /// LE Coded with two symbols a bit: 500 kilobits a second.
  case codedS2

  /// A data packet with `payload` bytes (Core 5.4, Vol 6, Part B, 2.1 and 2.2): preamble, access address, header and CRC
  /// around them; on LE Coded also the coding indicator and what ends both blocks.
  func airTime(payload: Int) -> Int64 {
    switch self {
    case .le1M: Int64(10 &+ payload) &* 8_000
    case .le2M: Int64(11 &+ payload) &* 4_000
    // Preamble 80 µs, access address 256, coding indicator 16, first end 24.
    case .codedS8: 376_000 &+ Int64(5 &+ payload) &* 64_000 &+ 24_000
    case .codedS2: 376_000 &+ Int64(5 &+ payload) &* 16_000 &+ 6_000
    }
  }

  /// The longest payload whose packet takes no more than `microseconds`, with room for the MIC, as the specification
  /// counts it (Core 5.4, Vol 6, Part B, 4.5.10).
  func longestPayload(microseconds: UInt16) -> Int {
    switch self {
    case .le1M: Int(microseconds) / 8 &- 14
    case .le2M: Int(microseconds) / 4 &- 15
    case .codedS8: (Int(microseconds) &- 400) / 64 &- 9
    case .codedS2: (Int(microseconds) &- 382) / 16 &- 9
    }
  }

  /// Its number in HCI.
  var number: UInt8 {
    switch self {
    case .le1M: 1
    case .le2M: 2
    case .codedS8, .codedS2: 3
    }
  }

  /// The PHY of that number; the slower of the two that are LE Coded.
  init?(number: UInt8) {
    switch number {
    case 1: self = .le1M
    case 2: self = .le2M
    case 3: self = .codedS8
    default: return nil
    }
  }

  /// Its bit in sets of PHYs.
  var bit: UInt8 { 1 &<< (number &- 1) }

  /// How much worse than on LE 1M a receiver is, in dB.
  var handicap: Double {
    switch self {
    case .le1M: 0
    case .le2M: 3
    case .codedS8: -8
    case .codedS2: -4
    }
  }
}
