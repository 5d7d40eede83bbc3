import BluetoothTypes
import Testing

@Suite("AES-128 and private addresses")
struct SecurityTests {
  @Test("blocks are encrypted as FIPS 197 and NIST SP 800-38A say")
  func vectors() {
    let fips = AES128(key: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F)
    #expect(fips.encrypt(0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF) == 0x69C4_E0D8_6A7B_0430_D8CD_B780_70B4_C55A)
    let nist = AES128(key: 0x2B7E_1516_28AE_D2A6_ABF7_1588_09CF_4F3C)
    #expect(nist.encrypt(0x6BC1_BEE2_2E40_9F96_E93D_7E11_7393_172A) == 0x3AD7_7BB4_0D7A_3660_A89E_CAF3_2466_EF97)
    #expect(nist.encrypt(0xAE2D_8A57_1E03_AC9C_9EB7_6FAC_45AF_8E51) == 0xF5D3_D585_03B9_699D_E785_895A_96FD_BAAF)
  }

  @Test("a private address is made and resolved as in the specification's sample (Core 5.4, Vol 3, Part H, D.7)")
  func sample() {
    let key = IdentityKey(0xEC02_34A3_57C8_AD05_3410_10A6_0A39_7D9B)
    let address = BluetoothAddress(0x7081_940D_FBAA, .random)
    #expect(key.address(randomBits: 0x30_8194) == address)
    #expect(key.resolves(address))
    #expect(!key.resolves(BluetoothAddress(0x7081_940D_FBAB, .random)))
    #expect(!key.resolves(BluetoothAddress(0x7081_940D_FBAA, .public)))
    #expect(!IdentityKey(1).resolves(address))
  }

  @Test("every private address has the bits of its kind and is resolved by its own key only")
  func roundTrips() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let key = IdentityKey(UInt128(random.next()) &<< 64 | UInt128(random.next()))
      let bits = UInt32(truncatingIfNeeded: random.next())
      let address = key.address(randomBits: bits)
      #expect(address.randomKind == .resolvablePrivate && !address.isStable)
      #expect(key.resolves(address))
      #expect(IdentityKey(bytes: key.bytes) == key)
    }
    for bits: UInt32 in [0, .max] {
      let part = IdentityKey(1).address(randomBits: bits).value &>> 24 & 0x3F_FFFF
      #expect(part != 0 && part != 0x3F_FFFF)
    }
    #expect(IdentityKey(bytes: [1]) == nil)
    #expect(!IdentityKey(0).resolves(IdentityKey(0).address(randomBits: 7)))
  }

  @Test("identities and plain addresses stand for each other")
  func identities() {
    let address = BluetoothAddress(0xC0DE_0000_0001, .random)
    #expect(address.asIdentity.kind == .randomIdentity && address.asIdentity.plain == address)
    #expect(KnownIdentity(address: BluetoothAddress(1, .publicIdentity), key: IdentityKey(1)).address.kind == .public)
  }
}
