// What is offered: services, their data, companies' data.
extension AdvertisingData {
  /// The services of the lists that are complete.
  public var completeServiceUUIDs: [BluetoothUUID] {
    uuids(in: [.completeServiceUUIDs16, .completeServiceUUIDs32, .completeServiceUUIDs128])
  }

  /// The services of the lists that name only some.
  public var incompleteServiceUUIDs: [BluetoothUUID] {
    uuids(in: [.incompleteServiceUUIDs16, .incompleteServiceUUIDs32, .incompleteServiceUUIDs128])
  }

  /// The services of all lists, each once, in the order in which they were sent.
  public var serviceUUIDs: [BluetoothUUID] {
    uuids(in: [
      .incompleteServiceUUIDs16, .completeServiceUUIDs16, .incompleteServiceUUIDs32, .completeServiceUUIDs32,
      .incompleteServiceUUIDs128, .completeServiceUUIDs128,
    ])
  }

  /// The services that the device looks for.
  public var solicitedServiceUUIDs: [BluetoothUUID] {
    uuids(in: [.solicitedServiceUUIDs16, .solicitedServiceUUIDs32, .solicitedServiceUUIDs128])
  }

  /// The data of services by their UUIDs; where one is told twice, the later one.
  public var serviceData: [BluetoothUUID: [UInt8]] {
    var result: [BluetoothUUID: [UInt8]] = [:]
    for structure in structures {
      guard let size = structure.type.serviceDataUUIDByteCount else { continue }
      var reader = ByteReader(structure.data)
      guard let uuid = try? BluetoothUUID(reading: &reader, byteCount: size) else { continue }
      result[uuid] = reader.readRemaining()
    }
    return result
  }

  /// The data of the first company that is named; `nil` if there is none.
  public var manufacturerData: ManufacturerData? { allManufacturerData.first }

  /// The data of all companies, in order.
  public var allManufacturerData: [ManufacturerData] {
    all(.manufacturerSpecificData).compactMap { data in
      var reader = ByteReader(data)
      guard let company = try? reader.read(UInt16.self) else { return nil }
      return ManufacturerData(CompanyID(company), reader.readRemaining())
    }
  }

  // A list whose last UUID is cut short keeps the whole ones.
  private func uuids(in types: Set<ADType>) -> [BluetoothUUID] {
    var seen: Set<BluetoothUUID> = []
    var result: [BluetoothUUID] = []
    for structure in structures where types.contains(structure.type) {
      guard let size = structure.type.listedUUIDByteCount else { continue }
      var reader = ByteReader(structure.data)
      while let uuid = try? BluetoothUUID(reading: &reader, byteCount: size) {
        if seen.insert(uuid).inserted { result.append(uuid) }
      }
    }
    return result
  }
}

extension ADType {
  /// The length of each UUID in a list of services; `nil` for other types.
  var listedUUIDByteCount: Int? {
    switch self {
    case .incompleteServiceUUIDs16, .completeServiceUUIDs16, .solicitedServiceUUIDs16: 2
    case .incompleteServiceUUIDs32, .completeServiceUUIDs32, .solicitedServiceUUIDs32: 4
    case .incompleteServiceUUIDs128, .completeServiceUUIDs128, .solicitedServiceUUIDs128: 16
    default: nil
    }
  }

  /// The length of the UUID in front of service data; `nil` for other types.
  var serviceDataUUIDByteCount: Int? {
    switch self {
    case .serviceData16: 2
    case .serviceData32: 4
    case .serviceData128: 16
    default: nil
    }
  }
}
