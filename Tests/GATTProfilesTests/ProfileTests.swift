import BluetoothTypes
import GATTProfiles
import Testing

@Suite struct HeartRateTests {
  @Test("A heart rate of one byte, without more")
  func short() throws {
    let value = try HeartRateMeasurement(bytes: [0x00, 72])
    #expect(value == HeartRateMeasurement(beatsPerMinute: 72))
    #expect(value.bytes == [0x00, 72])
  }

  @Test("A heart rate with every optional field")
  func full() throws {
    let bytes: [UInt8] = [0x1F, 0x2C, 0x01, 0x34, 0x12, 0x00, 0x04, 0x00, 0x02]
    let value = try HeartRateMeasurement(bytes: bytes)
    #expect(value.beatsPerMinute == 300)
    #expect(value.contact == .detected)
    #expect(value.energyExpended == 0x1234)
    #expect(value.rrIntervals.map(\.duration) == [.seconds(1), .milliseconds(500)])
    #expect(value.bytes == bytes)
  }

  @Test("Contact is only told by a sensor that can tell", arguments: [0, 1, 2, 3])
  func contact(bits: UInt8) throws {
    let expected: [HeartRateMeasurement.SensorContact] = [.notSupported, .notSupported, .notDetected, .detected]
    #expect(try HeartRateMeasurement(bytes: [bits << 1, 60]).contact == expected[Int(bits)])
  }

  @Test("RR intervals round to the nearest 1/1024 s and stay in range")
  func rrIntervals() {
    #expect(RRInterval(.milliseconds(800)).rawValue == 819)
    #expect(RRInterval(.seconds(-1)).rawValue == 0)
    #expect(RRInterval(.seconds(Int64.max)).rawValue == .max)
    #expect(RRInterval(RRInterval(rawValue: 777).duration).rawValue == 777)
  }

  @Test("Sensor locations and commands are open sets")
  func openSets() throws {
    #expect(try BodySensorLocation(bytes: [1]) == .chest)
    #expect(BodySensorLocation.wrist.bytes == [2])
    #expect(try BodySensorLocation(bytes: [99]).description == "location 99")
    #expect(HeartRateControlPoint.resetEnergyExpended.bytes == [1])
  }
}

@Suite struct BatteryAndDeviceInformationTests {
  @Test("A battery level is 0 to 100 percent")
  func batteryLevel() throws {
    #expect(try BatteryLevel(bytes: [80]) == 80)
    #expect(BatteryLevel(100).bytes == [100])
    #expect(BatteryLevel(200).percentage == 100)
    #expect(throws: ByteError.self) { try BatteryLevel(bytes: [101]) }
  }

  @Test("A system id holds the maker's part first")
  func systemID() throws {
    let value = try SystemID(bytes: [0x56, 0x34, 0x12, 0xFE, 0xFF, 0xBC, 0x9A, 0x78])
    #expect(value == SystemID(BluetoothAddress(0x789A_BC12_3456, .public)))
    #expect(value.organizationallyUniqueIdentifier == 0x789ABC)
    #expect(value.description == "789ABCFFFE123456")
    #expect(value.bytes == [0x56, 0x34, 0x12, 0xFE, 0xFF, 0xBC, 0x9A, 0x78])
  }

  @Test("A PnP id names source, vendor, product and version")
  func pnpID() throws {
    let value = try PnPID(bytes: [0x01, 0x59, 0x00, 0x34, 0x12, 0x13, 0x02])
    #expect(value == PnPID(vendorSource: .bluetoothSIG, vendor: 0x59, product: 0x1234, version: 0x0213))
    #expect(value.company == .nordicSemiconductor)
    #expect(value.versionText == "2.1.3")
    #expect(value.bytes == [0x01, 0x59, 0x00, 0x34, 0x12, 0x13, 0x02])
  }

  @Test("Certificates are big-endian lists; what is no list is kept as it is")
  func certificates() throws {
    let entries = [
      RegulatoryCertificationData.Entry(authority: 2, structure: 1, data: [1, 2, 3]),
      RegulatoryCertificationData.Entry(authority: 2, structure: 2, data: []),
    ]
    let value = try #require(RegulatoryCertificationData(entries))
    #expect(value.bytes == [0, 2, 0, 11, 2, 1, 0, 3, 1, 2, 3, 2, 2, 0, 0])
    #expect(try RegulatoryCertificationData(bytes: value.bytes).entries() == entries)
    for count in 0..<value.list.count {
      #expect(throws: ByteError.self) { try RegulatoryCertificationData(list: Array(value.list[..<count])).entries() }
    }
    let text = RegulatoryCertificationData(list: [0xFE, 0x00] + "experimental".utf8)
    #expect(throws: ByteError.self) { try text.entries() }
  }
}

@Suite struct HealthThermometerTests {
  static let bytes: [UInt8] = [0x07, 0x6E, 0x01, 0x00, 0xFF, 0xEA, 0x07, 11, 30, 17, 5, 0, 6]

  @Test("A temperature with every optional field")
  func full() throws {
    let value = try TemperatureMeasurement(bytes: Self.bytes)
    #expect(value.temperature.double == 36.6)
    #expect(value.unit == .fahrenheit)
    #expect(value.timestamp == DateTime(year: 2026, month: 11, day: 30, hours: 17, minutes: 5))
    #expect(value.timestamp?.description == "2026-11-30 17:05:00")
    #expect(value.type == .mouth)
    #expect(value.bytes == Self.bytes)
  }

  @Test("A temperature can be had on both scales, and a failed one is not a number")
  func scales() {
    #expect(TemperatureMeasurement(36.6).celsius == 36.6)
    #expect((TemperatureMeasurement(100).fahrenheit - 212).magnitude < 1e-9)
    #expect((TemperatureMeasurement(212, unit: .fahrenheit).celsius - 100).magnitude < 1e-9)
    #expect(TemperatureMeasurement(.nan).celsius.isNaN)
    #expect(TemperatureMeasurement(36.6).bytes == [0x00, 0x6E, 0x01, 0x00, 0xFF])
  }

  @Test("A date out of range is an error at the field at fault")
  func dates() throws {
    let good: [UInt8] = [0xEA, 0x07, 11, 30, 17, 5, 59]
    #expect(try DateTime(bytes: good).bytes == good)
    #expect(try DateTime(bytes: [0, 0, 0, 0, 0, 0, 0]).year == 0)
    for (index, wrong) in [(2, 13), (3, 32), (4, 24), (5, 60), (6, 60)] {
      var bytes = good
      bytes[index] = UInt8(wrong)
      let error = #expect(throws: ByteError.self) { try DateTime(bytes: bytes) }
      #expect(error?.offset == index)
    }
    #expect(throws: ByteError(offset: 0, problem: .invalid("a year is 1582 to 9999, or 0"))) {
      try DateTime(bytes: [1, 0, 1, 1, 0, 0, 0])
    }
  }

  @Test("A measurement interval of 0 is none")
  func intervals() throws {
    #expect(try MeasurementInterval(bytes: [0x10, 0x0E]).duration == .seconds(3600))
    #expect(MeasurementInterval.notPeriodic.duration == nil)
    let range = MeasurementIntervalRange(minimum: .init(seconds: 1), maximum: .init(seconds: 60))
    #expect(try MeasurementIntervalRange(bytes: range.bytes) == range)
    #expect(TemperatureType.tympanum.bytes == [9])
  }
}

@Suite struct ProfileLawTests {
  static let vectors: [(any (ByteReadable & ByteWritable).Type, [UInt8])] = [
    (HeartRateMeasurement.self, [0x0F, 0x2C, 0x01, 0x34, 0x12]),
    (BodySensorLocation.self, [1]), (HeartRateControlPoint.self, [1]), (BatteryLevel.self, [5]),
    (SystemID.self, [1, 2, 3, 4, 5, 6, 7, 8]), (PnPID.self, [1, 2, 3, 4, 5, 6, 7]),
    (DateTime.self, [0xEA, 0x07, 11, 30, 17, 5, 59]), (TemperatureMeasurement.self, HealthThermometerTests.bytes),
    (TemperatureType.self, [1]), (MeasurementInterval.self, [1, 0]), (MeasurementIntervalRange.self, [1, 0, 2, 0]),
  ]

  @Test("A value that was cut anywhere is an error within the bytes", arguments: vectors.indices)
  func truncation(index: Int) {
    let (type, bytes) = Self.vectors[index]
    for count in 0..<bytes.count {
      let error = #expect(throws: ByteError.self) { try type.init(bytes: Array(bytes[..<count])) }
      if let error { #expect(0...count ~= error.offset) }
    }
    #expect((try? type.init(bytes: bytes))?.bytes == bytes)
  }

  @Test("Random bytes give a value that is stable when written, or an error", arguments: vectors.indices)
  func randomBytes(index: Int) throws {
    var random = SplitMix64(seed: UInt64(index))
    let type = Self.vectors[index].0
    for _ in 0..<1000 {
      guard let value = try? type.init(bytes: random.bytes(upTo: 24)) else { continue }
      #expect(try type.init(bytes: value.bytes).bytes == value.bytes)
    }
  }
}
