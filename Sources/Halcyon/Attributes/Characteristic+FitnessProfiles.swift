import BluetoothTypes
import GATTProfiles

// The characteristics of sensors for cycling and running, as names that hold for every device.

// Cycling Speed and Cadence Service 1.0, 3.
extension Characteristic where Value == CSCMeasurement {
  /// The turns of wheel and crank, notified about once a second.
  public static var cscMeasurement: Self { .init(.cscMeasurement, in: .cyclingSpeedAndCadence) }
}

extension Characteristic where Value == CSCFeature {
  /// What the sensor can do.
  public static var cscFeature: Self { .init(.cscFeature, in: .cyclingSpeedAndCadence) }
}

extension Characteristic where Value == SpeedAndCadenceControlPoint {
  /// Requests to a cycling sensor; their answers are indicated.
  public static var cyclingControlPoint: Self { .init(.speedAndCadenceControlPoint, in: .cyclingSpeedAndCadence) }
  /// Requests to a running sensor; their answers are indicated.
  public static var runningControlPoint: Self { .init(.speedAndCadenceControlPoint, in: .runningSpeedAndCadence) }
}

// Running Speed and Cadence Service 1.0, 3.
extension Characteristic where Value == RSCMeasurement {
  /// Speed and cadence, notified about once a second.
  public static var rscMeasurement: Self { .init(.rscMeasurement, in: .runningSpeedAndCadence) }
}

extension Characteristic where Value == RSCFeature {
  /// What the sensor can do.
  public static var rscFeature: Self { .init(.rscFeature, in: .runningSpeedAndCadence) }
}

// Cycling Power Service 1.1, 3.
extension Characteristic where Value == CyclingPowerMeasurement {
  /// The power, notified about once a second.
  public static var cyclingPowerMeasurement: Self { .init(.cyclingPowerMeasurement, in: .cyclingPower) }
}

extension Characteristic where Value == CyclingPowerVector {
  /// The forces or torques in a turn of the crank, notified.
  public static var cyclingPowerVector: Self { .init(.cyclingPowerVector, in: .cyclingPower) }
}

extension Characteristic where Value == CyclingPowerFeature {
  /// What the meter can do.
  public static var cyclingPowerFeature: Self { .init(.cyclingPowerFeature, in: .cyclingPower) }
}

extension Characteristic where Value == CyclingPowerControlPoint {
  /// Requests to a power meter; their answers are indicated.
  public static var cyclingPowerControlPoint: Self { .init(.cyclingPowerControlPoint, in: .cyclingPower) }
}

// GATT Specification Supplement, Sensor Location.
extension Characteristic where Value == SensorLocation {
  /// Where a sensor for speed and cadence sits on the bike.
  public static var cyclingSensorLocation: Self { .init(.sensorLocation, in: .cyclingSpeedAndCadence) }
  /// Where a sensor for running is worn.
  public static var runningSensorLocation: Self { .init(.sensorLocation, in: .runningSpeedAndCadence) }
  /// Where a power meter sits on the bike.
  public static var cyclingPowerSensorLocation: Self { .init(.sensorLocation, in: .cyclingPower) }
}
