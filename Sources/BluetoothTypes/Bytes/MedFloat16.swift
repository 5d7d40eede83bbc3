/// A decimal number of 16 bits, as medical devices send it: the SFLOAT of IEEE 11073-20601, `medfloat16` in the GATT
/// Specification Supplement.
///
/// A value keeps its digits: 36.6 and 36.60 are equal as numbers (``double``) but not as values of this type.
public struct MedFloat16: RawRepresentable, Hashable, Sendable {
  /// The bits: the exponent of the base ten in the upper 4, the mantissa in the lower 12, both signed.
  public let rawValue: UInt16

  /// A number from its bits.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Not a number: the measurement failed.
  public static let nan = MedFloat16(rawValue: 0x07FF)
  /// Not at this resolution: the number can not be told with so few digits.
  public static let notAtThisResolution = MedFloat16(rawValue: 0x0800)
  /// Above what can be told.
  public static let positiveInfinity = MedFloat16(rawValue: 0x07FE)
  /// Below what can be told.
  public static let negativeInfinity = MedFloat16(rawValue: 0x0802)
  /// Kept for later use.
  public static let reserved = MedFloat16(rawValue: 0x0801)

  /// The greatest mantissa of a number; those beyond it stand for the special values.
  static let mantissaLimit = 2045
  static let exponents = -8...7
}

extension MedFloat16 {
  /// A number from its digits: `mantissa` × 10^`exponent`.
  ///
  /// - Returns: `nil` if the mantissa lies outside ±2045 or the exponent outside -8...7.
  public init?(mantissa: Int, exponent: Int) {
    guard -Self.mantissaLimit...Self.mantissaLimit ~= mantissa, Self.exponents ~= exponent else { return nil }
    self.init(digits: mantissa, exponent)
  }

  /// The nearest number to `value`; infinity beyond the greatest one, ``nan`` if `value` is none.
  public init(_ value: Double) {
    if let nearest = DecimalFloat.nearest(value, mantissaLimit: Self.mantissaLimit, exponents: Self.exponents) {
      self.init(digits: nearest.mantissa, nearest.exponent)
    } else if value.isNaN {
      self = .nan
    } else {
      self = value < 0 ? .negativeInfinity : .positiveInfinity
    }
  }

  private init(digits mantissa: Int, _ exponent: Int) {
    let upper = UInt16(truncatingIfNeeded: exponent) &<< 12
    self.init(rawValue: upper | UInt16(truncatingIfNeeded: mantissa) & 0x0FFF)
  }

  /// The mantissa with its sign.
  public var mantissa: Int { Int(Int16(bitPattern: rawValue &<< 4) &>> 4) }

  /// The exponent of the base ten, -8 to 7.
  public var exponent: Int { Int(Int16(bitPattern: rawValue) &>> 12) }

  /// Whether it is a number at all, and none of the special values.
  public var isNumber: Bool {
    ![.nan, .notAtThisResolution, .positiveInfinity, .negativeInfinity, .reserved].contains(self)
  }

  /// The number as a binary one; not a number for ``nan``, ``notAtThisResolution`` and ``reserved``.
  public var double: Double {
    switch self {
    case .nan, .notAtThisResolution, .reserved: .nan
    case .positiveInfinity: .infinity
    case .negativeInfinity: -.infinity
    default: DecimalFloat.double(mantissa: mantissa, exponent: exponent)
    }
  }
}

extension MedFloat16: ByteReadable, ByteWritable {}

extension MedFloat16: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The nearest number to a literal.
  public init(floatLiteral value: Double) { self.init(value) }

  /// The nearest number to a literal.
  public init(integerLiteral value: Int) { self.init(Double(value)) }

  /// The number, or what stands for none.
  public var description: String {
    switch self {
    case .notAtThisResolution: "not at this resolution"
    case .reserved: "reserved"
    default: "\(double)"
    }
  }
}
