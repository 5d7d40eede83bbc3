import BluetoothTypes
import Testing

@Suite struct MedFloatTests {
  @Test("Decimal numbers have the bits of IEEE 11073-20601")
  func vectors() throws {
    #expect(MedFloat32(36.6).bytes == [0x6E, 0x01, 0x00, 0xFF])
    #expect(try MedFloat32(bytes: [0x24, 0x0E, 0x00, 0xFE]).double == 36.2)
    #expect(MedFloat32(-1.5).bytes == [0xF1, 0xFF, 0xFF, 0xFF])
    #expect(MedFloat32(0).rawValue == 0)
    #expect(MedFloat32(120).rawValue == 120)
    #expect(MedFloat32(mantissa: 5, exponent: 30)?.double == 5e30)
    #expect(MedFloat16(114).rawValue == 0x0072)
    #expect(try MedFloat16(bytes: [0x6C, 0xF3]).double == 87.6)
    #expect(MedFloat16(-0.5).rawValue == 0xFFFB)
    #expect(MedFloat16(20450).rawValue == 0x17FD)
  }

  @Test("The special values are told apart from numbers")
  func specials() {
    #expect(MedFloat32.nan.double.isNaN && MedFloat16.nan.double.isNaN)
    #expect(MedFloat32.notAtThisResolution.double.isNaN && MedFloat16.reserved.double.isNaN)
    #expect(MedFloat32.positiveInfinity.double == .infinity)
    #expect(MedFloat16.negativeInfinity.double == -.infinity)
    #expect(MedFloat32(.nan) == .nan && MedFloat16(.nan) == .nan)
    #expect(MedFloat32(-.infinity) == .negativeInfinity && MedFloat16(1e12) == .positiveInfinity)
    #expect(!MedFloat16(rawValue: 0x07FF).isNumber && MedFloat16(rawValue: 0xF7FF).isNumber)
    #expect(MedFloat16(mantissa: 2046, exponent: 0) == nil && MedFloat16(mantissa: 1, exponent: 8) == nil)
  }

  @Test("Every 16-bit number keeps its value when it is written and read again")
  func everyShortNumber() {
    for bits in UInt16.min...UInt16.max {
      let number = MedFloat16(rawValue: bits)
      guard number.isNumber, number.mantissa.magnitude <= 2045 else { continue }
      if MedFloat16(number.double).double != number.double { Issue.record("\(bits)") }
    }
  }

  @Test("Random 32-bit numbers keep their value when they are written and read again")
  func randomNumbers() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<5000 {
      let number = MedFloat32(rawValue: .random(in: 0...UInt32.max, using: &random))
      guard number.isNumber, number.mantissa.magnitude <= 8_388_605 else { continue }
      let again = MedFloat32(number.double).double
      #expect((again - number.double).magnitude <= number.double.magnitude * 1e-15)
    }
    #expect(MedFloat32(1e-200).double == 0)
  }
}
