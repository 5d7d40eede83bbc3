import BluetoothTypes

/// L2CAP_DISCONNECTION_REQ (Core 5.4, Vol 3, Part A, 4.6).
package struct L2CAPDisconnectionRequest: SignallingMessage {
  package static var code: SignallingCode { .disconnectionRequest }

  /// The channel as its receiver numbers it.
  package var destination: L2CAPChannelID
  /// The channel as its sender numbers it.
  package var source: L2CAPChannelID

  package init(destination: L2CAPChannelID, source: L2CAPChannelID) {
    self.destination = destination
    self.source = source
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    destination = L2CAPChannelID(rawValue: try reader.read())
    source = L2CAPChannelID(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(destination.rawValue)
    writer.write(source.rawValue)
  }
}

/// L2CAP_DISCONNECTION_RSP (Core 5.4, Vol 3, Part A, 4.7): the numbers of the request, in the same places.
package struct L2CAPDisconnectionResponse: SignallingMessage {
  package static var code: SignallingCode { .disconnectionResponse }

  package var destination: L2CAPChannelID
  package var source: L2CAPChannelID

  package init(destination: L2CAPChannelID, source: L2CAPChannelID) {
    self.destination = destination
    self.source = source
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    destination = L2CAPChannelID(rawValue: try reader.read())
    source = L2CAPChannelID(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(destination.rawValue)
    writer.write(source.rawValue)
  }
}
