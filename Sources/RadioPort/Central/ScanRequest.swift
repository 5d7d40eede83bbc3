import BluetoothTypes

/// What one scan wants to hear.
public struct ScanRequest: Hashable, Sendable {
  /// Report only advertisers of at least one of these services; empty means all.
  public var services: [BluetoothUUID]
  /// Report each advertisement again every time it is heard; else once until its content changes.
  public var allowsDuplicates: Bool
  /// Ask advertisers for their scan response.
  public var isActive: Bool
  /// Where to listen for advertisers: on 1M, on Coded, or in turns on both. A radio without extended advertising has 1M
  /// alone, and on 2M nobody can be found; a set with nothing else counts as 1M.
  public var phys: Set<RadioPHY>
  /// Whether to hear extended advertising too, where the radio has it.
  public var includesExtended: Bool

  /// A scan; by default active, on 1M, of everything, each device once.
  public init(
    services: [BluetoothUUID] = [],
    allowsDuplicates: Bool = false,
    isActive: Bool = true,
    phys: Set<RadioPHY> = [.le1M],
    includesExtended: Bool = true
  ) {
    self.services = services
    self.allowsDuplicates = allowsDuplicates
    self.isActive = isActive
    self.phys = phys
    self.includesExtended = includesExtended
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
  /// Who advertises. One that advertises without an address (``AdvertisingChannel/isAnonymous``) can be told from no
  /// other: it goes by what it says, with its set, so that the same words are one peer, and others another one.
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
  /// How it was advertised; by default by legacy packets.
  public var channel: AdvertisingChannel

  /// Makes a sighting.
  public init(
    peer: PeerID,
    address: BluetoothAddress?,
    advertisement: AdvertisingData,
    rssi: Int?,
    isConnectable: Bool,
    isScanResponse: Bool,
    time: RadioInstant,
    channel: AdvertisingChannel = .legacy
  ) {
    self.peer = peer
    self.address = address
    self.advertisement = advertisement
    self.rssi = rssi
    self.isConnectable = isConnectable
    self.isScanResponse = isScanResponse
    self.time = time
    self.channel = channel
  }
}

/// By which packets something was advertised.
public struct AdvertisingChannel: Hashable, Sendable {
  /// The PHY of the first packets.
  public var primaryPHY: RadioPHY
  /// The PHY of the packets with the data; `nil` for legacy advertising.
  public var secondaryPHY: RadioPHY?
  /// Which of the advertiser's sets it was, 0 to 15; `nil` for legacy advertising. Each set is sighted by itself.
  public var set: UInt8?
  /// The power in dBm that the packets tell beside the data; `nil` if they tell none.
  public var power: Int?
  /// The changing address that was resolved, where ``Sighting/address`` is the identity behind it.
  public var privateAddress: BluetoothAddress?
  /// Whether the end of the data was lost on the way; what is there is whole as far as it goes.
  public var isTruncated: Bool
  /// Whether the advertiser hides its address, and so can not be connected to.
  public var isAnonymous: Bool
  /// Whether it was directed to this radio alone.
  public var isDirected: Bool

  /// A way of advertising; by default legacy.
  public init(
    primaryPHY: RadioPHY = .le1M,
    secondaryPHY: RadioPHY? = nil,
    set: UInt8? = nil,
    power: Int? = nil,
    privateAddress: BluetoothAddress? = nil,
    isTruncated: Bool = false,
    isAnonymous: Bool = false,
    isDirected: Bool = false
  ) {
    self.primaryPHY = primaryPHY
    self.secondaryPHY = secondaryPHY
    self.set = set
    self.power = power
    self.privateAddress = privateAddress
    self.isTruncated = isTruncated
    self.isAnonymous = isAnonymous
    self.isDirected = isDirected
  }

  /// Legacy advertising, which every radio has.
  public static let legacy = AdvertisingChannel()

  /// Whether it was extended advertising.
  public var isExtended: Bool { secondaryPHY != nil }
}
