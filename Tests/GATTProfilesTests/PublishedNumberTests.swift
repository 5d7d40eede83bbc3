import BluetoothTypes
import GATTProfiles
import Testing

@Suite("Numbers of profiles, as they are published")
struct PublishedNumberTests {
  @Test("Every characteristic of a profile has the number under which the SIG lists its name")
  func characteristics() {
    let published: [(BluetoothUUID, String)] = [
      (.speedAndCadenceControlPoint, "SC Control Point"),
      (.sensorLocation, "Sensor Location"),
      (.cscMeasurement, "CSC Measurement"),
      (.cscFeature, "CSC Feature"),
      (.rscMeasurement, "RSC Measurement"),
      (.rscFeature, "RSC Feature"),
      (.bloodPressureMeasurement, "Blood Pressure Measurement"),
      (.intermediateCuffPressure, "Intermediate Cuff Pressure"),
      (.bloodPressureFeature, "Blood Pressure Feature"),
      (.heartRateMeasurement, "Heart Rate Measurement"),
      (.bodySensorLocation, "Body Sensor Location"),
      (.heartRateControlPoint, "Heart Rate Control Point"),
      (.glucoseMeasurement, "Glucose Measurement"),
      (.glucoseMeasurementContext, "Glucose Measurement Context"),
      (.glucoseFeature, "Glucose Feature"),
      (.batteryLevel, "Battery Level"),
      (.plxSpotCheckMeasurement, "PLX Spot-Check Measurement"),
      (.plxContinuousMeasurement, "PLX Continuous Measurement"),
      (.plxFeatures, "PLX Features"),
      (.windChill, "Wind Chill"),
      (.apparentWindDirection, "Apparent Wind Direction"),
      (.rainfall, "Rainfall"),
      (.irradiance, "Irradiance"),
      (.heatIndex, "Heat Index"),
      (.pressure, "Pressure"),
      (.gustFactor, "Gust Factor"),
      (.elevation, "Elevation"),
      (.apparentWindSpeed, "Apparent Wind Speed"),
      (.trueWindSpeed, "True Wind Speed"),
      (.trueWindDirection, "True Wind Direction"),
      (.barometricPressureTrend, "Barometric Pressure Trend"),
      (.temperature, "Temperature"),
      (.magneticDeclination, "Magnetic Declination"),
      (.pollenConcentration, "Pollen Concentration"),
      (.dewPoint, "Dew Point"),
      (.uvIndex, "UV Index"),
      (.humidity, "Humidity"),
      (.weightMeasurement, "Weight Measurement"),
      (.weightScaleFeature, "Weight Scale Feature"),
      (.temperatureMeasurement, "Temperature Measurement"),
      (.temperatureType, "Temperature Type"),
      (.intermediateTemperature, "Intermediate Temperature"),
      (.measurementInterval, "Measurement Interval"),
      (.weight, "Weight"),
      (.height, "Height"),
      (.gender, "Gender"),
      (.firstName, "First Name"),
      (.lastName, "Last Name"),
      (.emailAddress, "Email Address"),
      (.age, "Age"),
      (.dateOfBirth, "Date of Birth"),
      (.databaseChangeIncrement, "Database Change Increment"),
      (.userIndex, "User Index"),
      (.restingHeartRate, "Resting Heart Rate"),
      (.userControlPoint, "User Control Point"),
      (.recordAccessControlPoint, "Record Access Control Point"),
      (.cyclingPowerMeasurement, "Cycling Power Measurement"),
      (.cyclingPowerVector, "Cycling Power Vector"),
      (.cyclingPowerFeature, "Cycling Power Feature"),
      (.cyclingPowerControlPoint, "Cycling Power Control Point"),
      (.currentTime, "Current Time"),
      (.localTimeInformation, "Local Time Information"),
      (.referenceTimeInformation, "Reference Time Information"),
      (.systemID, "System ID"),
      (.modelNumberString, "Model Number String"),
      (.serialNumberString, "Serial Number String"),
      (.firmwareRevisionString, "Firmware Revision String"),
      (.hardwareRevisionString, "Hardware Revision String"),
      (.softwareRevisionString, "Software Revision String"),
      (.manufacturerNameString, "Manufacturer Name String"),
      (.regulatoryCertificationDataList, "IEEE 11073-20601 Regulatory Certification Data List"),
      (.pnpID, "PnP ID"),
    ]
    for (uuid, name) in published { #expect(AssignedNames.characteristic(uuid) == name) }
  }

  @Test("Control points, features and states have the numbers of their specifications")
  func codes() {
    #expect(RecordAccessControlPoint.report(.all).bytes == [1, 1])
    #expect(RecordAccessControlPoint.delete(.sequenceNumbers(.through(0x0102))).bytes == [2, 2, 1, 2, 1])
    #expect(RecordAccessControlPoint.reportCount(.sequenceNumbers(.within(1, 2))).bytes == [4, 4, 1, 1, 0, 2, 0])
    #expect(RecordAccessControlPoint.report(.first).bytes == [1, 5])
    #expect(RecordAccessControlPoint.report(.last).bytes == [1, 6])
    #expect(RecordAccessControlPoint.response(to: .abortOperation, .abortUnsuccessful).bytes == [6, 0, 3, 7])
    #expect(GlucoseFeature.multipleBonds.bytes == [0x00, 0x04])
    #expect(GlucoseMeasurement.Status.timeFault.bytes == [0x00, 0x08])
    #expect(PLXFeatures(.multipleBonds).bytes == [0x80, 0x00])
    #expect(PLXMeasurementStatus.measurementOngoing.bytes == [0x20, 0x00])
    #expect(PLXMeasurementStatus.invalid.bytes == [0x00, 0x80])
    #expect(PLXDeviceStatus.sensorDisconnected.bytes == [0x00, 0x80, 0x00])
    #expect(BloodPressureFeature.multipleBonds.bytes == [0x20, 0x00])
    #expect(BloodPressureFeature.userFacingTime.bytes == [0x00, 0x01])
    #expect(CSCFeature.multipleSensorLocations.bytes == [0x04, 0x00])
    #expect(RSCFeature.multipleSensorLocations.bytes == [0x10, 0x00])
    #expect(CyclingPowerFeature.forDistributedSystems.bytes == [0x00, 0x00, 0x20, 0x00])
    #expect(SpeedAndCadenceControlPoint.requestSupportedLocations.bytes == [0x04])
    #expect(SpeedAndCadenceControlPoint.response(to: .updateSensorLocation, .success, []).bytes == [0x10, 3, 1])
    #expect(CyclingPowerControlPoint.startEnhancedOffsetCompensation.bytes == [0x10])
    #expect(CyclingPowerControlPoint.Opcode.responseCode.rawValue == 0x20)
    #expect(SensorLocation.chainRing.rawValue == 16)
  }

  @Test("Services have error codes of their own")
  func errors() {
    #expect(ATTErrorCode.glucoseProcedureAlreadyInProgress.rawValue == 0x80)
    #expect(ATTErrorCode.glucoseConfigurationImproperlyConfigured.rawValue == 0x81)
    #expect(ATTErrorCode.environmentalSensingWriteRequestRejected.rawValue == 0x80)
    #expect(ATTErrorCode.environmentalSensingConditionNotSupported.rawValue == 0x81)
    #expect(ATTErrorCode.userDataAccessNotPermitted.rawValue == 0x80)
    #expect(ATTErrorCode.userDataAccessNotPermitted.isApplicationError)
  }
}

@Suite("Descriptors of environmental sensing")
struct EnvironmentalSensingDescriptorTests {
  @Test("How a value is measured is read field by field")
  func measurement() throws {
    let bytes: [UInt8] = [0, 0, 2, 0x3C, 0, 0, 0x10, 0x0E, 0, 0x14, 3]
    let read = try EnvironmentalSensingMeasurement(bytes: bytes)
    #expect(read.sampling == .arithmeticMean)
    #expect(read.measurementPeriod == 60)
    #expect(read.updateInterval == 3600)
    #expect(read.application == .indoor)
    #expect(read.uncertaintyPercentage == 1.5)
    #expect(EnvironmentalSensingMeasurement().uncertaintyPercentage == nil)
    expectVector(EnvironmentalSensingMeasurement.self, bytes)
    try expectStable(EnvironmentalSensingMeasurement.self, seed: 1)
  }

  @Test("When a value is notified is read and written with its operand")
  func trigger() throws {
    expectVector(EnvironmentalSensingTrigger.self, [0x00])
    expectVector(EnvironmentalSensingTrigger.self, [0x01, 0x3C, 0, 0x01])
    expectVector(EnvironmentalSensingTrigger.self, [0x02, 10, 0, 0])
    expectVector(EnvironmentalSensingTrigger.self, [0x03])
    expectVector(EnvironmentalSensingTrigger.self, [0x04, 1])
    #expect(try EnvironmentalSensingTrigger(bytes: [0x01, 0x3C, 0, 0]) == .everySeconds(60))
    #expect(
      EnvironmentalSensingTrigger.compared(.greaterOrEqual, with: Temperature(rawValue: -100)).bytes
        == [0x07, 0x9C, 0xFF]
    )
    #expect(try EnvironmentalSensingTrigger(bytes: [0x0A, 1]) == .other(condition: 0x0A, operand: [1]))
    try expectStable(EnvironmentalSensingTrigger.self, seed: 2)
    #expect(EnvironmentalSensingConfiguration.anyTrigger.bytes == [1])
  }
}

@Suite("The user control point")
struct UserControlPointTests {
  @Test("Requests and answers have the layout of the specification")
  func layout() throws {
    #expect(UserControlPoint.registerNewUser(consent: 0x1234).bytes == [1, 0x34, 0x12])
    #expect(UserControlPoint.consent(user: 3, code: 9999).bytes == [2, 3, 0x0F, 0x27])
    #expect(UserControlPoint.deleteUserData.bytes == [3])
    #expect(UserControlPoint.listAllUsers.bytes == [4])
    #expect(UserControlPoint.deleteUser(UserControlPoint.allUsers).bytes == [5, 0xFF])
    #expect(
      try UserControlPoint(bytes: [0x20, 2, 5]) == .response(to: .consent, .userNotAuthorized, [])
    )
    #expect(try UserControlPoint(bytes: [0x20, 1, 1, 7]) == .response(to: .registerNewUser, .success, [7]))
    #expect(try UserControlPoint(bytes: [0x40, 1]) == .other(UserControlPoint.Opcode(rawValue: 0x40), [1]))
  }

  @Test("A request that was cut anywhere is an error within the bytes, and random bytes are stable or an error")
  func laws() throws {
    for bytes: [UInt8] in [[1, 1, 2], [2, 1, 2, 3], [3], [4], [5, 1], [0x20, 1, 2]] {
      expectVector(UserControlPoint.self, bytes)
    }
    try expectStable(UserControlPoint.self, seed: 3)
  }
}
