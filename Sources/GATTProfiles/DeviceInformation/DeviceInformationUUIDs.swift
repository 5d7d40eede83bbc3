import BluetoothTypes

// Device Information Service 1.2, 3. The strings are UTF-8 and have no value type but `String`.
extension BluetoothUUID {
  /// 0x2A23: ``SystemID``.
  public static let systemID = BluetoothUUID(UInt16(0x2A23))
  /// 0x2A24: the model, a `String`.
  public static let modelNumberString = BluetoothUUID(UInt16(0x2A24))
  /// 0x2A25: the serial number, a `String`.
  public static let serialNumberString = BluetoothUUID(UInt16(0x2A25))
  /// 0x2A26: the version of the firmware, a `String`.
  public static let firmwareRevisionString = BluetoothUUID(UInt16(0x2A26))
  /// 0x2A27: the version of the hardware, a `String`.
  public static let hardwareRevisionString = BluetoothUUID(UInt16(0x2A27))
  /// 0x2A28: the version of the software, a `String`.
  public static let softwareRevisionString = BluetoothUUID(UInt16(0x2A28))
  /// 0x2A29: the maker, a `String`.
  public static let manufacturerNameString = BluetoothUUID(UInt16(0x2A29))
  /// 0x2A2A: ``RegulatoryCertificationData``.
  public static let regulatoryCertificationDataList = BluetoothUUID(UInt16(0x2A2A))
  /// 0x2A50: ``PnPID``.
  public static let pnpID = BluetoothUUID(UInt16(0x2A50))
}
