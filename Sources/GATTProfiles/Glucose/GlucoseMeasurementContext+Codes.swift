import BluetoothTypes

// Glucose Service 1.0.1, 3.2.
extension GlucoseMeasurementContext {
  /// At which meal something was eaten or drunk: an open set.
  public struct CarbohydrateKind: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Breakfast.
    public static let breakfast = CarbohydrateKind(rawValue: 1)
    /// Lunch.
    public static let lunch = CarbohydrateKind(rawValue: 2)
    /// Dinner.
    public static let dinner = CarbohydrateKind(rawValue: 3)
    /// A snack.
    public static let snack = CarbohydrateKind(rawValue: 4)
    /// A drink.
    public static let drink = CarbohydrateKind(rawValue: 5)
    /// Supper.
    public static let supper = CarbohydrateKind(rawValue: 6)
    /// Brunch.
    public static let brunch = CarbohydrateKind(rawValue: 7)
  }

  /// How a measurement lies to meals: an open set.
  public struct Meal: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Before a meal.
    public static let preprandial = Meal(rawValue: 1)
    /// After a meal.
    public static let postprandial = Meal(rawValue: 2)
    /// Fasting.
    public static let fasting = Meal(rawValue: 3)
    /// Anyhow: snacks, drinks and the like.
    public static let casual = Meal(rawValue: 4)
    /// At bedtime.
    public static let bedtime = Meal(rawValue: 5)
  }

  /// Who measured, in four bits: an open set.
  public struct Tester: RawRepresentable, Hashable, Sendable {
    /// The number, 0 to 15; its upper four bits are not sent.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The person.
    public static let person = Tester(rawValue: 1)
    /// A professional.
    public static let healthCareProfessional = Tester(rawValue: 2)
    /// A laboratory.
    public static let labTest = Tester(rawValue: 3)
    /// Not known.
    public static let notAvailable = Tester(rawValue: 15)
  }

  /// How the person was, in four bits: an open set.
  public struct Health: RawRepresentable, Hashable, Sendable {
    /// The number, 0 to 15; its upper four bits are not sent.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Somewhat ill.
    public static let minorHealthIssues = Health(rawValue: 1)
    /// Badly ill.
    public static let majorHealthIssues = Health(rawValue: 2)
    /// During menses.
    public static let duringMenses = Health(rawValue: 3)
    /// Under stress.
    public static let underStress = Health(rawValue: 4)
    /// Well.
    public static let noHealthIssues = Health(rawValue: 5)
    /// Not known.
    public static let notAvailable = Health(rawValue: 15)
  }

  /// Which medicine was taken: an open set.
  public struct MedicationKind: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
    /// The number.
    public let rawValue: UInt8

    /// A value from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Insulin that acts at once.
    public static let rapidActingInsulin = MedicationKind(rawValue: 1)
    /// Insulin that acts soon.
    public static let shortActingInsulin = MedicationKind(rawValue: 2)
    /// Insulin between soon and long.
    public static let intermediateActingInsulin = MedicationKind(rawValue: 3)
    /// Insulin that acts long.
    public static let longActingInsulin = MedicationKind(rawValue: 4)
    /// Insulins mixed before.
    public static let premixedInsulin = MedicationKind(rawValue: 5)
  }
}
