import BluetoothTypes
import GATTProfiles

// The characteristics of the services whose values `GATTProfiles` has, as names that hold for every device.

// Heart Rate Service 1.0, 3.
extension Characteristic where Value == HeartRateMeasurement {
  /// The heart rate, notified about once a second.
  public static var heartRateMeasurement: Self { .init(.heartRateMeasurement, in: .heartRate) }
}

extension Characteristic where Value == BodySensorLocation {
  /// Where the sensor is worn.
  public static var bodySensorLocation: Self { .init(.bodySensorLocation, in: .heartRate) }
}

extension Characteristic where Value == HeartRateControlPoint {
  /// Commands to a heart-rate sensor.
  public static var heartRateControlPoint: Self { .init(.heartRateControlPoint, in: .heartRate) }
}

// Battery Service 1.1, 3.
extension Characteristic where Value == BatteryLevel {
  /// How full the battery is.
  public static var batteryLevel: Self { .init(.batteryLevel, in: .battery) }
}

// Device Information Service 1.2, 3.
extension Characteristic where Value == String {
  /// Who made the device.
  public static var manufacturerName: Self { .init(.manufacturerNameString, in: .deviceInformation) }
  /// The model.
  public static var modelNumber: Self { .init(.modelNumberString, in: .deviceInformation) }
  /// The serial number.
  public static var serialNumber: Self { .init(.serialNumberString, in: .deviceInformation) }
  /// The version of the firmware.
  public static var firmwareRevision: Self { .init(.firmwareRevisionString, in: .deviceInformation) }
  /// The version of the hardware.
  public static var hardwareRevision: Self { .init(.hardwareRevisionString, in: .deviceInformation) }
  /// The version of the software.
  public static var softwareRevision: Self { .init(.softwareRevisionString, in: .deviceInformation) }
  /// The name of the device (Core 5.4, Vol 3, Part C, 12.1), for radios that let programs see it.
  public static var deviceName: Self { .init(BluetoothUUID(UInt16(0x2A00)), in: .genericAccess) }
}

extension Characteristic where Value == SystemID {
  /// Who made the device, and which one it is.
  public static var systemID: Self { .init(.systemID, in: .deviceInformation) }
}

extension Characteristic where Value == RegulatoryCertificationData {
  /// The certifications of the device.
  public static var regulatoryCertificationData: Self {
    .init(.regulatoryCertificationDataList, in: .deviceInformation)
  }
}

extension Characteristic where Value == PnPID {
  /// Vendor, product and version, as drivers use them.
  public static var pnpID: Self { .init(.pnpID, in: .deviceInformation) }
}

// Health Thermometer Service 1.0, 3.
extension Characteristic where Value == TemperatureMeasurement {
  /// A temperature, indicated when it was measured.
  public static var temperatureMeasurement: Self { .init(.temperatureMeasurement, in: .healthThermometer) }
  /// The temperature while the measurement goes on, notified.
  public static var intermediateTemperature: Self { .init(.intermediateTemperature, in: .healthThermometer) }
}

extension Characteristic where Value == TemperatureType {
  /// Where the temperature is measured.
  public static var temperatureType: Self { .init(.temperatureType, in: .healthThermometer) }
}

extension Characteristic where Value == MeasurementInterval {
  /// The time between two measurements.
  public static var measurementInterval: Self { .init(.measurementInterval, in: .healthThermometer) }
}
