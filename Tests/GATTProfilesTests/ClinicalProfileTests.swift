import BluetoothTypes
import GATTProfiles
import Testing

private let moment = DateTime(year: 2026, month: 11, day: 30, hours: 17, minutes: 5, seconds: 6)
private let momentBytes: [UInt8] = [0xEA, 0x07, 11, 30, 17, 5, 6]

@Suite struct BloodPressureTests {
  @Test("A blood pressure with every optional field")
  func full() throws {
    let bytes: [UInt8] = [0x1E, 120, 0, 80, 0, 93, 0] + momentBytes + [72, 0, 3, 0x25, 0x00]
    let value = try BloodPressureMeasurement(bytes: bytes)
    #expect(value.systolic.double == 120)
    #expect(value.diastolic.double == 80)
    #expect(value.meanArterial.double == 93)
    #expect(value.unit == .millimetersOfMercury)
    #expect(value.timestamp == moment)
    #expect(value.pulseRate?.double == 72)
    #expect(value.userID == 3)
    #expect(value.status == [.bodyMovement, .irregularPulse, .improperPosition])
    #expect(value.bytes == bytes)
  }

  @Test("Kilopascals are told by the first flag; a cuff pressure has no other pressures")
  func cuff() throws {
    // 16.5 kPa is 165 × 10^-1.
    let value = IntermediateCuffPressure(systolic: 16.5, diastolic: .nan, unit: .kilopascals)
    #expect(value.bytes == [0x01, 0xA5, 0xF0, 0xFF, 0x07, 0xFF, 0x07])
    #expect(try IntermediateCuffPressure(bytes: value.bytes) == value)
    #expect(try BloodPressureFeature(bytes: [0x21, 0]) == [.bodyMovementDetection, .multipleBonds])
  }
}

@Suite struct GlucoseTests {
  @Test("A record with every optional field")
  func full() throws {
    // 0.00105 kg/L: 105 mg/dL.
    let bytes: [UInt8] = [0x1B, 0x02, 0x01] + momentBytes + [0xC4, 0xFF, 105, 0xB0, 0x11, 0x01, 0x08]
    let value = try GlucoseMeasurement(bytes: bytes)
    #expect(value.sequenceNumber == 0x0102)
    #expect(value.baseTime == moment)
    #expect(value.timeOffset == -60)
    #expect(value.concentration?.milligramsPerDeciliter.map { ($0 - 105).magnitude < 1e-9 } == true)
    #expect(value.concentration?.millimolesPerLiter == nil)
    #expect(value.concentration?.type == .capillaryWholeBlood)
    #expect(value.concentration?.location == .finger)
    #expect(value.status == [.batteryLow, .timeFault])
    #expect(value.contextFollows)
    #expect(value.bytes == bytes)
  }

  @Test("Moles are told by a flag; the nibbles of the sample are cut to four bits")
  func moles() throws {
    let sample = GlucoseMeasurement.Concentration(
      0.0055,
      unit: .molesPerLiter,
      type: .init(rawValue: 0x1A),
      location: .notAvailable
    )
    let value = GlucoseMeasurement(sequenceNumber: 7, baseTime: moment, concentration: sample)
    #expect(value.bytes == [0x06, 7, 0] + momentBytes + [55, 0xC0, 0xFA])
    let read = try GlucoseMeasurement(bytes: value.bytes)
    #expect(read.concentration?.type == .controlSolution)
    #expect(read.concentration?.millimolesPerLiter.map { ($0 - 5.5).magnitude < 1e-9 } == true)
  }

  @Test("A context with every optional field")
  func context() throws {
    let bytes: [UInt8] = [
      0xFF, 0x02, 0x01, 0x00, 2, 50, 0xD0, 4, 0x51, 0x08, 0x07, 80, 1, 3, 0xD0, 64, 0xF0,
    ]
    let value = try GlucoseMeasurementContext(bytes: bytes)
    #expect(value.sequenceNumber == 0x0102)
    #expect(value.extendedFlags == 0)
    #expect(value.carbohydrate == .init(.lunch, kilograms: MedFloat16(rawValue: 0xD032)))
    #expect(value.carbohydrate?.kilograms.double == 0.05)
    #expect(value.meal == .casual)
    #expect(value.condition == .init(tester: .person, health: .noHealthIssues))
    #expect(value.exercise == .init(seconds: 1800, intensity: 80))
    #expect(value.medication == .init(.rapidActingInsulin, amount: MedFloat16(rawValue: 0xD003), unit: .liters))
    #expect(value.hbA1c?.double == 6.4)
    #expect(value.bytes == bytes)
  }
}

@Suite struct RecordAccessTests {
  static let vectors: [(RecordAccessControlPoint, [UInt8])] = [
    (.report(.all), [1, 1]), (.report(.first), [1, 5]), (.delete(.last), [2, 6]), (.abort, [3, 0]),
    (.reportCount(.sequenceNumbers(.from(0x0102))), [4, 3, 1, 2, 1]),
    (.report(.sequenceNumbers(.within(1, 0x0203))), [1, 4, 1, 1, 0, 3, 2]),
    (.delete(.times(.through(moment))), [2, 2, 2] + momentBytes),
    (.report(.times(.within(moment, moment))), [1, 4, 2] + momentBytes + momentBytes),
    (.count(0x0102), [5, 0, 2, 1]), (.response(to: .reportStoredRecords, .noRecordsFound), [6, 0, 1, 6]),
  ]

  @Test("Requests and answers are written as the specification lays them out", arguments: vectors)
  func vector(value: RecordAccessControlPoint, bytes: [UInt8]) throws {
    #expect(value.bytes == bytes)
    #expect(try RecordAccessControlPoint(bytes: bytes) == value)
    expectVector(RecordAccessControlPoint.self, bytes)
  }

  @Test("What is not known is kept, so that a server can say what it does not support")
  func other() throws {
    for bytes: [UInt8] in [[9, 1, 2], [1, 7, 1], [1, 0], [3, 1], [4, 2, 9, 1, 1]] {
      let value = try RecordAccessControlPoint(bytes: bytes)
      let expected = RecordAccessControlPoint.other(
        opcode: .init(rawValue: bytes[0]),
        operator: .init(rawValue: bytes[1]),
        operand: Array(bytes[2...])
      )
      #expect(value == expected)
      #expect(value.bytes == bytes)
    }
  }

  @Test("A bound that is no time is an error at its field")
  func wrongTime() {
    let error = #expect(throws: ByteError.self) {
      try RecordAccessControlPoint(bytes: [1, 3, 2, 0xEA, 0x07, 13, 1, 0, 0, 0])
    }
    #expect(error?.offset == 5)
  }
}

@Suite struct PulseOximeterTests {
  @Test("A spot check with every optional field")
  func spotCheck() throws {
    let bytes: [UInt8] = [0x1F, 98, 0, 72, 0] + momentBytes + [0x80, 0x01, 0x20, 0x80, 0x00, 15, 0xF0]
    let value = try PLXSpotCheckMeasurement(bytes: bytes)
    #expect(value.saturation == OxygenSaturation(percentage: 98, pulseRate: 72))
    #expect(value.timestamp == moment)
    #expect(value.measurementStatus == [.validated, .fullyQualified])
    #expect(value.deviceStatus == [.lowPerfusion, .sensorDisconnected])
    #expect(value.pulseAmplitudeIndex?.double == 1.5)
    #expect(value.isClockUnset)
    #expect(value.bytes == bytes)
  }

  @Test("A continuous measurement with every optional field")
  func continuous() throws {
    let bytes: [UInt8] = [0x1F, 98, 0, 72, 0, 97, 0, 75, 0, 96, 0, 70, 0, 0x20, 0, 1, 0, 0, 15, 0xF0]
    let value = try PLXContinuousMeasurement(bytes: bytes)
    #expect(value.normal == OxygenSaturation(percentage: 98, pulseRate: 72))
    #expect(value.fast == OxygenSaturation(percentage: 97, pulseRate: 75))
    #expect(value.slow == OxygenSaturation(percentage: 96, pulseRate: 70))
    #expect(value.measurementStatus == .measurementOngoing)
    #expect(value.deviceStatus == .extendedDisplayUpdate)
    #expect(value.bytes == bytes)
  }

  @Test("Features announce the states that can be told")
  func features() throws {
    let value = try PLXFeatures(bytes: [0x0B, 0x00, 0xE0, 0x01, 0x20, 0x00, 0x00])
    #expect(value.supported == .spotCheckTimestamp)
    #expect(value.measurementStatus?.contains(.validated) == true)
    #expect(value.deviceStatus == .lowPerfusion)
    #expect(PLXFeatures(.init(rawValue: 0x83)).bytes == [0x80, 0])
  }
}

@Suite struct ClinicalLawTests {
  static let vectors: [(any ByteCodable.Type, [UInt8])] = [
    (BloodPressureMeasurement.self, [0x1F, 120, 0, 80, 0, 93, 0] + momentBytes + [72, 0, 3, 0x25, 0x00]),
    (BloodPressureFeature.self, [1, 2]), (GlucoseFeature.self, [1, 2]),
    (GlucoseMeasurement.self, [0x1F, 2, 1] + momentBytes + [0xC4, 0xFF, 105, 0xB0, 0x11, 0x01, 0x08]),
    (GlucoseMeasurementContext.self, [0xFF, 2, 1, 0, 2, 50, 0xD0, 4, 0x51, 8, 7, 80, 1, 3, 0xD0, 64, 0xF0]),
    (RecordAccessControlPoint.self, [1, 4, 1, 1, 0, 3, 2]), (OxygenSaturation.self, [1, 2, 3, 4]),
    (PLXSpotCheckMeasurement.self, [0x1F, 98, 0, 72, 0] + momentBytes + [0x80, 1, 0x20, 0x80, 0, 15, 0xF0]),
    (
      PLXContinuousMeasurement.self,
      [0x1F, 98, 0, 72, 0, 97, 0, 75, 0, 96, 0, 70, 0, 0x20, 0, 1, 0, 0, 15, 0xF0]
    ),
    (PLXFeatures.self, [0x0B, 0x00, 0xE0, 0x01, 0x20, 0x00, 0x00]),
  ]

  @Test("A value that was cut anywhere is an error within the bytes", arguments: vectors.indices)
  func truncation(index: Int) { expectVector(Self.vectors[index].0, Self.vectors[index].1) }

  @Test("Random bytes give a value that is stable when written, or an error", arguments: vectors.indices)
  func randomBytes(index: Int) throws { try expectStable(Self.vectors[index].0, seed: UInt64(index)) }

  @Test("Optional fields go in every combination")
  func combinations() throws {
    try expectCombinations(BloodPressureMeasurement.self, flagBits: 8)
    try expectCombinations(GlucoseMeasurement.self, flagBits: 8)
    try expectCombinations(GlucoseMeasurementContext.self, flagBits: 8)
    try expectCombinations(PLXSpotCheckMeasurement.self, flagBits: 8)
    try expectCombinations(PLXContinuousMeasurement.self, flagBits: 8)
    try expectCombinations(PLXFeatures.self, flagBits: 9)
  }
}
