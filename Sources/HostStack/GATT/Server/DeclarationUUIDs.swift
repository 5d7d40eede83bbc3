import BluetoothTypes

extension BluetoothUUID {
  static let primaryServiceDeclaration = BluetoothUUID(UInt16(0x2800))
  static let secondaryServiceDeclaration = BluetoothUUID(UInt16(0x2801))
  static let includeDeclaration = BluetoothUUID(UInt16(0x2802))
  static let characteristicDeclaration = BluetoothUUID(UInt16(0x2803))
  static let extendedPropertiesDescriptor = BluetoothUUID(UInt16(0x2900))
  static let userDescriptionDescriptor = BluetoothUUID(UInt16(0x2901))
  static let genericAttribute = BluetoothUUID(UInt16(0x1801))
  static let clientConfigurationDescriptor = BluetoothUUID(UInt16(0x2902))
}
