import BluetoothTypes
import GATTProfiles

// The characteristics of a user, as names that hold for every device.

// User Data Service 1.0, 3.
extension Characteristic where Value == UserHeight {
  /// The height of the user.
  public static var height: Self { .init(.height, in: .userData) }
}

extension Characteristic where Value == UserWeight {
  /// The weight of the user.
  public static var weight: Self { .init(.weight, in: .userData) }
}

extension Characteristic where Value == RestingHeartRate {
  /// The heart rate of the user at rest.
  public static var restingHeartRate: Self { .init(.restingHeartRate, in: .userData) }
}

extension Characteristic where Value == Gender {
  /// The gender of the user.
  public static var gender: Self { .init(.gender, in: .userData) }
}

extension Characteristic where Value == DateOfBirth {
  /// The day on which the user was born.
  public static var dateOfBirth: Self { .init(.dateOfBirth, in: .userData) }
}

extension Characteristic where Value == String {
  /// The first name of the user.
  public static var firstName: Self { .init(.firstName, in: .userData) }
  /// The family name of the user.
  public static var lastName: Self { .init(.lastName, in: .userData) }
  /// The address of the user.
  public static var emailAddress: Self { .init(.emailAddress, in: .userData) }
}

extension Characteristic where Value == UInt8 {
  /// The age of the user in years.
  public static var age: Self { .init(.age, in: .userData) }
  /// Which user the data are of; 255: not known.
  public static var userIndex: Self { .init(.userIndex, in: .userData) }
}

extension Characteristic where Value == UInt32 {
  /// How often the data were changed; write it after changes.
  public static var databaseChangeIncrement: Self { .init(.databaseChangeIncrement, in: .userData) }
}

extension Characteristic where Value == UserControlPoint {
  /// Registers users, and gives access to their data.
  public static var userControlPoint: Self { .init(.userControlPoint, in: .userData) }
}
