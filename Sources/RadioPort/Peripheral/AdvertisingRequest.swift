import BluetoothTypes

/// What one owner wants to advertise.
public struct AdvertisingRequest: Hashable, Sendable {
  /// What to do with what does not fit into an advertisement and its scan response.
  public enum Overflow: Hashable, Sendable {
    /// Nothing is advertised; the failure says what takes the room.
    case fail
    /// The name is shortened and services are left out, as far as needed.
    case shorten
  }

  /// By which packets to advertise.
  public enum Format: Hashable, Sendable {
    /// By those that every scanner hears: 31 bytes, and 31 more for who asks.
    case legacy
    /// By those of Bluetooth 5, in a set of the owner's own: up to 1650 bytes, or 245 of a device that takes connections,
    /// and all PHYs. Old scanners do not hear them. `.unsupported` where the radio has none.
    ///
    /// - Parameters:
    ///   - primaryPHY: 1M, or Coded for distance.
    ///   - secondaryPHY: The PHY of the packets with the data.
    case extended(primaryPHY: RadioPHY = .le1M, secondaryPHY: RadioPHY = .le1M)
  }

  /// Whom an advertisement is for, and how it gives its data.
  public enum Kind: Hashable, Sendable {
    /// It is for everybody and says its data to all. In the legacy format what does not fit is told to who asks.
    case undirected
    /// It is for everybody, takes no connections, and tells its data only to scanners that ask: up to 1650 bytes in the
    /// extended format.
    case scannable
    /// It is for one device, and no other may connect. In the legacy format it takes connections and has no data.
    ///
    /// - Parameters:
    ///   - peer: The device, by its address.
    ///   - isUrgent: Legacy format: as fast as can be, for 1.28 s, after which it ends with `.timedOut`.
    case directed(to: PeerID, isUrgent: Bool = false)
    /// It does not say from whom it comes: extended format, no connections.
    case anonymous
  }

  /// The name; `nil` for none.
  public var name: String?
  /// The services, most important first.
  public var services: [BluetoothUUID]
  /// What else to say, most important first. The flags are the radio's own.
  public var more: [ADStructure]
  /// Whether centrals may connect.
  public var isConnectable: Bool
  /// Whether to go on, for others, while a central is connected. Where the controller can not, it goes on when there
  /// is none any more.
  public var continuesWhileConnected: Bool
  /// The time from one advertisement to the next, 20 ms to 10.24 s, where the radio lets one choose.
  public var interval: ClosedRange<Duration>
  /// What to do with what does not fit.
  public var overflow: Overflow
  /// By which packets to advertise.
  public var format: Format
  /// Whom it is for, and how it gives its data.
  public var kind: Kind
  /// Extended format: whether the packets tell the power in dBm with which they are sent, beside the data.
  public var includesTransmitPower: Bool

  /// A request; by default every 100 to 150 ms and connectable.
  public init(
    name: String? = nil,
    services: [BluetoothUUID] = [],
    more: [ADStructure] = [],
    isConnectable: Bool = true,
    continuesWhileConnected: Bool = true,
    interval: ClosedRange<Duration> = .milliseconds(100) ... .milliseconds(150),
    overflow: Overflow = .fail,
    format: Format = .legacy,
    kind: Kind = .undirected,
    includesTransmitPower: Bool = false
  ) {
    self.name = name
    self.services = services
    self.more = more
    self.isConnectable = isConnectable
    self.continuesWhileConnected = continuesWhileConnected
    self.interval = interval
    self.overflow = overflow
    self.format = format
    self.kind = kind
    self.includesTransmitPower = includesTransmitPower
  }
}

/// An advertisement and its scan response, each within its room.
public struct PackedAdvertisement: Hashable, Sendable {
  /// What everybody hears.
  public var advertisement: AdvertisingData
  /// What is told to who asks.
  public var scanResponse: AdvertisingData

  /// Makes a packed advertisement.
  public init(advertisement: AdvertisingData, scanResponse: AdvertisingData) {
    self.advertisement = advertisement
    self.scanResponse = scanResponse
  }
}

extension AdvertisingRequest {
  /// Puts flags, services and the rest into the advertisement as far as there is room, most important first, and what
  /// does not fit there into the scan response.
  ///
  /// - Parameter capacity: How many bytes each of the two has room for.
  /// - Throws: `.tooLong`, if ``overflow`` says so, with a reason that names what takes the room.
  public func packed(
    capacity: Int = AdvertisingData.legacyCapacity
  ) throws(RadioFailure) -> PackedAdvertisement {
    try packed(capacity, responseCapacity: capacity)
  }

  /// Puts all into the one packet, or the one chain of packets, of extended advertising.
  ///
  /// - Parameter capacity: How many bytes there is room for.
  /// - Throws: `.tooLong`, if ``overflow`` says so, with a reason that names what takes the room.
  public func packedExtended(capacity: Int) throws(RadioFailure) -> AdvertisingData {
    try packed(capacity, responseCapacity: 0).advertisement
  }

  private func packed(_ capacity: Int, responseCapacity: Int) throws(RadioFailure) -> PackedAdvertisement {
    let capacity = Capacity(advertisement: capacity, response: responseCapacity)
    var packed = PackedAdvertisement(
      advertisement: [.flags([.generalDiscoverable, .brEDRNotSupported])],
      scanResponse: []
    )
    var left: [ADStructure] = []
    for list in ADStructure.serviceLists(services) where !packed.place(list, capacity) { left.append(list) }
    if let name, !packed.place(.completeLocalName(name), capacity) {
      if overflow == .shorten {
        let room = max(
          capacity.advertisement - packed.advertisement.encodedCount,
          capacity.response - packed.scanResponse.encodedCount
        )
        let short = ADStructure.localName(name, fitting: room)
        if !short.data.isEmpty { _ = packed.place(short, capacity) }
      } else {
        left.append(.completeLocalName(name))
      }
    }
    for structure in more where !packed.place(structure, capacity) { left.append(structure) }
    guard !left.isEmpty else { return packed }
    if overflow == .shorten {
      packed.placeSome(of: services, left, capacity)
      return packed
    }
    throw RadioFailure(.tooLong, reason: Self.reason(packed, left, capacity))
  }

  private static func reason(_ packed: PackedAdvertisement, _ left: [ADStructure], _ capacity: Capacity) -> String {
    let parts = packed.advertisement.structures + packed.scanResponse.structures + left
    let list = parts.map { "\($0.type.name) \($0.encodedCount)" }.joined(separator: ", ")
    let without = left.map(\.type.name).joined(separator: " and ")
    let room =
      capacity.response > 0
      ? "an advertisement and its scan response take \(capacity.advertisement) bytes each"
      : "an extended advertisement takes \(capacity.advertisement) bytes here"
    let advice = left.contains { $0.type == .completeLocalName } ? nameAdvice(packed, capacity) : "leave something out"
    return "\(room), and there is no room for \(without) (in bytes: \(list)); \(advice)"
  }

  /// How long a name may be beside what has found its place.
  private static func nameAdvice(_ packed: PackedAdvertisement, _ capacity: Capacity) -> String {
    let room = max(
      capacity.advertisement - packed.advertisement.encodedCount,
      capacity.response - packed.scanResponse.encodedCount
    )
    // Length and type take two.
    guard room > 2 else { return "leave the name out, or something else" }
    return "a name of up to \(counted(room - 2, "byte")) of UTF-8 fits, or leave something out"
  }
}

/// How many bytes there is room for.
private struct Capacity {
  let advertisement: Int
  let response: Int
}

extension PackedAdvertisement {
  /// Puts a structure where it fits first; `false` if it does not.
  fileprivate mutating func place(_ structure: ADStructure, _ capacity: Capacity) -> Bool {
    guard structure.data.count <= ADStructure.maximumDataCount else { return false }
    if advertisement.encodedCount + structure.encodedCount <= capacity.advertisement {
      advertisement.structures.append(structure)
    } else if scanResponse.encodedCount + structure.encodedCount <= capacity.response {
      scanResponse.structures.append(structure)
    } else {
      return false
    }
    return true
  }

  /// Of the services whose lists did not fit, places those that come first as incomplete lists.
  fileprivate mutating func placeSome(of services: [BluetoothUUID], _ left: [ADStructure], _ capacity: Capacity) {
    for list in ADStructure.serviceLists(services) where left.contains(list) {
      var some = services.filter { ADStructure.serviceLists([$0]).first?.type == list.type }
      while !some.isEmpty {
        some.removeLast()
        if !some.isEmpty, place(.serviceUUIDs(some, complete: false), capacity) { break }
      }
    }
  }
}
