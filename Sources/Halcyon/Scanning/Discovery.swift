import BluetoothTypes
import RadioPort

/// What a scan has heard of a device.
public struct Discovery: Sendable, Identifiable {
  /// The device; the same object each time it is found by the same central.
  public let peripheral: Peripheral
  /// All that the device says of itself, scan response included.
  public let advertisement: AdvertisingData
  /// How strongly it was heard, in dBm; `nil` if the controller could not tell.
  public let rssi: Int?
  /// How strongly it was heard lately, in dBm: a mean of what this central has heard of it, in which the last second
  /// counts for about half. `nil` if no controller could ever tell; what could not be told does not count.
  public let smoothedRSSI: Double?
  /// Whether it takes connections.
  public let isConnectable: Bool
  /// When it was heard, in the radio's time.
  public let seenAt: RadioInstant

  /// What names the device.
  public var id: PeerID { peripheral.id }
  /// What the device calls itself, in this advertisement or as it is known from before.
  public var name: String? { advertisement.localName ?? peripheral.name }
  /// The beacon that it is, if it is one: an iBeacon or an Eddystone frame.
  public var beacon: Beacon? { advertisement.beacon }
}
