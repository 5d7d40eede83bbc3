/// A decimal number of 32 bits, as medical devices send it: the FLOAT of IEEE 11073-20601, `medfloat32` in the GATT
/// Specification Supplement.
///
/// A value keeps its digits: 36.6 and 36.60 are equal as numbers (``double``) but not as values of this type.
public struct MedFloat32: RawRepresentable, Hashable, Sendable {
  /// The bits: the exponent of the base ten in the upper 8, the mantissa in the lower 24, both signed.
  public let rawValue: UInt32

  /// A number from its bits.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Not a number: the measurement failed.
  public static let nan = MedFloat32(rawValue: 0x007F_FFFF)
  /// Not at this resolution: the number can not be told with so few digits.
  public static let notAtThisResolution = MedFloat32(rawValue: 0x0080_0000)
  /// Above what can be told.
  public static let positiveInfinity = MedFloat32(rawValue: 0x007F_FFFE)
  /// Below what can be told.
  public static let negativeInfinity = MedFloat32(rawValue: 0x0080_0002)
  /// Kept for later use.
  public static let reserved = MedFloat32(rawValue: 0x0080_0001)

  /// The greatest mantissa of a number; those beyond it stand for the special values.
  static let mantissaLimit = 8_388_605
  static let exponents = -128...127
}

extension MedFloat32 {
  /// A number from its digits: `mantissa` × 10^`exponent`.
  ///
  /// - Returns: `nil` if the mantissa lies outside ±8_388_605 or the exponent outside -128...127.
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
    let upper = UInt32(truncatingIfNeeded: exponent) &<< 24
    self.init(rawValue: upper | UInt32(truncatingIfNeeded: mantissa) & 0x00FF_FFFF)
  }

  /// The mantissa with its sign.
  public var mantissa: Int { Int(Int32(bitPattern: rawValue &<< 8) &>> 8) }

  /// The exponent of the base ten, -128 to 127.
  public var exponent: Int { Int(Int32(bitPattern: rawValue) &>> 24) }

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

extension MedFloat32: ByteReadable, ByteWritable {}

extension MedFloat32: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible {
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
