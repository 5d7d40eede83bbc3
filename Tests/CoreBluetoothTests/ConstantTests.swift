#if os(Linux)
  import CoreBluetooth
  import Testing

  /// The strings and numbers that programs spell out, store or compare. The strings are those that Apple's framework
  /// shows in logs and dictionaries, the numbers those of its headers.
  @Suite("Apple's constants")
  struct ConstantTests {
    @Test("the keys of advertisements are Apple's strings")
    func advertisementKeys() {
      #expect(CBAdvertisementDataLocalNameKey == "kCBAdvDataLocalName")
      #expect(CBAdvertisementDataTxPowerLevelKey == "kCBAdvDataTxPowerLevel")
      #expect(CBAdvertisementDataServiceUUIDsKey == "kCBAdvDataServiceUUIDs")
      #expect(CBAdvertisementDataServiceDataKey == "kCBAdvDataServiceData")
      #expect(CBAdvertisementDataManufacturerDataKey == "kCBAdvDataManufacturerData")
      #expect(CBAdvertisementDataOverflowServiceUUIDsKey == "kCBAdvDataHashedServiceUUIDs")
      #expect(CBAdvertisementDataIsConnectable == "kCBAdvDataIsConnectable")
      #expect(CBAdvertisementDataSolicitedServiceUUIDsKey == "kCBAdvDataSolicitedServiceUUIDs")
    }

    @Test("the keys of options are Apple's strings")
    func optionKeys() {
      #expect(CBCentralManagerOptionShowPowerAlertKey == "kCBInitOptionShowPowerAlert")
      #expect(CBCentralManagerOptionRestoreIdentifierKey == "kCBInitOptionRestoreIdentifier")
      #expect(CBCentralManagerOptionDeviceAccessForMedia == "kCBInitOptionDeviceAccessForMedia")
      #expect(CBPeripheralManagerOptionShowPowerAlertKey == "kCBInitOptionShowPowerAlert")
      #expect(CBPeripheralManagerOptionRestoreIdentifierKey == "kCBInitOptionRestoreIdentifier")
      #expect(CBCentralManagerScanOptionAllowDuplicatesKey == "kCBScanOptionAllowDuplicates")
      #expect(CBCentralManagerScanOptionSolicitedServiceUUIDsKey == "kCBScanOptionSolicitedServiceUUIDs")
      #expect(CBConnectPeripheralOptionNotifyOnConnectionKey == "kCBConnectOptionNotifyOnConnection")
      #expect(CBConnectPeripheralOptionNotifyOnDisconnectionKey == "kCBConnectOptionNotifyOnDisconnection")
      #expect(CBConnectPeripheralOptionNotifyOnNotificationKey == "kCBConnectOptionNotifyOnNotification")
      #expect(CBConnectPeripheralOptionStartDelayKey == "kCBConnectOptionStartDelay")
      #expect(CBConnectPeripheralOptionEnableTransportBridgingKey == "kCBConnectOptionEnableTransportBridging")
      #expect(CBConnectPeripheralOptionRequiresANCS == "kCBConnectOptionRequiresANCS")
      #expect(CBConnectPeripheralOptionEnableAutoReconnect == "kCBConnectOptionAutoReconnect")
    }

    @Test("the keys of what is restored are Apple's strings")
    func restorationKeys() {
      #expect(CBCentralManagerRestoredStatePeripheralsKey == "kCBRestoredPeripherals")
      #expect(CBCentralManagerRestoredStateScanServicesKey == "kCBRestoredScanServices")
      #expect(CBCentralManagerRestoredStateScanOptionsKey == "kCBRestoredScanOptions")
      #expect(CBPeripheralManagerRestoredStateServicesKey == "kCBRestoredServices")
      #expect(CBPeripheralManagerRestoredStateAdvertisementDataKey == "kCBRestoredAdvertisement")
    }

    @Test("the options of connection events have Apple's names, and any other name can be asked for")
    func connectionEventOptions() {
      #expect(CBConnectionEventMatchingOption.serviceUUIDs.rawValue == "kCBConnectionEventMatchingOptionServiceUUIDs")
      let peripherals = CBConnectionEventMatchingOption(rawValue: "kCBConnectionEventMatchingOptionPeripheralUUIDs")
      #expect(CBConnectionEventMatchingOption.peripheralUUIDs == peripherals)
      #expect(CBConnectionEvent.peerDisconnected.rawValue == 0)
      #expect(CBConnectionEvent.peerConnected.rawValue == 1)
      #expect(CBConnectionEvent(rawValue: 2) == nil)
    }

    @Test("the UUIDs of descriptors are the SIG's, that of the channel's PSM is Apple's")
    func uuids() {
      #expect(CBUUIDCharacteristicExtendedPropertiesString == "2900")
      #expect(CBUUIDCharacteristicUserDescriptionString == "2901")
      #expect(CBUUIDClientCharacteristicConfigurationString == "2902")
      #expect(CBUUIDServerCharacteristicConfigurationString == "2903")
      #expect(CBUUIDCharacteristicFormatString == "2904")
      #expect(CBUUIDCharacteristicAggregateFormatString == "2905")
      #expect(CBUUIDCharacteristicValidRangeString == "2906")
      #expect(CBUUIDCharacteristicObservationScheduleString == "2910")
      #expect(CBUUIDL2CAPPSMCharacteristicString == "ABDD3056-28FA-441D-A470-55A75A52553A")
      #expect(CBUUID(string: CBUUIDL2CAPPSMCharacteristicString).data.count == 16)
    }

    @Test("the numbers of states are Apple's")
    func states() {
      let states: [CBManagerState] = [.unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn]
      #expect(states.map(\.rawValue) == Array(0...5))
      #expect(CBManagerState(rawValue: 6) == nil)
      #expect(former.centralStates == Array(0...5))
      let authorizations: [CBManagerAuthorization] = [.notDetermined, .restricted, .denied, .allowedAlways]
      #expect(authorizations.map(\.rawValue) == Array(0...3))
      let peripheral: [CBPeripheralState] = [.disconnected, .connecting, .connected, .disconnecting]
      #expect(peripheral.map(\.rawValue) == Array(0...3))
      #expect([CBCharacteristicWriteType.withResponse, .withoutResponse].map(\.rawValue) == [0, 1])
    }

    @Test("the bits of option sets are Apple's")
    func options() {
      let properties: [CBCharacteristicProperties] = [
        .broadcast, .read, .writeWithoutResponse, .write, .notify, .indicate, .authenticatedSignedWrites,
        .extendedProperties, .notifyEncryptionRequired, .indicateEncryptionRequired,
      ]
      #expect(properties.map(\.rawValue) == (0..<10).map { 1 << $0 })
      #expect(CBCharacteristicProperties(rawValue: 0x0A) == [.read, .write])
      let permissions: [CBAttributePermissions] = [
        .readable, .writeable, .readEncryptionRequired, .writeEncryptionRequired,
      ]
      #expect(permissions.map(\.rawValue) == [1, 2, 4, 8])
      #expect(CBAttributePermissions(rawValue: 3) == [.readable, .writeable])
      #expect(CBCentralManager.Feature.extendedScanAndConnect.rawValue == 1)
      #expect(CBCentralManager.Feature(rawValue: 1).contains(.extendedScanAndConnect))
    }
  }
#endif
