import Testing

@testable import BluetoothTypes

@Suite struct AssignedNumberTests {
  static let tables: [AssignedNameTable] = [
    AssignedNames.services, AssignedNames.characteristics, AssignedNames.descriptors, AssignedNames.appearances,
    AssignedNames.companies,
  ]

  @Test("Every entry of a name table is in order and is found by its number", arguments: tables.indices)
  func everyEntryIsFound(index: Int) {
    let table = Self.tables[index]
    let entries = table.entries
    #expect(entries.count >= 20)
    #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.number < $1.number })
    for entry in entries {
      #expect(!entry.name.isEmpty)
      #expect(table.name(of: entry.number) == entry.name)
    }
  }

  @Test("A number that is in no table has no name", arguments: tables.indices)
  func unknownNumbers(index: Int) {
    let table = Self.tables[index]
    let known = Set(table.entries.map(\.number))
    let neighbours = known.union(known.map { $0 &- 1 }).union(known.map { $0 &+ 1 }).union([0x0000, 0x7FFF, 0xFFFE])
    for number in neighbours.subtracting(known) {
      #expect(table.name(of: number) == nil)
    }
  }

  @Test("Services, characteristics, descriptors, companies and appearances have the SIG's names")
  func names() {
    #expect(AssignedNames.service(.heartRate) == "Heart Rate")
    #expect(AssignedNames.service(ServiceID.battery.uuid) == "Battery")
    #expect(AssignedNames.characteristic(BluetoothUUID(UInt16(0x2A37))) == "Heart Rate Measurement")
    #expect(AssignedNames.descriptor(.clientCharacteristicConfiguration) == "Client Characteristic Configuration")
    #expect(AssignedNames.any(.primaryService) == "Primary Service")
    #expect(AssignedNames.any(.databaseHash) == "Database Hash")
    #expect(AssignedNames.company(0x004C) == "Apple, Inc.")
    #expect(AssignedNames.company(0x0059) == "Nordic Semiconductor ASA")
    #expect(AssignedNames.appearance(0x0341) == "Heart Rate Belt")
    #expect(AssignedNames.service(BluetoothUUID(stringLiteral: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")) == nil)
  }

  @Test("An appearance without a name of its own has that of its category")
  func appearanceCategory() {
    #expect(AssignedNames.appearance(0x0340) == "Heart Rate Sensor")
    #expect(AssignedNames.appearance(0x035F) == "Heart Rate Sensor")
    #expect(AssignedNames.appearance(0xFFC0) == nil)
  }

  @Test("The constants have the numbers of the specification")
  func constants() {
    #expect(BluetoothUUID.primaryService == "2800")
    #expect(BluetoothUUID.characteristic == "2803")
    #expect(BluetoothUUID.clientCharacteristicConfiguration == "2902")
    #expect(BluetoothUUID.serviceChanged == "2A05")
    #expect(ServiceID.genericAttribute == "1801")
    #expect(ServiceID.healthThermometer == "1809")
    #expect(ServiceID.deviceInformation == "180A")
  }
}
