import BluetoothTypes
import GATTProfiles
import Testing

@Suite struct RevolutionTests {
  @Test("Speed and cadence come from two measurements")
  func rates() throws {
    let first = try CSCMeasurement(bytes: [0x03, 10, 0, 0, 0, 0, 4, 5, 0, 0, 8])
    let second = try CSCMeasurement(bytes: [0x03, 14, 0, 0, 0, 0, 8, 8, 0, 0, 16])
    let wheel = try #require(second.wheel)
    let crank = try #require(second.crank)
    #expect(wheel.metersPerSecond(since: try #require(first.wheel), circumference: 2) == 8)
    #expect(crank.revolutionsPerMinute(since: try #require(first.crank)) == 90)
  }

  @Test("Counters and times that start again at 0 in between count on")
  func wraps() {
    let wheel = WheelRevolutionData(revolutions: 2, lastEventTime: 0x0200)
    let earlier = WheelRevolutionData(revolutions: .max, lastEventTime: 0xFE00)
    #expect(wheel.revolutionsPerSecond(since: earlier) == 3)
    #expect(wheel.revolutionsPerSecond(since: earlier, ticksPerSecond: 2048) == 6)
    let crank = CrankRevolutionData(revolutions: 0, lastEventTime: 0x03FF)
    #expect(crank.revolutionsPerMinute(since: .init(revolutions: .max, lastEventTime: 0xFFFF)) == 60)
  }

  @Test("No turn is no speed, and turns in no time are no answer")
  func still() {
    let crank = CrankRevolutionData(revolutions: 5, lastEventTime: 100)
    #expect(crank.revolutionsPerMinute(since: crank) == 0)
    #expect(crank.revolutionsPerMinute(since: .init(revolutions: 4, lastEventTime: 100)) == nil)
  }

  @Test("A run has speed, cadence, stride and distance, which goes on over its end")
  func running() throws {
    let bytes: [UInt8] = [0x07, 0x80, 0x03, 170, 120, 0, 5, 0, 0, 0]
    let value = try RSCMeasurement(bytes: bytes)
    #expect(value.metersPerSecond == 3.5)
    #expect(value.cadence == 170)
    #expect(value.strideLength == 120)
    #expect(value.isRunning)
    #expect(value.meters(since: RSCMeasurement(speed: 0, cadence: 0, totalDistance: .max - 4)) == 1)
    #expect(value.meters(since: RSCMeasurement(speed: 0, cadence: 0)) == nil)
    #expect(value.bytes == bytes)
    #expect(SensorLocation.chainRing.bytes == [16])
  }
}

@Suite struct CyclingPowerTests {
  static let full: [UInt8] = [
    0xFF, 0x1F, 0xFA, 0x00, 101, 64, 0, 1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 0x2C, 0x01, 0xF6, 0xFF, 0x40, 0x00, 0xE0, 0xFF,
    0x5A, 0xE0, 0x10, 5, 0, 185, 0, 42, 0,
  ]

  @Test("A power with every optional field")
  func everything() throws {
    let value = try CyclingPowerMeasurement(bytes: Self.full)
    #expect(value.power == 250)
    #expect(value.pedalBalance?.percentage == 50.5)
    #expect(value.pedalBalance?.isLeft == true)
    #expect(value.torque?.newtonMeters == 2)
    #expect(value.torque?.isFromCrank == true)
    #expect(value.wheel == WheelRevolutionData(revolutions: 1, lastEventTime: 2))
    #expect(value.crank == CrankRevolutionData(revolutions: 3, lastEventTime: 4))
    #expect(value.extremeForces == .init(maximum: 300, minimum: -10))
    #expect(value.extremeTorques == .init(maximum: 64, minimum: -32))
    #expect(value.extremeAngles == .init(maximum: 0x05A, minimum: 0x10E))
    #expect(value.topDeadSpotAngle == 5)
    #expect(value.bottomDeadSpotAngle == 185)
    #expect(value.energy == 42)
    #expect(value.isOffsetCompensated)
    #expect(value.bytes == Self.full)
    #expect(CyclingPowerMeasurement(power: -2).bytes == [0, 0, 0xFE, 0xFF])
  }

  @Test("A vector has forces or torques in a direction")
  func vector() throws {
    let bytes: [UInt8] = [0x17, 1, 0, 2, 0, 90, 0, 10, 0, 0xFF, 0xFF]
    let value = try CyclingPowerVector(bytes: bytes)
    #expect(
      value
        == CyclingPowerVector(
          crank: .init(revolutions: 1, lastEventTime: 2),
          firstAngle: 90,
          magnitudes: .forces([10, -1]),
          direction: .tangential
        )
    )
    #expect(value.bytes == bytes)
    #expect(CyclingPowerVector(magnitudes: .torques([32])).bytes == [0x08, 32, 0])
    #expect(throws: ByteError(offset: 0, problem: .invalid("a vector has forces or torques, not both"))) {
      try CyclingPowerVector(bytes: [0x0C, 1, 0])
    }
  }
}

@Suite struct SensorControlPointTests {
  @Test("Requests and answers of a sensor for speed are laid out as specified")
  func speed() throws {
    let vectors: [(SpeedAndCadenceControlPoint, [UInt8])] = [
      (.setCumulativeValue(0x0102_0304), [1, 4, 3, 2, 1]), (.startCalibration, [2]),
      (.updateSensorLocation(.rearWheel), [3, 12]), (.requestSupportedLocations, [4]),
      (.response(to: .requestSupportedLocations, .success, [4, 12]), [16, 4, 1, 4, 12]),
      (.other(.init(rawValue: 9), [1]), [9, 1]),
    ]
    for (value, bytes) in vectors {
      #expect(value.bytes == bytes)
      #expect(try SpeedAndCadenceControlPoint(bytes: bytes) == value)
    }
  }

  @Test("Requests and answers of a power meter are laid out as specified")
  func power() throws {
    let vectors: [(CyclingPowerControlPoint, [UInt8])] = [
      (.updateSensorLocation(.leftPedal), [2, 7]), (.setCrankLength(345), [4, 0x59, 0x01]),
      (.requestCrankLength, [5]), (.startOffsetCompensation, [12]), (.maskContent(0x0102), [13, 2, 1]),
      (.startEnhancedOffsetCompensation, [16]),
      (.response(to: .requestCrankLength, .success, [0x59, 0x01]), [32, 5, 1, 0x59, 0x01]),
      (.response(to: .setChainWeight, .invalidParameter, []), [32, 8, 3]),
    ]
    for (value, bytes) in vectors {
      #expect(value.bytes == bytes)
      #expect(try CyclingPowerControlPoint(bytes: bytes) == value)
    }
  }
}

@Suite struct FitnessLawTests {
  static let vectors: [(any ByteCodable.Type, [UInt8])] = [
    (CSCMeasurement.self, [0x03, 10, 0, 0, 0, 0, 4, 5, 0, 0, 8]), (CSCFeature.self, [7, 0]),
    (RSCMeasurement.self, [0x07, 0x80, 0x03, 170, 120, 0, 5, 0, 0, 0]), (RSCFeature.self, [31, 0]),
    (SensorLocation.self, [4]), (WheelRevolutionData.self, [1, 2, 3, 4, 5, 6]),
    (CrankRevolutionData.self, [1, 2, 3, 4]), (CyclingPowerMeasurement.self, CyclingPowerTests.full),
    (CyclingPowerFeature.self, [1, 2, 3, 4]), (SpeedAndCadenceControlPoint.self, [1, 4, 3, 2, 1]),
    (CyclingPowerControlPoint.self, [13, 2, 1]),
    (CyclingPowerControlPoint.self, [32, 5, 1]), (CyclingPowerVector.self, [0x13, 1, 0, 2, 0, 90, 0]),
  ]

  @Test("A value that was cut anywhere is an error within the bytes", arguments: vectors.indices)
  func truncation(index: Int) { expectVector(Self.vectors[index].0, Self.vectors[index].1) }

  @Test("Random bytes give a value that is stable when written, or an error", arguments: vectors.indices)
  func randomBytes(index: Int) throws { try expectStable(Self.vectors[index].0, seed: UInt64(index)) }

  @Test("Optional fields go in every combination")
  func combinations() throws {
    try expectCombinations(CSCMeasurement.self, flagBits: 8)
    try expectCombinations(RSCMeasurement.self, flagBits: 8)
    try expectCombinations(CyclingPowerMeasurement.self, flagBits: 13)
  }
}
