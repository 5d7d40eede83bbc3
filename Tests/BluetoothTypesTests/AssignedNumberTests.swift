import Testing

@testable import BluetoothTypes

@Suite struct AssignedNumberTests {
  static let tables: [AssignedNameTable] = [
    AssignedNames.services, AssignedNames.characteristics, AssignedNames.descriptors, AssignedNames.appearances,
    AssignedNames.companies0000, AssignedNames.companies0200, AssignedNames.companies0400, AssignedNames.companies0600,
    AssignedNames.companies0800, AssignedNames.companies0A00, AssignedNames.companies0C00, AssignedNames.companies0E00,
    AssignedNames.companies1000,
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

  @Test("The names are complete as the SIG published them in 2026, up to the last number of each table")
  func complete() {
    #expect(AssignedNames.service(.tirePressureMonitoringSystem) == "Tire Pressure Monitoring System")
    #expect(AssignedNames.characteristic(BluetoothUUID(UInt16(0x2C41))) == "TPMS Signing Key")
    #expect(AssignedNames.descriptor(.cookingTriggerSetting) == "Cooking Trigger Setting")
    #expect(AssignedNames.appearance(0x1514) == "Baking Tray")
    #expect(AssignedNames.company(0x10E1) == "Neurable, Inc")
    #expect(AssignedNames.characteristics.entries.count >= 511)
    #expect(AssignedNames.appearances.entries.count == 342)
  }

  @Test("A company is found by its number in whichever table it is, and only there")
  func companies() {
    #expect((0..<0x1200).count { AssignedNames.company($0) != nil } == 4059)
    let names: [(UInt16, String?)] = [
      (0x0000, "Ericsson AB"), (0x0075, "Samsung Electronics Co. Ltd."), (0x00E0, "Google"),
      (0x02E5, "Espressif Systems (Shanghai) Co., Ltd."), (0x038F, "Xiaomi Inc."), (0x0499, "Ruuvi Innovations Ltd."),
      (0x0822, "adafruit industries"), (0x0FFF, nil), (0x1040, "Raspberry Pi"),
      (0x1052, "CHOZEN International CO., LTD."), (0x10E2, nil), (0xFFFE, nil), (0xFFFF, "Internal use"),
    ]
    for (id, name) in names { #expect(AssignedNames.company(id) == name) }
    for (index, table) in Self.tables[4...].enumerated() {
      #expect(table.entries.allSatisfy { Int($0.number >> 9) == index })
    }
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
