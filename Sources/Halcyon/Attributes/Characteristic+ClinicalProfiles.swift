import BluetoothTypes
import GATTProfiles

// The characteristics of what is measured at home and in clinics, as names that hold for every device.

// Blood Pressure Service 1.1.1, 3.
extension Characteristic where Value == BloodPressureMeasurement {
  /// A blood pressure, indicated when it was measured.
  public static var bloodPressureMeasurement: Self { .init(.bloodPressureMeasurement, in: .bloodPressure) }
  /// The pressure of the cuff while the measurement goes on, notified.
  public static var intermediateCuffPressure: Self { .init(.intermediateCuffPressure, in: .bloodPressure) }
}

extension Characteristic where Value == BloodPressureFeature {
  /// What the monitor can do.
  public static var bloodPressureFeature: Self { .init(.bloodPressureFeature, in: .bloodPressure) }
}

// Glucose Service 1.0.1, 3.
extension Characteristic where Value == GlucoseMeasurement {
  /// Records, notified after a request to ``glucoseRecordAccess``.
  public static var glucoseMeasurement: Self { .init(.glucoseMeasurement, in: .glucose) }
}

extension Characteristic where Value == GlucoseMeasurementContext {
  /// What went along with records, notified behind them.
  public static var glucoseMeasurementContext: Self { .init(.glucoseMeasurementContext, in: .glucose) }
}

extension Characteristic where Value == GlucoseFeature {
  /// What the meter can do.
  public static var glucoseFeature: Self { .init(.glucoseFeature, in: .glucose) }
}

// Glucose Service 1.0.1, 3.4; Pulse Oximeter Service 1.0, 3.4.
extension Characteristic where Value == RecordAccessControlPoint {
  /// Requests for records of a glucose meter; their answers are indicated.
  public static var glucoseRecordAccess: Self { .init(.recordAccessControlPoint, in: .glucose) }
  /// Requests for records of a pulse oximeter; their answers are indicated.
  public static var pulseOximeterRecordAccess: Self { .init(.recordAccessControlPoint, in: .pulseOximeter) }
}

// Pulse Oximeter Service 1.0, 3.
extension Characteristic where Value == PLXSpotCheckMeasurement {
  /// A measurement made when asked, indicated.
  public static var plxSpotCheckMeasurement: Self { .init(.plxSpotCheckMeasurement, in: .pulseOximeter) }
}

extension Characteristic where Value == PLXContinuousMeasurement {
  /// Measurements made all the time, notified.
  public static var plxContinuousMeasurement: Self { .init(.plxContinuousMeasurement, in: .pulseOximeter) }
}

extension Characteristic where Value == PLXFeatures {
  /// What the oximeter can do.
  public static var plxFeatures: Self { .init(.plxFeatures, in: .pulseOximeter) }
}

// Weight Scale Service 1.0, 3.
extension Characteristic where Value == WeightMeasurement {
  /// A weight, indicated when it was measured.
  public static var weightMeasurement: Self { .init(.weightMeasurement, in: .weightScale) }
}

extension Characteristic where Value == WeightScaleFeature {
  /// What the scale can do.
  public static var weightScaleFeature: Self { .init(.weightScaleFeature, in: .weightScale) }
}
