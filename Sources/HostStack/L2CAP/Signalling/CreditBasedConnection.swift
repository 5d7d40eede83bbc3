import BluetoothTypes

/// L2CAP_CREDIT_BASED_CONNECTION_REQ (Core 5.4, Vol 3, Part A, 4.25): one to five enhanced channels at once.
package struct L2CAPCreditBasedConnectionRequest: SignallingMessage {
  package static var code: SignallingCode { .creditBasedConnectionRequest }

  package var spsm: UInt16
  /// The longest SDU that the sender takes; at least 64.
  package var mtu: UInt16
  /// The longest frame payload that the sender takes; at least 64.
  package var mps: UInt16
  package var initialCredits: UInt16
  /// The channels as their sender numbers them.
  package var sources: [L2CAPChannelID]

  package init(spsm: UInt16, mtu: UInt16, mps: UInt16, initialCredits: UInt16, sources: [L2CAPChannelID]) {
    self.spsm = spsm
    self.mtu = mtu
    self.mps = mps
    self.initialCredits = initialCredits
    self.sources = sources
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    spsm = try reader.read()
    mtu = try reader.read()
    mps = try reader.read()
    initialCredits = try reader.read()
    sources = try reader.readChannels(1...5)
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(spsm)
    writer.write(mtu)
    writer.write(mps)
    writer.write(initialCredits)
    for source in sources { writer.write(source.rawValue) }
  }
}

/// L2CAP_CREDIT_BASED_CONNECTION_RSP (Core 5.4, Vol 3, Part A, 4.26).
package struct L2CAPCreditBasedConnectionResponse: SignallingMessage {
  package static var code: SignallingCode { .creditBasedConnectionResponse }

  package var mtu: UInt16
  package var mps: UInt16
  package var initialCredits: UInt16
  package var result: L2CAPConnectionResult
  /// The channels as the sender of the response numbers them, in the order of the request; 0 for one that was refused.
  package var destinations: [L2CAPChannelID]

  package init(
    mtu: UInt16,
    mps: UInt16,
    initialCredits: UInt16,
    result: L2CAPConnectionResult,
    destinations: [L2CAPChannelID]
  ) {
    self.mtu = mtu
    self.mps = mps
    self.initialCredits = initialCredits
    self.result = result
    self.destinations = destinations
  }

  /// A refusal of all the `count` channels that were asked for.
  package init(refused result: L2CAPConnectionResult, count: Int) {
    self.init(
      mtu: 0,
      mps: 0,
      initialCredits: 0,
      result: result,
      destinations: Array(repeating: L2CAPChannelID(rawValue: 0), count: count)
    )
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    mtu = try reader.read()
    mps = try reader.read()
    initialCredits = try reader.read()
    result = L2CAPConnectionResult(rawValue: try reader.read())
    destinations = try reader.readChannels(0...5)
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(mtu)
    writer.write(mps)
    writer.write(initialCredits)
    writer.write(result.rawValue)
    for destination in destinations { writer.write(destination.rawValue) }
  }
}

/// L2CAP_CREDIT_BASED_RECONFIGURE_REQ (Core 5.4, Vol 3, Part A, 4.27).
package struct L2CAPCreditBasedReconfigureRequest: SignallingMessage {
  package static var code: SignallingCode { .creditBasedReconfigureRequest }

  package var mtu: UInt16
  package var mps: UInt16
  /// The channels as the sender of the request numbers them.
  package var channels: [L2CAPChannelID]

  package init(mtu: UInt16, mps: UInt16, channels: [L2CAPChannelID]) {
    self.mtu = mtu
    self.mps = mps
    self.channels = channels
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    mtu = try reader.read()
    mps = try reader.read()
    channels = try reader.readChannels(1...5)
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(mtu)
    writer.write(mps)
    for channel in channels { writer.write(channel.rawValue) }
  }
}

/// L2CAP_CREDIT_BASED_RECONFIGURE_RSP (Core 5.4, Vol 3, Part A, 4.28).
package struct L2CAPCreditBasedReconfigureResponse: SignallingMessage {
  package static var code: SignallingCode { .creditBasedReconfigureResponse }

  /// How a change of a channel's lengths ended: an open set.
  package struct Result: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let success = Self(rawValue: 0x0000)
    package static let mtuReduced = Self(rawValue: 0x0001)
    package static let mpsReduced = Self(rawValue: 0x0002)
    package static let invalidChannels = Self(rawValue: 0x0003)
    package static let unacceptableParameters = Self(rawValue: 0x0004)
  }

  package var result: Result

  package init(result: Result) { self.result = result }

  package init(parameters reader: inout ByteReader) throws(ByteError) { result = Result(rawValue: try reader.read()) }

  package func write(to writer: inout ByteWriter) { writer.write(result.rawValue) }
}

extension ByteReader {
  /// Reads channel numbers to the end; how many there may be is given.
  mutating func readChannels(_ count: ClosedRange<Int>) throws(ByteError) -> [L2CAPChannelID] {
    guard remaining % 2 == 0 else { throw invalid("channels have 2 bytes each") }
    guard count.contains(remaining / 2) else { throw invalid("there are too many or too few channels") }
    var channels: [L2CAPChannelID] = []
    while !isAtEnd { channels.append(L2CAPChannelID(rawValue: try read())) }
    return channels
  }
}
