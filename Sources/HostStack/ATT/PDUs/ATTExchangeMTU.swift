import BluetoothTypes

/// ATT_EXCHANGE_MTU_REQ (Core 5.4, Vol 3, Part F, 3.4.2.1).
package struct ATTExchangeMTURequest: ATTMessage {
  package static var opcode: ATTOpcode { .exchangeMTURequest }

  /// The longest PDU that the client can receive.
  package var mtu: UInt16

  package init(mtu: UInt16) { self.mtu = mtu }

  package init(parameters reader: inout ByteReader) throws(ByteError) { mtu = try reader.read() }

  package func writeParameters(to writer: inout ByteWriter) { writer.write(mtu) }
}

/// ATT_EXCHANGE_MTU_RSP (Core 5.4, Vol 3, Part F, 3.4.2.2).
package struct ATTExchangeMTUResponse: ATTMessage {
  package static var opcode: ATTOpcode { .exchangeMTUResponse }

  /// The longest PDU that the server can receive.
  package var mtu: UInt16

  package init(mtu: UInt16) { self.mtu = mtu }

  package init(parameters reader: inout ByteReader) throws(ByteError) { mtu = try reader.read() }

  package func writeParameters(to writer: inout ByteWriter) { writer.write(mtu) }
}
