// Core Specification Supplement 11, Part A, says how each of them looks.
extension ADStructure {
  /// Whether and how the device can be discovered.
  public static func flags(_ flags: AdvertisingFlags) -> ADStructure { ADStructure(.flags, [flags.rawValue]) }

  /// The device's whole name.
  public static func completeLocalName(_ name: String) -> ADStructure {
    ADStructure(.completeLocalName, Array(name.utf8))
  }

  /// The start of the device's name.
  public static func shortenedLocalName(_ name: String) -> ADStructure {
    ADStructure(.shortenedLocalName, Array(name.utf8))
  }

  /// The device's name: whole if the structure then takes no more than `count` bytes, else shortened to as many whole
  /// characters as fit.
  public static func localName(_ name: String, fitting count: Int) -> ADStructure {
    let room = max(0, count &- 2)
    guard name.utf8.count > room else { return completeLocalName(name) }
    var start = ""
    var size = 0
    for character in name {
      size &+= character.utf8.count
      guard size <= room else { break }
      start.append(character)
    }
    return shortenedLocalName(start)
  }

  /// A list of services, each UUID as long as the longest one needs; ``serviceLists(_:complete:)`` saves room where
  /// short and long ones are mixed.
  ///
  /// - Parameter complete: Whether these are all the services with UUIDs of that length.
  public static func serviceUUIDs(_ uuids: [BluetoothUUID], complete: Bool = true) -> ADStructure {
    switch uuids.map(\.shortestByteCount).max() ?? 2 {
    case 2: list(uuids, 2, complete ? .completeServiceUUIDs16 : .incompleteServiceUUIDs16)
    case 4: list(uuids, 4, complete ? .completeServiceUUIDs32 : .incompleteServiceUUIDs32)
    default: list(uuids, 16, complete ? .completeServiceUUIDs128 : .incompleteServiceUUIDs128)
    }
  }

  /// A list of services; see ``serviceUUIDs(_:complete:)``.
  public static func services(_ services: [ServiceID], complete: Bool = true) -> ADStructure {
    serviceUUIDs(services.map(\.uuid), complete: complete)
  }

  /// Services in up to three lists, one for each length of UUID.
  public static func serviceLists(_ uuids: [BluetoothUUID], complete: Bool = true) -> [ADStructure] {
    [2, 4, 16].compactMap { size in
      let those = uuids.filter { $0.shortestByteCount == size }
      return those.isEmpty ? nil : serviceUUIDs(those, complete: complete)
    }
  }

  /// Services that the device looks for, each UUID as long as the longest one needs.
  public static func solicitedServiceUUIDs(_ uuids: [BluetoothUUID]) -> ADStructure {
    switch uuids.map(\.shortestByteCount).max() ?? 2 {
    case 2: list(uuids, 2, .solicitedServiceUUIDs16)
    case 4: list(uuids, 4, .solicitedServiceUUIDs32)
    default: list(uuids, 16, .solicitedServiceUUIDs128)
    }
  }

  /// Data of a service.
  public static func serviceData(_ uuid: BluetoothUUID, _ data: [UInt8]) -> ADStructure {
    let size = uuid.shortestByteCount
    let type: ADType =
      switch size {
      case 2: .serviceData16
      case 4: .serviceData32
      default: .serviceData128
      }
    return make(type) { writer in
      uuid.write(to: &writer, byteCount: size)
      writer.write(data)
    }
  }

  /// Data whose meaning a company defines.
  public static func manufacturerData(_ company: CompanyID, _ data: [UInt8]) -> ADStructure {
    make(.manufacturerSpecificData) { writer in
      writer.write(company.rawValue)
      writer.write(data)
    }
  }

  /// The power with which the packet is sent, in dBm.
  public static func txPowerLevel(_ level: Int8) -> ADStructure { make(.txPowerLevel) { $0.write(level) } }

  /// What the device looks like.
  public static func appearance(_ appearance: Appearance) -> ADStructure { ADStructure(.appearance, appearance.bytes) }

  /// The connection intervals that the peripheral prefers.
  public static func connectionIntervalRange(_ range: ConnectionIntervalRange) -> ADStructure {
    ADStructure(.peripheralConnectionIntervalRange, range.bytes)
  }

  /// Which roles the device takes.
  public static func leRole(_ role: LERole) -> ADStructure { ADStructure(.leRole, [role.rawValue]) }

  /// The public addresses of those for whom the advertisement is meant.
  public static func publicTargetAddresses(_ addresses: [BluetoothAddress]) -> ADStructure {
    make(.publicTargetAddress) { writer in addresses.forEach { $0.write(to: &writer) } }
  }

  /// The random addresses of those for whom the advertisement is meant.
  public static func randomTargetAddresses(_ addresses: [BluetoothAddress]) -> ADStructure {
    make(.randomTargetAddress) { writer in addresses.forEach { $0.write(to: &writer) } }
  }

  /// The device's own address, to be told out of band.
  public static func deviceAddress(_ address: BluetoothAddress) -> ADStructure {
    make(.leDeviceAddress) { writer in
      address.write(to: &writer)
      writer.write(address.kind == .random || address.kind == .randomIdentity)
    }
  }

  /// The interval at which the device advertises, in units of 0.625 ms: in the short form if it fits, else the long one.
  public static func advertisingInterval(units: UInt32) -> ADStructure {
    switch units {
    case ...0xFFFF: make(.advertisingInterval) { $0.writeInteger(units, byteCount: 2) }
    case ...0xFF_FFFF: make(.advertisingIntervalLong) { $0.writeInteger(units, byteCount: 3) }
    default: make(.advertisingIntervalLong) { $0.write(units) }
    }
  }

  /// An address on the web or elsewhere; a usual scheme such as `https:` takes one byte.
  public static func uri(_ uri: String) -> ADStructure { ADStructure(.uri, AdvertisedURI.shorten(uri)) }

  /// The features of the device's link layer, without the zero bytes at the end.
  public static func leSupportedFeatures(_ features: UInt64) -> ADStructure {
    let count = max(1, (64 &- features.leadingZeroBitCount &+ 7) / 8)
    return make(.leSupportedFeatures) { $0.writeInteger(features, byteCount: count) }
  }

  /// The name of a broadcast.
  public static func broadcastName(_ name: String) -> ADStructure { ADStructure(.broadcastName, Array(name.utf8)) }

  private static func list(_ uuids: [BluetoothUUID], _ size: Int, _ type: ADType) -> ADStructure {
    make(type) { writer in uuids.forEach { $0.write(to: &writer, byteCount: size) } }
  }

  private static func make(_ type: ADType, _ write: (inout ByteWriter) -> Void) -> ADStructure {
    var writer = ByteWriter()
    write(&writer)
    return ADStructure(type, writer.bytes)
  }
}
