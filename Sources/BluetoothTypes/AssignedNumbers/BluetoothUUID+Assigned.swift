// Declarations: Assigned Numbers, 3.5; Core 5.4, Vol 3, Part G, 3.1 to 3.3.
extension BluetoothUUID {
  /// 0x2800: Primary Service declaration.
  public static let primaryService = BluetoothUUID(UInt16(0x2800))
  /// 0x2801: Secondary Service declaration.
  public static let secondaryService = BluetoothUUID(UInt16(0x2801))
  /// 0x2802: Include declaration.
  public static let include = BluetoothUUID(UInt16(0x2802))
  /// 0x2803: Characteristic declaration.
  public static let characteristic = BluetoothUUID(UInt16(0x2803))
}

// Descriptors: Assigned Numbers, 3.7; the first six in Core 5.4, Vol 3, Part G, 3.3.3.
extension BluetoothUUID {
  /// 0x2900: Characteristic Extended Properties.
  public static let characteristicExtendedProperties = BluetoothUUID(UInt16(0x2900))
  /// 0x2901: Characteristic User Description.
  public static let characteristicUserDescription = BluetoothUUID(UInt16(0x2901))
  /// 0x2902: Client Characteristic Configuration.
  public static let clientCharacteristicConfiguration = BluetoothUUID(UInt16(0x2902))
  /// 0x2903: Server Characteristic Configuration.
  public static let serverCharacteristicConfiguration = BluetoothUUID(UInt16(0x2903))
  /// 0x2904: Characteristic Presentation Format.
  public static let characteristicPresentationFormat = BluetoothUUID(UInt16(0x2904))
  /// 0x2905: Characteristic Aggregate Format.
  public static let characteristicAggregateFormat = BluetoothUUID(UInt16(0x2905))
  /// 0x2906: Valid Range.
  public static let validRange = BluetoothUUID(UInt16(0x2906))
  /// 0x2907: External Report Reference.
  public static let externalReportReference = BluetoothUUID(UInt16(0x2907))
  /// 0x2908: Report Reference.
  public static let reportReference = BluetoothUUID(UInt16(0x2908))
  /// 0x2909: Number of Digitals.
  public static let numberOfDigitals = BluetoothUUID(UInt16(0x2909))
  /// 0x290A: Value Trigger Setting.
  public static let valueTriggerSetting = BluetoothUUID(UInt16(0x290A))
  /// 0x290B: Environmental Sensing Configuration.
  public static let environmentalSensingConfiguration = BluetoothUUID(UInt16(0x290B))
  /// 0x290C: Environmental Sensing Measurement.
  public static let environmentalSensingMeasurement = BluetoothUUID(UInt16(0x290C))
  /// 0x290D: Environmental Sensing Trigger Setting.
  public static let environmentalSensingTriggerSetting = BluetoothUUID(UInt16(0x290D))
  /// 0x290E: Time Trigger Setting.
  public static let timeTriggerSetting = BluetoothUUID(UInt16(0x290E))
  /// 0x290F: Complete BR-EDR Transport Block Data.
  public static let completeBREDRTransportBlockData = BluetoothUUID(UInt16(0x290F))
  /// 0x2910: Observation Schedule.
  public static let observationSchedule = BluetoothUUID(UInt16(0x2910))
  /// 0x2911: Valid Range and Accuracy.
  public static let validRangeAndAccuracy = BluetoothUUID(UInt16(0x2911))
  /// 0x2912: Measurement Description.
  public static let measurementDescription = BluetoothUUID(UInt16(0x2912))
  /// 0x2913: Manufacturer Limits.
  public static let manufacturerLimits = BluetoothUUID(UInt16(0x2913))
  /// 0x2914: Process Tolerances.
  public static let processTolerances = BluetoothUUID(UInt16(0x2914))
  /// 0x2915: IMD Trigger Setting.
  public static let imdTriggerSetting = BluetoothUUID(UInt16(0x2915))
  /// 0x2916: Cooking Sensor Info.
  public static let cookingSensorInfo = BluetoothUUID(UInt16(0x2916))
  /// 0x2917: Cooking Trigger Setting.
  public static let cookingTriggerSetting = BluetoothUUID(UInt16(0x2917))
}

// Characteristics of the Generic Access service: Core 5.4, Vol 3, Part C, 12.
extension BluetoothUUID {
  /// 0x2A00: Device Name.
  public static let deviceName = BluetoothUUID(UInt16(0x2A00))
  /// 0x2A01: Appearance.
  public static let appearance = BluetoothUUID(UInt16(0x2A01))
  /// 0x2A02: Peripheral Privacy Flag.
  public static let peripheralPrivacyFlag = BluetoothUUID(UInt16(0x2A02))
  /// 0x2A03: Reconnection Address.
  public static let reconnectionAddress = BluetoothUUID(UInt16(0x2A03))
  /// 0x2A04: Peripheral Preferred Connection Parameters.
  public static let peripheralPreferredConnectionParameters = BluetoothUUID(UInt16(0x2A04))
  /// 0x2AA6: Central Address Resolution.
  public static let centralAddressResolution = BluetoothUUID(UInt16(0x2AA6))
  /// 0x2AC9: Resolvable Private Address Only.
  public static let resolvablePrivateAddressOnly = BluetoothUUID(UInt16(0x2AC9))
  /// 0x2BF5: LE GATT Security Levels.
  public static let leGATTSecurityLevels = BluetoothUUID(UInt16(0x2BF5))
}

// Characteristics of the Generic Attribute service: Core 5.4, Vol 3, Part G, 7.
extension BluetoothUUID {
  /// 0x2A05: Service Changed.
  public static let serviceChanged = BluetoothUUID(UInt16(0x2A05))
  /// 0x2B29: Client Supported Features.
  public static let clientSupportedFeatures = BluetoothUUID(UInt16(0x2B29))
  /// 0x2B2A: Database Hash.
  public static let databaseHash = BluetoothUUID(UInt16(0x2B2A))
  /// 0x2B3A: Server Supported Features.
  public static let serverSupportedFeatures = BluetoothUUID(UInt16(0x2B3A))
}
