import BluetoothTypes

/// ATT_ERROR_RSP (Core 5.4, Vol 3, Part F, 3.4.1.1).
package struct ATTErrorResponse: ATTMessage {
  package static var opcode: ATTOpcode { .errorResponse }

  /// What was asked for.
  package var request: ATTOpcode
  /// The attribute that the error is about; 0 where there is none.
  package var handle: AttributeHandle
  package var code: ATTErrorCode

  package init(request: ATTOpcode, handle: AttributeHandle, code: ATTErrorCode) {
    self.request = request
    self.handle = handle
    self.code = code
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    request = ATTOpcode(rawValue: try reader.read())
    handle = try reader.readHandle()
    code = ATTErrorCode(rawValue: try reader.read())
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(request.rawValue)
    writer.write(handle.rawValue)
    writer.write(code.rawValue)
  }
}
