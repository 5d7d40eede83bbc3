#if os(Linux)
  import CoreBluetooth

  // What Apple has marked as deprecated, reached so that no warning comes of it: a requirement is not deprecated itself.

  protocol FormerManager { var authorization: CBManagerAuthorization { get } }
  extension CBManager: FormerManager {}

  protocol FormerPeripheral { var rssi: NSNumber? { get } }
  extension CBPeripheral: FormerPeripheral {}
  extension FormerPeripheral { var formerStrength: NSNumber? { rssi } }

  protocol FormerCharacteristic { var isBroadcasted: Bool { get } }
  extension CBCharacteristic: FormerCharacteristic {}

  protocol FormerUUID { static func make(_ uuid: CFUUID) -> CBUUID }
  extension CBUUID: FormerUUID {
    @available(*, deprecated) static func make(_ uuid: CFUUID) -> CBUUID { CBUUID(cfuuid: uuid) }
  }

  protocol FormerStates { static var centralStates: [Int] { get } }
  enum Former: FormerStates {
    @available(*, deprecated) static var centralStates: [Int] {
      let states: [CBCentralManagerState] = [
        .unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn,
      ]
      return states.map(\.rawValue)
    }
  }

  /// As a protocol's type, so that the requirement is what is used.
  var former: any FormerStates.Type { Former.self }
  var formerUUID: any FormerUUID.Type { CBUUID.self }
#endif
