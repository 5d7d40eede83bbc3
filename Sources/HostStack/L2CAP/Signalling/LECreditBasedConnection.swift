import BluetoothTypes

/// L2CAP_LE_CREDIT_BASED_CONNECTION_REQ (Core 5.4, Vol 3, Part A, 4.22).
package struct L2CAPLECreditBasedConnectionRequest: SignallingMessage {
  package static var code: SignallingCode { .leCreditBasedConnectionRequest }

  /// What the channel is for.
  package var spsm: UInt16
  /// The channel as its sender numbers it.
  package var source: L2CAPChannelID
  /// The longest SDU that the sender takes; at least 23.
  package var mtu: UInt16
  /// The longest frame payload that the sender takes; 23 to 65533.
  package var mps: UInt16
  /// How many frames may be sent to the sender at once.
  package var initialCredits: UInt16

  package init(spsm: UInt16, source: L2CAPChannelID, mtu: UInt16, mps: UInt16, initialCredits: UInt16) {
    self.spsm = spsm
    self.source = source
    self.mtu = mtu
    self.mps = mps
    self.initialCredits = initialCredits
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    spsm = try reader.read()
    source = L2CAPChannelID(rawValue: try reader.read())
    mtu = try reader.read()
    mps = try reader.read()
    initialCredits = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(spsm)
    writer.write(source.rawValue)
    writer.write(mtu)
    writer.write(mps)
    writer.write(initialCredits)
  }
}

/// L2CAP_LE_CREDIT_BASED_CONNECTION_RSP (Core 5.4, Vol 3, Part A, 4.23).
package struct L2CAPLECreditBasedConnectionResponse: SignallingMessage {
  package static var code: SignallingCode { .leCreditBasedConnectionResponse }

  /// The channel as the sender of the response numbers it; 0 if there is none.
  package var destination: L2CAPChannelID
  package var mtu: UInt16
  package var mps: UInt16
  package var initialCredits: UInt16
  package var result: L2CAPConnectionResult

  package init(
    destination: L2CAPChannelID,
    mtu: UInt16,
    mps: UInt16,
    initialCredits: UInt16,
    result: L2CAPConnectionResult
  ) {
    self.destination = destination
    self.mtu = mtu
    self.mps = mps
    self.initialCredits = initialCredits
    self.result = result
  }

  /// A refusal: all fields but the result are 0.
  package init(refused result: L2CAPConnectionResult) {
    self.init(destination: L2CAPChannelID(rawValue: 0), mtu: 0, mps: 0, initialCredits: 0, result: result)
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    destination = L2CAPChannelID(rawValue: try reader.read())
    mtu = try reader.read()
    mps = try reader.read()
    initialCredits = try reader.read()
    result = L2CAPConnectionResult(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(destination.rawValue)
    writer.write(mtu)
    writer.write(mps)
    writer.write(initialCredits)
    writer.write(result.rawValue)
  }
}

/// L2CAP_FLOW_CONTROL_CREDIT_IND (Core 5.4, Vol 3, Part A, 4.24); nobody answers it.
package struct L2CAPFlowControlCredit: SignallingMessage {
  package static var code: SignallingCode { .flowControlCredit }

  /// The channel as the sender of the credits numbers it.
  package var channel: L2CAPChannelID
  /// How many more frames may be sent; at least 1.
  package var credits: UInt16

  package init(channel: L2CAPChannelID, credits: UInt16) {
    self.channel = channel
    self.credits = credits
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    channel = L2CAPChannelID(rawValue: try reader.read())
    credits = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(channel.rawValue)
    writer.write(credits)
  }
}
