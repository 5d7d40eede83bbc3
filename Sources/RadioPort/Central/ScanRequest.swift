import BluetoothTypes

/// What one scan wants to hear.
public struct ScanRequest: Hashable, Sendable {
  /// Report only advertisers of at least one of these services; empty means all.
  public var services: [BluetoothUUID]
  /// Report each advertisement again every time it is heard; else once until its content changes.
  public var allowsDuplicates: Bool
  /// Ask advertisers for their scan response.
  public var isActive: Bool

  /// A scan; by default active, of everything, each device once.
  public init(services: [BluetoothUUID] = [], allowsDuplicates: Bool = false, isActive: Bool = true) {
    self.services = services
    self.allowsDuplicates = allowsDuplicates
    self.isActive = isActive
  }
}

/// Names one scan of one radio.
public struct ScanID: Hashable, Sendable {
  /// Given out by the radio, never twice.
  public let rawValue: UInt64
  /// An identifier from the number that the radio chose.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// One sighting of an advertiser: what it said, all told, and how strongly it was heard.
public struct Sighting: Hashable, Sendable {
  /// Who advertises.
  public var peer: PeerID
  /// The address, where the radio tells it.
  public var address: BluetoothAddress?
  /// Advertisement and scan response of this device as known so far, merged.
  public var advertisement: AdvertisingData
  /// The strength in dBm; `nil` if the controller could not tell (127).
  public var rssi: Int?
  /// Whether the device takes connections.
  public var isConnectable: Bool
  /// Whether this sighting is the reply to a scan request.
  public var isScanResponse: Bool
  /// When it was heard.
  public var time: RadioInstant

  /// Makes a sighting.
  public init(
    peer: PeerID,
    address: BluetoothAddress?,
    advertisement: AdvertisingData,
    rssi: Int?,
    isConnectable: Bool,
    isScanResponse: Bool,
    time: RadioInstant
  ) {
    self.peer = peer
    self.address = address
    self.advertisement = advertisement
    self.rssi = rssi
    self.isConnectable = isConnectable
    self.isScanResponse = isScanResponse
    self.time = time
  }
}
