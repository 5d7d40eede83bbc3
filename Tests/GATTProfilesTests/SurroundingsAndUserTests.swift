import BluetoothTypes
import GATTProfiles
import Testing

@Suite struct SurroundingsTests {
  @Test("Values of the surroundings have their units, signs and decimals")
  func values() throws {
    #expect(try Temperature(bytes: [0x9C, 0xFF]).celsius == -1)
    #expect(try Temperature(bytes: [0x00, 0x80]).celsius == nil)
    #expect(try Humidity(bytes: [0x88, 0x13]).percentage == 50)
    #expect(Humidity.unknown.percentage == nil)
    #expect(try Pressure(bytes: [0xCD, 0x75, 0x0F, 0]).pascals == 101_319.7)
    #expect(try Elevation(bytes: [0x9C, 0xFF, 0xFF]).meters == -1)
    #expect(try Elevation(bytes: [0xFF, 0xFF, 0x7F]).meters == 83_886.07)
    #expect(try DewPoint(bytes: [0xFB]).celsius == -5)
    #expect(try GustFactor(bytes: [15]).ratio == 1.5)
    #expect(try TrueWindDirection(bytes: [0x28, 0x23]).degrees == 90)
    #expect(try Irradiance(bytes: [10, 0]).wattsPerSquareMeter == 1)
    #expect(try Rainfall(bytes: [5, 0]).meters == 0.005)
    #expect(try PollenConcentration(bytes: [0, 0, 1]).grainsPerCubicMeter == 65_536)
    #expect(try BarometricPressureTrend(bytes: [9]) == .steady)
  }
}

@Suite struct UserDataTests {
  @Test("Data of a user have their units")
  func values() throws {
    #expect(try UserHeight(bytes: [180, 0]).meters == 1.8)
    #expect(try UserWeight(bytes: [0x98, 0x3A]).kilograms == 75)
    #expect(try RestingHeartRate(bytes: [55]).beatsPerMinute == 55)
    #expect(Gender.unspecified.bytes == [2])
    #expect(try DateOfBirth(bytes: [0xC4, 0x07, 2, 29]) == DateOfBirth(year: 1988, month: 2, day: 29))
  }

  @Test("A day of birth out of range is an error at the field at fault")
  func wrongDay() {
    for (bytes, offset) in [([1, 0, 1, 1], 0), ([0xC4, 7, 13, 1], 2), ([0xC4, 7, 1, 32], 3)] as [([UInt8], Int)] {
      let error = #expect(throws: ByteError.self) { try DateOfBirth(bytes: bytes) }
      #expect(error?.offset == offset)
    }
  }
}

@Suite struct SurroundingsAndUserLawTests {
  static let vectors: [(any ByteCodable.Type, [UInt8])] = [
    (Temperature.self, [1, 0x80]), (Humidity.self, [1, 2]), (Pressure.self, [1, 2, 3, 4]),
    (Elevation.self, [1, 2, 0x83]), (DewPoint.self, [0x80]), (HeatIndex.self, [1]), (WindChill.self, [0xFF]),
    (GustFactor.self, [1]), (TrueWindSpeed.self, [1, 2]), (TrueWindDirection.self, [1, 2]),
    (ApparentWindSpeed.self, [1, 2]), (ApparentWindDirection.self, [1, 2]), (MagneticDeclination.self, [1, 2]),
    (UVIndex.self, [3]), (Irradiance.self, [1, 2]), (Rainfall.self, [1, 2]),
    (PollenConcentration.self, [1, 2, 0x83]), (BarometricPressureTrend.self, [1]), (UserHeight.self, [1, 2]),
    (UserWeight.self, [1, 2]), (RestingHeartRate.self, [1]), (Gender.self, [1]),
    (DateOfBirth.self, [0xC4, 0x07, 2, 29]),
  ]

  @Test("A value that was cut anywhere is an error within the bytes", arguments: vectors.indices)
  func truncation(index: Int) { expectVector(Self.vectors[index].0, Self.vectors[index].1) }

  @Test("Random bytes give a value that is stable when written, or an error", arguments: vectors.indices)
  func randomBytes(index: Int) throws { try expectStable(Self.vectors[index].0, seed: UInt64(index)) }
}
