import BluetoothTypes
import Testing

@Suite struct AdvertisingDataTests {
  static let band: [UInt8] = [
    0x02, 0x01, 0x06,
    0x05, 0x03, 0x0D, 0x18, 0x0F, 0x18,
    0x06, 0x09, 0x50, 0x75, 0x6C, 0x73, 0x65,
    0x02, 0x0A, 0xFC,
    0x05, 0xFF, 0x59, 0x00, 0x01, 0x02,
  ]

  @Test("A heart-rate band's advertisement is read and written back byte for byte")
  func roundTrip() throws {
    let data = AdvertisingData(parsing: Self.band)
    #expect(data.problem == nil)
    #expect(data.flags == [.generalDiscoverable, .brEDRNotSupported])
    #expect(data.completeServiceUUIDs == [ServiceID.heartRate.uuid, ServiceID.battery.uuid])
    #expect(data.localName == "Pulse")
    #expect(data.txPowerLevel == -4)
    #expect(data.manufacturerData == ManufacturerData(.nordicSemiconductor, [1, 2]))
    #expect(try data.encoded() == Self.band)
    let built: AdvertisingData = [
      .flags([.generalDiscoverable, .brEDRNotSupported]), .services([.heartRate, .battery]),
      .completeLocalName("Pulse"), .txPowerLevel(-4), .manufacturerData(.nordicSemiconductor, [1, 2]),
    ]
    #expect(built == data)
  }

  @Test("Advertising data that was cut anywhere keeps its whole structures and tells where it broke")
  func truncation() {
    let whole = AdvertisingData(parsing: Self.band).structures
    let boundaries: Set<Int> = [0, 3, 9, 16, 19, 25]
    for count in 0..<Self.band.count {
      let data = AdvertisingData(parsing: Array(Self.band[..<count]))
      #expect(data.structures == Array(whole.prefix(data.structures.count)))
      #expect((data.problem == nil) == boundaries.contains(count))
      #expect(data.encodedCount <= count)
    }
    let cut = AdvertisingData(parsing: [0x02, 0x01, 0x06, 0x09, 0x09, 0x41])
    #expect(cut.flags == [.generalDiscoverable, .brEDRNotSupported])
    #expect(cut.problem == ByteError(offset: 4, problem: .truncated(needed: 9, available: 2)))
  }

  @Test("F42: a length of 0 ends the data early and what follows is padding")
  func earlyEnd() {
    let data = AdvertisingData(parsing: [0x02, 0x01, 0x06, 0x00, 0x05, 0x09])
    #expect(data.structures == [.flags([.generalDiscoverable, .brEDRNotSupported])])
    #expect(data.problem == nil)
    #expect(AdvertisingData(parsing: [UInt8](repeating: 0, count: 31)) == [])
    #expect(AdvertisingData(parsing: [0x01, 0x09]).localName == "")
  }

  @Test("Random bytes never stop the parser or an accessor")
  func randomBytes() {
    var random = SplitMix64(seed: 11)
    for round in 0..<4000 {
      var bytes = random.bytes(upTo: 64)
      if round.isMultiple(of: 2), bytes.count > 2 {
        bytes[0] = UInt8(bytes.count / 2)
        bytes[1] = UInt8.random(in: 0...0x32, using: &random)
      }
      let data = AdvertisingData(parsing: bytes)
      exercise(data)
      if data.problem == nil {
        let again = (try? data.encoded(fitting: 64)).map(AdvertisingData.init(parsing:))
        #expect(again == data)
      }
      _ = data.merging(AdvertisingData(parsing: random.bytes(upTo: 31)))
    }
  }

  private func exercise(_ data: AdvertisingData) {
    _ = (data.flags, data.localName, data.broadcastName, data.appearance, data.leRole, data.deviceAddress)
    _ = (data.publicTargetAddresses, data.randomTargetAddresses, data.serviceUUIDs, data.solicitedServiceUUIDs)
    _ = (data.completeServiceUUIDs, data.incompleteServiceUUIDs, data.serviceData, data.allManufacturerData)
    _ = (data.txPowerLevel, data.connectionIntervalRange, data.advertisingInterval, data.uri, data.leSupportedFeatures)
    _ = (data.description, data.encodedCount)
  }

  @Test("A name that is not UTF-8 is repaired, and zeros at its end are dropped")
  func brokenNames() {
    #expect(AdvertisingData([ADStructure(.completeLocalName, [0x43, 0x61, 0xE9])]).localName == "Ca\u{FFFD}")
    #expect(AdvertisingData([ADStructure(.completeLocalName, [0x41, 0x42, 0, 0])]).localName == "AB")
    #expect(AdvertisingData([ADStructure(.completeLocalName, [0, 0])]).localName == "")
    #expect(AdvertisingData().localName == nil)
  }

  @Test("The whole name is preferred to the shortened one, unless it is empty")
  func bestName() {
    #expect(AdvertisingData([.shortenedLocalName("Pul"), .completeLocalName("Pulse")]).localName == "Pulse")
    #expect(AdvertisingData([.shortenedLocalName("Pul")]).localName == "Pul")
    #expect(AdvertisingData([.completeLocalName(""), .shortenedLocalName("Pul")]).localName == "Pul")
  }

  @Test("Services are read from lists of every length, each once, and a cut list keeps its whole entries")
  func services() {
    let own: BluetoothUUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
    let medium = BluetoothUUID(UInt32(0x1234_5678))
    let lists = ADStructure.serviceLists([own, ServiceID.battery.uuid, medium, ServiceID.heartRate.uuid])
    #expect(lists.map(\.type) == [.completeServiceUUIDs16, .completeServiceUUIDs32, .completeServiceUUIDs128])
    let data = AdvertisingData(
      lists + [.services([.heartRate, .glucose], complete: false), .serviceUUIDs([own], complete: false)]
    )
    let glucose = ServiceID.glucose.uuid
    #expect(data.serviceUUIDs == [ServiceID.battery.uuid, ServiceID.heartRate.uuid, medium, own, glucose])
    #expect(data.incompleteServiceUUIDs == [ServiceID.heartRate.uuid, glucose, own])
    #expect(data.completeServiceUUIDs == [ServiceID.battery.uuid, ServiceID.heartRate.uuid, medium, own])
    #expect(AdvertisingData([ADStructure(.completeServiceUUIDs16, [0x0D, 0x18, 0x0F])]).serviceUUIDs.count == 1)
    #expect(AdvertisingData([.serviceUUIDs([own, medium])]).serviceUUIDs == [own, medium])
    #expect(AdvertisingData([.solicitedServiceUUIDs([medium])]).solicitedServiceUUIDs == [medium])
    #expect(AdvertisingData([.solicitedServiceUUIDs([own])]).structures[0].type == .solicitedServiceUUIDs128)
    #expect(AdvertisingData([.solicitedServiceUUIDs([glucose])]).structures[0].type == .solicitedServiceUUIDs16)
  }

  @Test("Service data is told by service, whatever the length of its UUID")
  func serviceData() {
    let own: BluetoothUUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
    let medium = BluetoothUUID(UInt32(0x1234_5678))
    let data: AdvertisingData = [
      .serviceData(ServiceID.battery.uuid, [80]), .serviceData(medium, [1, 2]), .serviceData(own, []),
      ADStructure(.serviceData16, [0x0F]),
    ]
    #expect(data.structures.prefix(3).map(\.type) == [.serviceData16, .serviceData32, .serviceData128])
    #expect(data.serviceData == [ServiceID.battery.uuid: [80], medium: [1, 2], own: []])
  }

  @Test("The data of several companies is kept apart")
  func manufacturers() {
    let data: AdvertisingData = [.manufacturerData(.apple, [2, 21]), .manufacturerData(CompanyID(0xF00D), [])]
    #expect(data.manufacturerData?.company == .apple)
    #expect(data.allManufacturerData.map(\.data) == [[2, 21], []])
    #expect(CompanyID.apple.description == "Apple, Inc.")
    #expect(CompanyID(0xF00D).description == "0xF00D")
    #expect(AdvertisingData([ADStructure(.manufacturerSpecificData, [1])]).manufacturerData == nil)
  }

  @Test("Appearance, role, intervals and features are read as they were built")
  func scalars() {
    let range = ConnectionIntervalRange(minimumUnits: 6, maximumUnits: 0xFFFF)
    let data: AdvertisingData = [
      .appearance(.heartRateBelt), .leRole(.peripheralPreferred), .connectionIntervalRange(range),
      .advertisingInterval(units: 160), .leSupportedFeatures(0x0101), .broadcastName("Hall"),
    ]
    #expect(data.appearance?.name == "Heart Rate Belt")
    #expect(data.appearance?.category == .heartRateSensor)
    #expect(data.leRole == .peripheralPreferred)
    #expect(data.connectionIntervalRange?.minimum == .microseconds(7500))
    #expect(data.connectionIntervalRange?.maximum == nil)
    #expect(data.advertisingInterval == .milliseconds(100))
    #expect(data.leSupportedFeatures == 0x0101)
    #expect(data.first(.leSupportedFeatures) == [1, 1])
    #expect(data.broadcastName == "Hall")
  }

  @Test("An advertising interval has two, three or four bytes", arguments: [160, 0x1_0000, 0xFF_FFFF, 0x0100_0000])
  func advertisingInterval(units: UInt32) {
    let structure = ADStructure.advertisingInterval(units: units)
    #expect(structure.type == (units > 0xFFFF ? .advertisingIntervalLong : .advertisingInterval))
    #expect(AdvertisingData([structure]).advertisingInterval == .microseconds(Int64(units) * 625))
  }

  @Test("Addresses are read with their types")
  func addresses() {
    let fixed = BluetoothAddress(0xC0E0_E1E2_E3E4, .random)
    let other = BluetoothAddress(0x0011_2233_4455, .public)
    let data: AdvertisingData = [
      .publicTargetAddresses([other, other]), .randomTargetAddresses([fixed]), .deviceAddress(fixed),
    ]
    #expect(data.publicTargetAddresses == [other, other])
    #expect(data.randomTargetAddresses == [fixed])
    #expect(data.deviceAddress == fixed)
    #expect(data.first(.leDeviceAddress) == [0xE4, 0xE3, 0xE2, 0xE1, 0xE0, 0xC0, 0x01])
    #expect(AdvertisingData([.deviceAddress(other)]).deviceAddress == other)
  }

  @Test("A URI is sent with one byte for its scheme and read in full")
  func uri() {
    let structure = ADStructure.uri("https://example.com/心")
    #expect(structure.data.first == 0x17)
    #expect(AdvertisingData([structure]).uri == "https://example.com/心")
    #expect(ADStructure.uri("HTTP://a").data == [0x16, 0x2F, 0x2F, 0x61])
    #expect(ADStructure.uri("mailto:a@b").data.first == 0x26)
    #expect(ADStructure.uri("bl:x").data == [0xC2, 0xBC, 0x78])
    #expect(AdvertisingData([.uri("bluetooth:x")]).uri == "bluetooth:x")
    #expect(AdvertisingData([.uri("own:thing")]).uri == "own:thing")
    #expect(AdvertisingData([.uri("no scheme")]).uri == "no scheme")
    #expect(AdvertisingData([ADStructure(.uri, [])]).uri == nil)
    #expect(AdvertisingData([ADStructure(.uri, [0xFF, 0x61])]).uri == "\u{FFFD}a")
  }

  @Test("F33: data that does not fit is an error that says what takes the room")
  func tooLong() throws {
    let data: AdvertisingData = [
      .flags(.generalDiscoverable), .completeLocalName("A name that takes all the room"),
    ]
    #expect(data.encodedCount == 35)
    let error = #expect(throws: AdvertisingData.TooLong.self) { try data.encoded() }
    #expect(error?.description.contains("takes 35 bytes but there is room for 31") == true)
    #expect(error?.description.contains("Complete local name with 32") == true)
    #expect(try data.encoded(fitting: 35).count == 35)
    let huge: AdvertisingData = [.manufacturerData(.apple, [UInt8](repeating: 0, count: 253))]
    let refused = #expect(throws: AdvertisingData.TooLong.self) {
      try huge.encoded(fitting: AdvertisingData.extendedCapacity)
    }
    #expect(refused?.description.contains("one structure takes 254 at most") == true)
    let most: AdvertisingData = [ADStructure(.meshMessage, [UInt8](repeating: 7, count: 254))]
    #expect(AdvertisingData(parsing: try most.encoded(fitting: 256)) == most)
  }

  @Test("A name that does not fit is shortened at a whole character")
  func shortenedName() {
    #expect(ADStructure.localName("Pulse", fitting: 7) == .completeLocalName("Pulse"))
    #expect(ADStructure.localName("Pulse", fitting: 6) == .shortenedLocalName("Puls"))
    #expect(ADStructure.localName("心心心", fitting: 9) == .shortenedLocalName("心心"))
    #expect(ADStructure.localName("é", fitting: 0) == .shortenedLocalName(""))
  }

  @Test("A scan response adds to the advertisement, and newer structures replace older ones in their place")
  func merging() {
    let advertisement: AdvertisingData = [.flags(.generalDiscoverable), .txPowerLevel(4), .services([.heartRate])]
    let response: AdvertisingData = [.completeLocalName("Pulse"), .txPowerLevel(-8)]
    let both = advertisement.merging(response)
    #expect(
      both == [
        .flags(.generalDiscoverable), .txPowerLevel(-8), .services([.heartRate]), .completeLocalName("Pulse"),
      ]
    )
    let again = both.merging(response)
    #expect(again == both)
    #expect(both.merging(AdvertisingData()) == both)
  }

  @Test("Hearing the same packets again changes nothing, even where both carry service data")
  func stableMerging() {
    let advertisement: AdvertisingData = [
      .serviceData(ServiceID.battery.uuid, [1]), .manufacturerData(.apple, [1]), .manufacturerData(.google, [2]),
    ]
    let response: AdvertisingData = [.serviceData(ServiceID.heartRate.uuid, [2]), .manufacturerData(.google, [3])]
    let first = response.merging(AdvertisingData()).merging(response)
    #expect(first == response)
    let merged = advertisement.merging(response)
    #expect(merged.serviceData.count == 2)
    #expect(merged.allManufacturerData.map(\.data) == [[1], [3]])
    #expect(merged.merging(response) == merged)
  }

  @Test("A device that changes its data for ever does not make the merged data grow for ever")
  func boundedMerging() {
    var data = AdvertisingData([.flags(.generalDiscoverable)])
    for number in UInt16(0)..<2000 {
      data.merge([.serviceData(BluetoothUUID(number), [1, 2, 3])])
      #expect(data.encodedCount <= AdvertisingData.extendedCapacity)
    }
    #expect(data.serviceData[BluetoothUUID(UInt16(1999))] == [1, 2, 3])
  }

  @Test("A fault in either packet stays visible in the merged data")
  func mergedProblem() {
    let broken = AdvertisingData(parsing: [0x02, 0x01, 0x06, 0x09, 0x09])
    #expect(broken.merging([.txPowerLevel(0)]).problem == broken.problem)
    #expect(AdvertisingData([.txPowerLevel(0)]).merging(broken).problem == broken.problem)
  }
}
