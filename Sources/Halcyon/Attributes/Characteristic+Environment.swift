import BluetoothTypes
import GATTProfiles

// The characteristics of the surroundings, as names that hold for every device.

// Environmental Sensing Service 1.0, 3.1.
extension Characteristic where Value == Temperature {
  /// The temperature.
  public static var temperature: Self { .init(.temperature, in: .environmentalSensing) }
}

extension Characteristic where Value == Humidity {
  /// The relative humidity.
  public static var humidity: Self { .init(.humidity, in: .environmentalSensing) }
}

extension Characteristic where Value == Pressure {
  /// The pressure.
  public static var pressure: Self { .init(.pressure, in: .environmentalSensing) }
}

extension Characteristic where Value == Elevation {
  /// The height above sea level.
  public static var elevation: Self { .init(.elevation, in: .environmentalSensing) }
}

extension Characteristic where Value == DewPoint {
  /// The dew point.
  public static var dewPoint: Self { .init(.dewPoint, in: .environmentalSensing) }
}

extension Characteristic where Value == HeatIndex {
  /// How warm it feels.
  public static var heatIndex: Self { .init(.heatIndex, in: .environmentalSensing) }
}

extension Characteristic where Value == WindChill {
  /// How cold it feels.
  public static var windChill: Self { .init(.windChill, in: .environmentalSensing) }
}

extension Characteristic where Value == GustFactor {
  /// How strong gusts are.
  public static var gustFactor: Self { .init(.gustFactor, in: .environmentalSensing) }
}

extension Characteristic where Value == TrueWindSpeed {
  /// The speed of the wind.
  public static var trueWindSpeed: Self { .init(.trueWindSpeed, in: .environmentalSensing) }
}

extension Characteristic where Value == TrueWindDirection {
  /// Where the wind comes from.
  public static var trueWindDirection: Self { .init(.trueWindDirection, in: .environmentalSensing) }
}

extension Characteristic where Value == ApparentWindSpeed {
  /// The speed of the wind as it is felt.
  public static var apparentWindSpeed: Self { .init(.apparentWindSpeed, in: .environmentalSensing) }
}

extension Characteristic where Value == ApparentWindDirection {
  /// Where the wind comes from as it is felt.
  public static var apparentWindDirection: Self { .init(.apparentWindDirection, in: .environmentalSensing) }
}

extension Characteristic where Value == MagneticDeclination {
  /// Where the compass points.
  public static var magneticDeclination: Self { .init(.magneticDeclination, in: .environmentalSensing) }
}

extension Characteristic where Value == UVIndex {
  /// The strength of ultraviolet light.
  public static var uvIndex: Self { .init(.uvIndex, in: .environmentalSensing) }
}

extension Characteristic where Value == Irradiance {
  /// The power of light.
  public static var irradiance: Self { .init(.irradiance, in: .environmentalSensing) }
}

extension Characteristic where Value == Rainfall {
  /// How high the rain stands.
  public static var rainfall: Self { .init(.rainfall, in: .environmentalSensing) }
}

extension Characteristic where Value == PollenConcentration {
  /// How many pollen grains there are.
  public static var pollenConcentration: Self { .init(.pollenConcentration, in: .environmentalSensing) }
}

extension Characteristic where Value == BarometricPressureTrend {
  /// How the pressure changes.
  public static var barometricPressureTrend: Self { .init(.barometricPressureTrend, in: .environmentalSensing) }
}
