import BluetoothTypes

/// L2CAP_CONNECTION_PARAMETER_UPDATE_REQ (Core 5.4, Vol 3, Part A, 4.20): a peripheral's wish.
package struct L2CAPConnectionParameterUpdateRequest: SignallingMessage {
  package static var code: SignallingCode { .connectionParameterUpdateRequest }

  /// The shortest interval, in units of 1.25 ms: 6 to 3200.
  package var intervalMin: UInt16
  /// The longest interval, in units of 1.25 ms: 6 to 3200.
  package var intervalMax: UInt16
  /// How many connection events the peripheral may leave out: 0 to 499.
  package var latency: UInt16
  /// The supervision timeout in units of 10 ms: 10 to 3200.
  package var timeout: UInt16

  package init(intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, timeout: UInt16) {
    self.intervalMin = intervalMin
    self.intervalMax = intervalMax
    self.latency = latency
    self.timeout = timeout
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    intervalMin = try reader.read()
    intervalMax = try reader.read()
    latency = try reader.read()
    timeout = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(intervalMin)
    writer.write(intervalMax)
    writer.write(latency)
    writer.write(timeout)
  }

  /// Whether the values lie in their ranges and fit together: the timeout must be longer than twice the time between
  /// two events that the peripheral may not leave out (Core 5.4, Vol 4, Part E, 7.8.18).
  package var isValid: Bool {
    guard (6...3200).contains(intervalMin), (6...3200).contains(intervalMax), intervalMin <= intervalMax else {
      return false
    }
    guard latency <= 499, (10...3200).contains(timeout) else { return false }
    // 10 ms against 1.25 ms: timeout × 8 > 2 × (1 + latency) × interval.
    return Int(timeout) * 8 > 2 * (1 + Int(latency)) * Int(intervalMax)
  }
}

/// L2CAP_CONNECTION_PARAMETER_UPDATE_RSP (Core 5.4, Vol 3, Part A, 4.21).
package struct L2CAPConnectionParameterUpdateResponse: SignallingMessage {
  package static var code: SignallingCode { .connectionParameterUpdateResponse }

  /// 0 for accepted, 1 for rejected.
  package var result: UInt16

  package init(isAccepted: Bool) { result = isAccepted ? 0 : 1 }

  /// Whether the central will ask its controller for the parameters.
  package var isAccepted: Bool { result == 0 }

  package init(parameters reader: inout ByteReader) throws(ByteError) { result = try reader.read() }

  package func write(to writer: inout ByteWriter) { writer.write(result) }
}
