/// What an AD structure holds (Assigned Numbers, 2.3): an open set.
public struct ADType: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: UInt8

  /// A type from its number.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }
}

extension ADType {
  /// 0x01: what the device can do and whether it is discoverable.
  public static let flags = ADType(rawValue: 0x01)
  /// 0x02: some of the services with 16-bit UUIDs.
  public static let incompleteServiceUUIDs16 = ADType(rawValue: 0x02)
  /// 0x03: all services with 16-bit UUIDs.
  public static let completeServiceUUIDs16 = ADType(rawValue: 0x03)
  /// 0x04: some of the services with 32-bit UUIDs.
  public static let incompleteServiceUUIDs32 = ADType(rawValue: 0x04)
  /// 0x05: all services with 32-bit UUIDs.
  public static let completeServiceUUIDs32 = ADType(rawValue: 0x05)
  /// 0x06: some of the services with 128-bit UUIDs.
  public static let incompleteServiceUUIDs128 = ADType(rawValue: 0x06)
  /// 0x07: all services with 128-bit UUIDs.
  public static let completeServiceUUIDs128 = ADType(rawValue: 0x07)
  /// 0x08: the start of the device's name.
  public static let shortenedLocalName = ADType(rawValue: 0x08)
  /// 0x09: the device's whole name.
  public static let completeLocalName = ADType(rawValue: 0x09)
  /// 0x0A: the power with which the packet was sent.
  public static let txPowerLevel = ADType(rawValue: 0x0A)
  /// 0x0D: what kind of device it is, for BR/EDR.
  public static let classOfDevice = ADType(rawValue: 0x0D)
  /// 0x0E: out-of-band pairing, for BR/EDR.
  public static let simplePairingHashC192 = ADType(rawValue: 0x0E)
  /// 0x0F: out-of-band pairing, for BR/EDR.
  public static let simplePairingRandomizerR192 = ADType(rawValue: 0x0F)
  /// 0x10: the temporary key, out of band only; in an inquiry response the device id.
  public static let securityManagerTKValue = ADType(rawValue: 0x10)
  /// 0x11: what is known out of band.
  public static let securityManagerOutOfBandFlags = ADType(rawValue: 0x11)
  /// 0x12: the connection intervals that the peripheral prefers.
  public static let peripheralConnectionIntervalRange = ADType(rawValue: 0x12)
  /// 0x14: services with 16-bit UUIDs that the device looks for.
  public static let solicitedServiceUUIDs16 = ADType(rawValue: 0x14)
  /// 0x15: services with 128-bit UUIDs that the device looks for.
  public static let solicitedServiceUUIDs128 = ADType(rawValue: 0x15)
  /// 0x16: data of a service with a 16-bit UUID.
  public static let serviceData16 = ADType(rawValue: 0x16)
  /// 0x17: the public addresses of those for whom it is meant.
  public static let publicTargetAddress = ADType(rawValue: 0x17)
  /// 0x18: the random addresses of those for whom it is meant.
  public static let randomTargetAddress = ADType(rawValue: 0x18)
  /// 0x19: what the device looks like.
  public static let appearance = ADType(rawValue: 0x19)
  /// 0x1A: the interval of the advertising, two bytes.
  public static let advertisingInterval = ADType(rawValue: 0x1A)
  /// 0x1B: the device's address and its type, out of band only.
  public static let leDeviceAddress = ADType(rawValue: 0x1B)
  /// 0x1C: which roles the device can and likes to take.
  public static let leRole = ADType(rawValue: 0x1C)
  /// 0x1D: out-of-band pairing, for BR/EDR.
  public static let simplePairingHashC256 = ADType(rawValue: 0x1D)
  /// 0x1E: out-of-band pairing, for BR/EDR.
  public static let simplePairingRandomizerR256 = ADType(rawValue: 0x1E)
  /// 0x1F: services with 32-bit UUIDs that the device looks for.
  public static let solicitedServiceUUIDs32 = ADType(rawValue: 0x1F)
  /// 0x20: data of a service with a 32-bit UUID.
  public static let serviceData32 = ADType(rawValue: 0x20)
  /// 0x21: data of a service with a 128-bit UUID.
  public static let serviceData128 = ADType(rawValue: 0x21)
  /// 0x22: out-of-band pairing.
  public static let leSecureConnectionsConfirmationValue = ADType(rawValue: 0x22)
  /// 0x23: out-of-band pairing.
  public static let leSecureConnectionsRandomValue = ADType(rawValue: 0x23)
  /// 0x24: an address on the web or elsewhere.
  public static let uri = ADType(rawValue: 0x24)
  /// 0x25: where the device stands.
  public static let indoorPositioning = ADType(rawValue: 0x25)
  /// 0x26: services on other transports.
  public static let transportDiscoveryData = ADType(rawValue: 0x26)
  /// 0x27: the features of the device's link layer.
  public static let leSupportedFeatures = ADType(rawValue: 0x27)
  /// 0x28: a new channel map of a periodic advertisement.
  public static let channelMapUpdateIndication = ADType(rawValue: 0x28)
  /// 0x29: mesh provisioning.
  public static let pbADV = ADType(rawValue: 0x29)
  /// 0x2A: a packet of a mesh network.
  public static let meshMessage = ADType(rawValue: 0x2A)
  /// 0x2B: a beacon of a mesh network or of a device that waits for provisioning.
  public static let meshBeacon = ADType(rawValue: 0x2B)
  /// 0x2C: how to follow an isochronous broadcast.
  public static let bigInfo = ADType(rawValue: 0x2C)
  /// 0x2D: the key of an isochronous broadcast, out of band only.
  public static let broadcastCode = ADType(rawValue: 0x2D)
  /// 0x2E: which coordinated set the device belongs to.
  public static let resolvableSetIdentifier = ADType(rawValue: 0x2E)
  /// 0x2F: the interval of the advertising, three or four bytes.
  public static let advertisingIntervalLong = ADType(rawValue: 0x2F)
  /// 0x30: the name of a broadcast.
  public static let broadcastName = ADType(rawValue: 0x30)
  /// 0x31: AD structures for those who hold the key.
  public static let encryptedAdvertisingData = ADType(rawValue: 0x31)
  /// 0x32: when to answer a periodic advertisement.
  public static let periodicAdvertisingResponseTimingInformation = ADType(rawValue: 0x32)
  /// 0x34: synchronization packets for shelf labels.
  public static let electronicShelfLabel = ADType(rawValue: 0x34)
  /// 0x3D: synchronization of 3D glasses.
  public static let information3D = ADType(rawValue: 0x3D)
  /// 0xFF: data under a company's number.
  public static let manufacturerSpecificData = ADType(rawValue: 0xFF)
}

extension ADType: CustomStringConvertible {
  /// The name that the SIG gives the type, such as `Complete local name`; never empty.
  public var name: String {
    switch rawValue {
    case 0x01: "Flags"
    case 0x02: "Incomplete list of 16-bit service UUIDs"
    case 0x03: "Complete list of 16-bit service UUIDs"
    case 0x04: "Incomplete list of 32-bit service UUIDs"
    case 0x05: "Complete list of 32-bit service UUIDs"
    case 0x06: "Incomplete list of 128-bit service UUIDs"
    case 0x07: "Complete list of 128-bit service UUIDs"
    case 0x08: "Shortened local name"
    case 0x09: "Complete local name"
    case 0x0A: "Tx power level"
    case 0x0D: "Class of device"
    case 0x0E: "Simple pairing hash C-192"
    case 0x0F: "Simple pairing randomizer R-192"
    case 0x10: "Security Manager TK value"
    case 0x11: "Security Manager out-of-band flags"
    case 0x12: "Peripheral connection interval range"
    case 0x14: "List of 16-bit service solicitation UUIDs"
    case 0x15: "List of 128-bit service solicitation UUIDs"
    case 0x16: "Service data - 16-bit UUID"
    case 0x17: "Public target address"
    case 0x18: "Random target address"
    case 0x19: "Appearance"
    case 0x1A: "Advertising interval"
    case 0x1B: "LE Bluetooth device address"
    case 0x1C: "LE role"
    case 0x1D: "Simple pairing hash C-256"
    case 0x1E: "Simple pairing randomizer R-256"
    case 0x1F: "List of 32-bit service solicitation UUIDs"
    case 0x20: "Service data - 32-bit UUID"
    case 0x21: "Service data - 128-bit UUID"
    case 0x22: "LE Secure Connections confirmation value"
    case 0x23: "LE Secure Connections random value"
    case 0x24: "URI"
    case 0x25: "Indoor positioning"
    case 0x26: "Transport discovery data"
    case 0x27: "LE supported features"
    case 0x28: "Channel map update indication"
    case 0x29: "PB-ADV"
    case 0x2A: "Mesh message"
    case 0x2B: "Mesh beacon"
    case 0x2C: "BIGInfo"
    case 0x2D: "Broadcast_Code"
    case 0x2E: "Resolvable set identifier"
    case 0x2F: "Advertising interval - long"
    case 0x30: "Broadcast_Name"
    case 0x31: "Encrypted advertising data"
    case 0x32: "Periodic advertising response timing information"
    case 0x34: "Electronic shelf label"
    case 0x3D: "3D information data"
    case 0xFF: "Manufacturer specific data"
    default: "Unknown AD type"
    }
  }

  /// The name and the number, such as `Flags (0x01)`.
  public var description: String { "\(name) (0x\(hexadecimal(rawValue, digits: 2)))" }
}
