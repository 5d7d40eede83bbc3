import BluetoothTypes

extension PeerID {
  /// The identifier of an advertiser without an address: a version 8 UUID (RFC 9562, 5.8) of what it says and of its set,
  /// so that a scan hears of the same words once, and two devices are never taken for one unless they say the same.
  package init(anonymous data: [UInt8], set: UInt8) {
    let code = AESCMAC.code(of: data, key: 0)
    self.init(
      high: Self.anonymousMark &<< 16 | 0x8000 | UInt64(set),
      low: 0x8000_0000_0000_0000 | UInt64(truncatingIfNeeded: code) &>> 2
    )
  }

  /// Whether it stands for an advertiser without an address.
  package var isAnonymous: Bool { high &>> 16 == Self.anonymousMark }

  private static let anonymousMark: UInt64 = 0x48_41_4C_43_59_41
}
