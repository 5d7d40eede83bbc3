import BluetoothTypes

// Nordic UART Service: a serial line, as bytes without more structure. Nordic Semiconductor's documentation names both
// characteristics as the device sees them.
extension ServiceID {
  /// The Nordic UART service.
  public static let nordicUART: ServiceID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
}

extension BluetoothUUID {
  /// What the device receives, `[UInt8]`; written, with or without response.
  public static let nordicUARTReceive: BluetoothUUID = "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"
  /// What the device transmits, `[UInt8]`; notified.
  public static let nordicUARTTransmit: BluetoothUUID = "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"
}
