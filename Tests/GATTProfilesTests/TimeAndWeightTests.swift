import BluetoothTypes
import GATTProfiles
import Testing

private let moment = DateTime(year: 2026, month: 11, day: 30, hours: 17, minutes: 5, seconds: 6)
private let momentBytes: [UInt8] = [0xEA, 0x07, 11, 30, 17, 5, 6]

@Suite struct CurrentTimeTests {
  @Test("A time has a day of the week, parts of a second and why it was set")
  func currentTime() throws {
    let bytes = momentBytes + [1, 128, 0x06]
    let value = try CurrentTime(bytes: bytes)
    #expect(value == CurrentTime(moment, fractions256: 128, adjustReason: [.externalReference, .timeZoneChange]))
    #expect(value.dayOfWeek == .monday)
    #expect(value.sinceEpoch == .seconds(1_796_058_306) + .milliseconds(500))
    #expect(value.bytes == bytes)
    let error = #expect(throws: ByteError.self) { try CurrentTime(bytes: momentBytes + [8, 0, 0]) }
    #expect(error?.offset == 7)
  }

  @Test("Seconds since 1970 and dates turn into each other")
  func epoch() {
    #expect(DateTime(secondsSince1970: 0) == DateTime(year: 1970, month: 1, day: 1))
    #expect(DateTime(secondsSince1970: -1)?.description == "1969-12-31 23:59:59")
    #expect(DateTime(secondsSince1970: 951_782_400)?.description == "2000-02-29 00:00:00")
    #expect(DateTime(secondsSince1970: -12_244_089_600)?.description == "1582-01-01 00:00:00")
    #expect(DateTime(secondsSince1970: 253_402_300_799)?.description == "9999-12-31 23:59:59")
    for outside in [Int64.min, -12_244_089_601, 253_402_300_800, .max] {
      #expect(DateTime(secondsSince1970: outside) == nil)
    }
    var random = SplitMix64(seed: 1)
    for _ in 0..<5000 {
      let seconds = Int64.random(in: -12_244_089_600..<253_402_300_800, using: &random)
      #expect(DateTime(secondsSince1970: seconds)?.secondsSince1970 == seconds)
    }
  }

  @Test("Days that do not exist, or are not known, have no seconds and no day of the week")
  func noSuchDay() {
    for (year, month, day) in [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (0, 1, 1), (2024, 0, 1), (2024, 1, 0)] {
      let date = DateTime(year: UInt16(year), month: UInt8(month), day: UInt8(day))
      #expect(date.secondsSince1970 == nil)
      #expect(date.dayOfWeek == .unknown)
    }
    #expect(DateTime(year: 2000, month: 2, day: 29).dayOfWeek == .tuesday)
    #expect(DateTime(year: 1969, month: 12, day: 31).dayOfWeek == .wednesday)
  }

  @Test("Durations before 1970 and beyond the calendar are safe")
  func durations() {
    #expect(CurrentTime(sinceEpoch: .milliseconds(-250))?.dateTime.seconds == 59)
    #expect(CurrentTime(sinceEpoch: .milliseconds(-250))?.fractions256 == 192)
    #expect(CurrentTime(sinceEpoch: .seconds(Int64.max)) == nil)
    #expect(CurrentTime(sinceEpoch: .seconds(Int64.min) - .milliseconds(1)) == nil)
  }

  @Test("Time zone and daylight saving add up")
  func localTime() throws {
    #expect(try LocalTimeInformation(bytes: [4, 4]).offsetFromUTC == .seconds(7200))
    #expect(try LocalTimeInformation(bytes: [0xEC, 0]).offsetFromUTC == .seconds(-18_000))
    #expect(LocalTimeInformation(timeZone: -128, daylightSaving: 0).offsetFromUTC == nil)
    #expect(LocalTimeInformation(timeZone: 0, daylightSaving: 255).offsetFromUTC == nil)
    #expect(try ReferenceTimeInformation(bytes: [1, 8, 2, 3]).source == .networkTimeProtocol)
  }
}

@Suite struct WeightScaleTests {
  @Test("A weight with every optional field, on both scales")
  func weight() throws {
    let bytes: [UInt8] = [0x0E, 0x98, 0x3A] + momentBytes + [2, 234, 0, 0x08, 0x07]
    let value = try WeightMeasurement(bytes: bytes)
    #expect(value.kilograms == 75)
    #expect(value.timestamp == moment)
    #expect(value.userID == 2)
    #expect(value.bodyMass == .init(index: 234, height: 1800))
    #expect(value.bytes == bytes)
    let pounds = WeightMeasurement(weight: 10_000, unit: .imperial)
    #expect(pounds.bytes == [0x01, 0x10, 0x27])
    #expect(pounds.kilograms.map { ($0 - 45.359_237).magnitude < 1e-9 } == true)
    #expect(WeightMeasurement(weight: .max).kilograms == nil)
  }

  @Test("A scale tells how fine it is")
  func feature() throws {
    let value = try WeightScaleFeature(bytes: [0x8D | 0x20, 0x01, 0, 0])
    #expect(value.contains([.timestamp, .bodyMassIndex]))
    #expect(value.weightResolution == 5)
    #expect(value.heightResolution == 3)
  }
}

@Suite struct TimeAndWeightLawTests {
  static let vectors: [(any ByteCodable.Type, [UInt8])] = [
    (CurrentTime.self, momentBytes + [1, 128, 6]), (LocalTimeInformation.self, [4, 4]), (DayOfWeek.self, [3]),
    (ReferenceTimeInformation.self, [1, 8, 2, 3]), (WeightScaleFeature.self, [1, 2, 3, 4]),
    (WeightMeasurement.self, [0x0F, 0x98, 0x3A] + momentBytes + [2, 234, 0, 0x08, 0x07]),
  ]

  @Test("A value that was cut anywhere is an error within the bytes", arguments: vectors.indices)
  func truncation(index: Int) { expectVector(Self.vectors[index].0, Self.vectors[index].1) }

  @Test("Random bytes give a value that is stable when written, or an error", arguments: vectors.indices)
  func randomBytes(index: Int) throws { try expectStable(Self.vectors[index].0, seed: UInt64(index)) }

  @Test("Optional fields go in every combination")
  func combinations() throws { try expectCombinations(WeightMeasurement.self, flagBits: 8) }
}
