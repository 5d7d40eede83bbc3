// How to reach the device: power, intervals, features, addresses elsewhere.
extension AdvertisingData {
  /// The power with which the packet was sent, in dBm.
  public var txPowerLevel: Int? { value(.txPowerLevel) { Int(try $0.read(Int8.self)) } }

  /// The connection intervals that the peripheral prefers.
  public var connectionIntervalRange: ConnectionIntervalRange? {
    value(.peripheralConnectionIntervalRange) { try ConnectionIntervalRange(reading: &$0) }
  }

  /// The interval at which the device advertises.
  public var advertisingInterval: Duration? {
    let units =
      value(.advertisingIntervalLong) { try $0.readInteger(UInt64.self, byteCount: $0.remaining >= 4 ? 4 : 3) }
      ?? value(.advertisingInterval) { try $0.readInteger(UInt64.self, byteCount: 2) }
    return units.map { .microseconds($0 * 625) }
  }

  /// An address on the web or elsewhere, with its scheme written out; what is not UTF-8 in it is replaced by U+FFFD.
  public var uri: String? { first(.uri).flatMap(AdvertisedURI.expand) }

  /// The features of the device's link layer (Core 5.4, Vol 6, Part B, 4.6), bit 0 first; bytes that were left out are 0.
  public var leSupportedFeatures: UInt64? {
    value(.leSupportedFeatures) { try $0.readInteger(UInt64.self, byteCount: min($0.remaining, 8)) }
  }
}
