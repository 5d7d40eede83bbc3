// Assigned Numbers, 3.4.1.
extension ServiceID {
  /// 0x1800: Generic Access.
  public static let genericAccess = ServiceID(BluetoothUUID(UInt16(0x1800)))
  /// 0x1801: Generic Attribute.
  public static let genericAttribute = ServiceID(BluetoothUUID(UInt16(0x1801)))
  /// 0x1802: Immediate Alert.
  public static let immediateAlert = ServiceID(BluetoothUUID(UInt16(0x1802)))
  /// 0x1803: Link Loss.
  public static let linkLoss = ServiceID(BluetoothUUID(UInt16(0x1803)))
  /// 0x1804: Tx Power.
  public static let txPower = ServiceID(BluetoothUUID(UInt16(0x1804)))
  /// 0x1805: Current Time.
  public static let currentTime = ServiceID(BluetoothUUID(UInt16(0x1805)))
  /// 0x1806: Reference Time Update.
  public static let referenceTimeUpdate = ServiceID(BluetoothUUID(UInt16(0x1806)))
  /// 0x1807: Next DST Change.
  public static let nextDSTChange = ServiceID(BluetoothUUID(UInt16(0x1807)))
  /// 0x1808: Glucose.
  public static let glucose = ServiceID(BluetoothUUID(UInt16(0x1808)))
  /// 0x1809: Health Thermometer.
  public static let healthThermometer = ServiceID(BluetoothUUID(UInt16(0x1809)))
  /// 0x180A: Device Information.
  public static let deviceInformation = ServiceID(BluetoothUUID(UInt16(0x180A)))
  /// 0x180D: Heart Rate.
  public static let heartRate = ServiceID(BluetoothUUID(UInt16(0x180D)))
  /// 0x180E: Phone Alert Status.
  public static let phoneAlertStatus = ServiceID(BluetoothUUID(UInt16(0x180E)))
  /// 0x180F: Battery.
  public static let battery = ServiceID(BluetoothUUID(UInt16(0x180F)))
  /// 0x1810: Blood Pressure.
  public static let bloodPressure = ServiceID(BluetoothUUID(UInt16(0x1810)))
  /// 0x1811: Alert Notification.
  public static let alertNotification = ServiceID(BluetoothUUID(UInt16(0x1811)))
  /// 0x1812: Human Interface Device.
  public static let humanInterfaceDevice = ServiceID(BluetoothUUID(UInt16(0x1812)))
  /// 0x1813: Scan Parameters.
  public static let scanParameters = ServiceID(BluetoothUUID(UInt16(0x1813)))
  /// 0x1814: Running Speed and Cadence.
  public static let runningSpeedAndCadence = ServiceID(BluetoothUUID(UInt16(0x1814)))
  /// 0x1815: Automation IO.
  public static let automationIO = ServiceID(BluetoothUUID(UInt16(0x1815)))
  /// 0x1816: Cycling Speed and Cadence.
  public static let cyclingSpeedAndCadence = ServiceID(BluetoothUUID(UInt16(0x1816)))
  /// 0x1818: Cycling Power.
  public static let cyclingPower = ServiceID(BluetoothUUID(UInt16(0x1818)))
  /// 0x1819: Location and Navigation.
  public static let locationAndNavigation = ServiceID(BluetoothUUID(UInt16(0x1819)))
  /// 0x181A: Environmental Sensing.
  public static let environmentalSensing = ServiceID(BluetoothUUID(UInt16(0x181A)))
  /// 0x181B: Body Composition.
  public static let bodyComposition = ServiceID(BluetoothUUID(UInt16(0x181B)))
  /// 0x181C: User Data.
  public static let userData = ServiceID(BluetoothUUID(UInt16(0x181C)))
  /// 0x181D: Weight Scale.
  public static let weightScale = ServiceID(BluetoothUUID(UInt16(0x181D)))
  /// 0x181E: Bond Management.
  public static let bondManagement = ServiceID(BluetoothUUID(UInt16(0x181E)))
  /// 0x181F: Continuous Glucose Monitoring.
  public static let continuousGlucoseMonitoring = ServiceID(BluetoothUUID(UInt16(0x181F)))
  /// 0x1820: Internet Protocol Support.
  public static let internetProtocolSupport = ServiceID(BluetoothUUID(UInt16(0x1820)))
  /// 0x1821: Indoor Positioning.
  public static let indoorPositioning = ServiceID(BluetoothUUID(UInt16(0x1821)))
  /// 0x1822: Pulse Oximeter.
  public static let pulseOximeter = ServiceID(BluetoothUUID(UInt16(0x1822)))
  /// 0x1823: HTTP Proxy.
  public static let httpProxy = ServiceID(BluetoothUUID(UInt16(0x1823)))
  /// 0x1824: Transport Discovery.
  public static let transportDiscovery = ServiceID(BluetoothUUID(UInt16(0x1824)))
  /// 0x1825: Object Transfer.
  public static let objectTransfer = ServiceID(BluetoothUUID(UInt16(0x1825)))
  /// 0x1826: Fitness Machine.
  public static let fitnessMachine = ServiceID(BluetoothUUID(UInt16(0x1826)))
  /// 0x1827: Mesh Provisioning.
  public static let meshProvisioning = ServiceID(BluetoothUUID(UInt16(0x1827)))
  /// 0x1828: Mesh Proxy.
  public static let meshProxy = ServiceID(BluetoothUUID(UInt16(0x1828)))
  /// 0x1829: Reconnection Configuration.
  public static let reconnectionConfiguration = ServiceID(BluetoothUUID(UInt16(0x1829)))
  /// 0x183A: Insulin Delivery.
  public static let insulinDelivery = ServiceID(BluetoothUUID(UInt16(0x183A)))
  /// 0x183B: Binary Sensor.
  public static let binarySensor = ServiceID(BluetoothUUID(UInt16(0x183B)))
  /// 0x183C: Emergency Configuration.
  public static let emergencyConfiguration = ServiceID(BluetoothUUID(UInt16(0x183C)))
  /// 0x183D: Authorization Control.
  public static let authorizationControl = ServiceID(BluetoothUUID(UInt16(0x183D)))
  /// 0x183E: Physical Activity Monitor.
  public static let physicalActivityMonitor = ServiceID(BluetoothUUID(UInt16(0x183E)))
  /// 0x183F: Elapsed Time.
  public static let elapsedTime = ServiceID(BluetoothUUID(UInt16(0x183F)))
  /// 0x1840: Generic Health Sensor.
  public static let genericHealthSensor = ServiceID(BluetoothUUID(UInt16(0x1840)))
  /// 0x1843: Audio Input Control.
  public static let audioInputControl = ServiceID(BluetoothUUID(UInt16(0x1843)))
  /// 0x1844: Volume Control.
  public static let volumeControl = ServiceID(BluetoothUUID(UInt16(0x1844)))
  /// 0x1845: Volume Offset Control.
  public static let volumeOffsetControl = ServiceID(BluetoothUUID(UInt16(0x1845)))
  /// 0x1846: Coordinated Set Identification.
  public static let coordinatedSetIdentification = ServiceID(BluetoothUUID(UInt16(0x1846)))
  /// 0x1847: Device Time.
  public static let deviceTime = ServiceID(BluetoothUUID(UInt16(0x1847)))
  /// 0x1848: Media Control.
  public static let mediaControl = ServiceID(BluetoothUUID(UInt16(0x1848)))
  /// 0x1849: Generic Media Control.
  public static let genericMediaControl = ServiceID(BluetoothUUID(UInt16(0x1849)))
  /// 0x184A: Constant Tone Extension.
  public static let constantToneExtension = ServiceID(BluetoothUUID(UInt16(0x184A)))
  /// 0x184B: Telephone Bearer.
  public static let telephoneBearer = ServiceID(BluetoothUUID(UInt16(0x184B)))
  /// 0x184C: Generic Telephone Bearer.
  public static let genericTelephoneBearer = ServiceID(BluetoothUUID(UInt16(0x184C)))
  /// 0x184D: Microphone Control.
  public static let microphoneControl = ServiceID(BluetoothUUID(UInt16(0x184D)))
  /// 0x184E: Audio Stream Control.
  public static let audioStreamControl = ServiceID(BluetoothUUID(UInt16(0x184E)))
  /// 0x184F: Broadcast Audio Scan.
  public static let broadcastAudioScan = ServiceID(BluetoothUUID(UInt16(0x184F)))
  /// 0x1850: Published Audio Capabilities.
  public static let publishedAudioCapabilities = ServiceID(BluetoothUUID(UInt16(0x1850)))
  /// 0x1851: Basic Audio Announcement.
  public static let basicAudioAnnouncement = ServiceID(BluetoothUUID(UInt16(0x1851)))
  /// 0x1852: Broadcast Audio Announcement.
  public static let broadcastAudioAnnouncement = ServiceID(BluetoothUUID(UInt16(0x1852)))
  /// 0x1853: Common Audio.
  public static let commonAudio = ServiceID(BluetoothUUID(UInt16(0x1853)))
  /// 0x1854: Hearing Access.
  public static let hearingAccess = ServiceID(BluetoothUUID(UInt16(0x1854)))
  /// 0x1855: Telephony and Media Audio.
  public static let telephonyAndMediaAudio = ServiceID(BluetoothUUID(UInt16(0x1855)))
  /// 0x1856: Public Broadcast Announcement.
  public static let publicBroadcastAnnouncement = ServiceID(BluetoothUUID(UInt16(0x1856)))
  /// 0x1857: Electronic Shelf Label.
  public static let electronicShelfLabel = ServiceID(BluetoothUUID(UInt16(0x1857)))
  /// 0x1858: Gaming Audio.
  public static let gamingAudio = ServiceID(BluetoothUUID(UInt16(0x1858)))
  /// 0x1859: Mesh Proxy Solicitation.
  public static let meshProxySolicitation = ServiceID(BluetoothUUID(UInt16(0x1859)))
  /// 0x185A: Industrial Measurement Device.
  public static let industrialMeasurementDevice = ServiceID(BluetoothUUID(UInt16(0x185A)))
  /// 0x185B: Ranging.
  public static let ranging = ServiceID(BluetoothUUID(UInt16(0x185B)))
  /// 0x185C: HID ISO.
  public static let hidISO = ServiceID(BluetoothUUID(UInt16(0x185C)))
  /// 0x185D: Cookware.
  public static let cookware = ServiceID(BluetoothUUID(UInt16(0x185D)))
  /// 0x185E: Voice Assistant.
  public static let voiceAssistant = ServiceID(BluetoothUUID(UInt16(0x185E)))
  /// 0x185F: Generic Voice Assistant.
  public static let genericVoiceAssistant = ServiceID(BluetoothUUID(UInt16(0x185F)))
  /// 0x1860: Tire Pressure Monitoring System.
  public static let tirePressureMonitoringSystem = ServiceID(BluetoothUUID(UInt16(0x1860)))
}
