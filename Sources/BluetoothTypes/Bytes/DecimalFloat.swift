/// The arithmetic that both decimal formats of IEEE 11073-20601 share: a number is mantissa × 10^exponent.
enum DecimalFloat {
  /// The number as the nearest binary one.
  static func double(mantissa: Int, exponent: Int) -> Double {
    // Powers of ten up to 10^22 are exact, so that one division or product rounds once; text is rounded once as well.
    if -22...22 ~= exponent {
      let power = (0..<exponent.magnitude).reduce(1.0) { power, _ in power * 10 }
      return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    }
    return Double("\(mantissa)e\(exponent)") ?? .nan
  }

  /// The nearest number that the format can hold, without needless zeros behind the decimal point.
  ///
  /// - Returns: `nil` if `value` is not finite or beyond the greatest number of the format.
  static func nearest(
    _ value: Double,
    mantissaLimit: Int,
    exponents: ClosedRange<Int>
  ) -> (mantissa: Int, exponent: Int)? {
    guard value.isFinite else { return nil }
    for finest in exponents {
      let scaled = (value / double(mantissa: 1, exponent: finest)).rounded()
      guard scaled.magnitude <= Double(mantissaLimit) else { continue }
      var mantissa = Int(scaled)
      var exponent = finest
      while exponent < 0, mantissa.isMultiple(of: 10) {
        mantissa /= 10
        exponent += 1
      }
      return (mantissa, exponent)
    }
    return nil
  }
}
