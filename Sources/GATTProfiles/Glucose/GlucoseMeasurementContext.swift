import BluetoothTypes

/// What went along with a record of a glucose meter (Glucose Service 1.0.1, 3.2).
public struct GlucoseMeasurementContext: Hashable, Sendable {
  /// What was eaten or drunk.
  public struct Carbohydrate: Hashable, Sendable {
    /// At which meal.
    public var kind: CarbohydrateKind
    /// How much, in kilograms.
    public var kilograms: MedFloat16

    /// Makes an entry.
    public init(_ kind: CarbohydrateKind, kilograms: MedFloat16) {
      self.kind = kind
      self.kilograms = kilograms
    }
  }

  /// How the body was moved.
  public struct Exercise: Hashable, Sendable {
    /// For how many seconds; 65535: overrun.
    public var seconds: UInt16
    /// How hard, in percent.
    public var intensity: UInt8

    /// Makes an entry.
    public init(seconds: UInt16, intensity: UInt8) {
      self.seconds = seconds
      self.intensity = intensity
    }
  }

  /// What was taken against the disease.
  public struct Medication: Hashable, Sendable {
    /// The scale of an amount.
    public enum Unit: Hashable, Sendable, CaseIterable {
      /// Kilograms.
      case kilograms
      /// Litres.
      case liters
    }

    /// Which medicine.
    public var kind: MedicationKind
    /// How much of it, in ``unit``.
    public var amount: MedFloat16
    /// The scale of the amount.
    public var unit: Unit

    /// Makes an entry.
    public init(_ kind: MedicationKind, amount: MedFloat16, unit: Unit) {
      self.kind = kind
      self.amount = amount
      self.unit = unit
    }
  }

  /// Who measured, and how the person was.
  public struct Condition: Hashable, Sendable {
    /// Who measured.
    public var tester: Tester
    /// How the person was.
    public var health: Health

    /// Makes an entry.
    public init(tester: Tester, health: Health) {
      self.tester = tester
      self.health = health
    }
  }

  /// The number of the record that this belongs to.
  public var sequenceNumber: UInt16
  /// Flags for later use; `nil` if not sent.
  public var extendedFlags: UInt8?
  /// What was eaten or drunk; `nil` if not sent.
  public var carbohydrate: Carbohydrate?
  /// How the measurement lies to meals; `nil` if not sent.
  public var meal: Meal?
  /// Who measured, and how the person was; `nil` if not sent.
  public var condition: Condition?
  /// How the body was moved; `nil` if not sent.
  public var exercise: Exercise?
  /// What was taken against the disease; `nil` if not sent.
  public var medication: Medication?
  /// The glycated haemoglobin in percent; `nil` if not sent.
  public var hbA1c: MedFloat16?

  /// A context without any of its optional fields, which can be set then.
  public init(sequenceNumber: UInt16) { self.sequenceNumber = sequenceNumber }
}

extension GlucoseMeasurementContext: ByteReadable, ByteWritable {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let carbohydrate = Flags(rawValue: 0x01)
    static let meal = Flags(rawValue: 0x02)
    static let condition = Flags(rawValue: 0x04)
    static let exercise = Flags(rawValue: 0x08)
    static let medication = Flags(rawValue: 0x10)
    static let liters = Flags(rawValue: 0x20)
    static let hbA1c = Flags(rawValue: 0x40)
    static let extended = Flags(rawValue: 0x80)
  }

  /// Reads flags, number and the fields that the flags announce.
  public init(reading reader: inout ByteReader) throws {
    let flags = Flags(rawValue: try reader.read())
    sequenceNumber = try reader.read()
    if flags.contains(.extended) { extendedFlags = try reader.read() }
    if flags.contains(.carbohydrate) {
      let kind = try CarbohydrateKind(reading: &reader)
      carbohydrate = Carbohydrate(kind, kilograms: try MedFloat16(reading: &reader))
    }
    if flags.contains(.meal) { meal = try Meal(reading: &reader) }
    if flags.contains(.condition) {
      let both = try reader.read(UInt8.self)
      condition = Condition(tester: Tester(rawValue: both & 0xF), health: Health(rawValue: both &>> 4))
    }
    if flags.contains(.exercise) {
      exercise = Exercise(seconds: try reader.read(), intensity: try reader.read())
    }
    if flags.contains(.medication) {
      let kind = try MedicationKind(reading: &reader)
      let amount = try MedFloat16(reading: &reader)
      medication = Medication(kind, amount: amount, unit: flags.contains(.liters) ? .liters : .kilograms)
    }
    if flags.contains(.hbA1c) { hbA1c = try MedFloat16(reading: &reader) }
  }

  /// Appends the context.
  public func write(to writer: inout ByteWriter) {
    var flags: Flags = []
    if carbohydrate != nil { flags.insert(.carbohydrate) }
    if meal != nil { flags.insert(.meal) }
    if condition != nil { flags.insert(.condition) }
    if exercise != nil { flags.insert(.exercise) }
    if medication != nil { flags.insert(.medication) }
    if medication?.unit == .liters { flags.insert(.liters) }
    if hbA1c != nil { flags.insert(.hbA1c) }
    if extendedFlags != nil { flags.insert(.extended) }
    writer.write(flags.rawValue)
    writer.write(sequenceNumber)
    extendedFlags?.write(to: &writer)
    if let carbohydrate {
      carbohydrate.kind.write(to: &writer)
      carbohydrate.kilograms.write(to: &writer)
    }
    meal?.write(to: &writer)
    if let condition { writer.write(condition.health.rawValue &<< 4 | condition.tester.rawValue & 0xF) }
    if let exercise {
      writer.write(exercise.seconds)
      writer.write(exercise.intensity)
    }
    if let medication {
      medication.kind.write(to: &writer)
      medication.amount.write(to: &writer)
    }
    hbA1c?.write(to: &writer)
  }
}
