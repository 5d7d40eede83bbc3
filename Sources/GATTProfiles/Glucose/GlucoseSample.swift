/// What was sampled, in four bits (Glucose Service 1.0.1, 3.1): an open set.
public struct GlucoseSampleType: RawRepresentable, Hashable, Sendable {
  /// The number, 0 to 15; its upper four bits are not sent.
  public let rawValue: UInt8

  /// A value from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Whole blood from capillaries.
  public static let capillaryWholeBlood = GlucoseSampleType(rawValue: 1)
  /// Plasma from capillaries.
  public static let capillaryPlasma = GlucoseSampleType(rawValue: 2)
  /// Whole blood from a vein.
  public static let venousWholeBlood = GlucoseSampleType(rawValue: 3)
  /// Plasma from a vein.
  public static let venousPlasma = GlucoseSampleType(rawValue: 4)
  /// Whole blood from an artery.
  public static let arterialWholeBlood = GlucoseSampleType(rawValue: 5)
  /// Plasma from an artery.
  public static let arterialPlasma = GlucoseSampleType(rawValue: 6)
  /// Whole blood from somewhere.
  public static let undeterminedWholeBlood = GlucoseSampleType(rawValue: 7)
  /// Plasma from somewhere.
  public static let undeterminedPlasma = GlucoseSampleType(rawValue: 8)
  /// Interstitial fluid.
  public static let interstitialFluid = GlucoseSampleType(rawValue: 9)
  /// A control solution.
  public static let controlSolution = GlucoseSampleType(rawValue: 10)
}

/// Where a sample was taken, in four bits (Glucose Service 1.0.1, 3.1): an open set.
public struct GlucoseSampleLocation: RawRepresentable, Hashable, Sendable {
  /// The number, 0 to 15; its upper four bits are not sent.
  public let rawValue: UInt8

  /// A value from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A finger.
  public static let finger = GlucoseSampleLocation(rawValue: 1)
  /// Another site.
  public static let alternateSite = GlucoseSampleLocation(rawValue: 2)
  /// An ear lobe.
  public static let earLobe = GlucoseSampleLocation(rawValue: 3)
  /// A control solution.
  public static let controlSolution = GlucoseSampleLocation(rawValue: 4)
  /// Not known.
  public static let notAvailable = GlucoseSampleLocation(rawValue: 15)
}
