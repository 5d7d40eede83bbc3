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

  /// A request; by default every 100 to 150 ms and connectable.
  public init(
    name: String? = nil,
    services: [BluetoothUUID] = [],
    more: [ADStructure] = [],
    isConnectable: Bool = true,
    continuesWhileConnected: Bool = true,
    interval: ClosedRange<Duration> = .milliseconds(100) ... .milliseconds(150),
    overflow: Overflow = .fail
  ) {
    self.name = name
    self.services = services
    self.more = more
    self.isConnectable = isConnectable
    self.continuesWhileConnected = continuesWhileConnected
    self.interval = interval
    self.overflow = overflow
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
    var packed = PackedAdvertisement(
      advertisement: [.flags([.generalDiscoverable, .brEDRNotSupported])],
      scanResponse: []
    )
    var left: [ADStructure] = []
    for list in ADStructure.serviceLists(services) where !packed.place(list, capacity) { left.append(list) }
    if let name, !packed.place(.completeLocalName(name), capacity) {
      if overflow == .shorten {
        let room = capacity - min(packed.advertisement.encodedCount, packed.scanResponse.encodedCount)
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

  private static func reason(_ packed: PackedAdvertisement, _ left: [ADStructure], _ capacity: Int) -> String {
    let parts = packed.advertisement.structures + packed.scanResponse.structures + left
    let list = parts.map { "\($0.type.name) \($0.encodedCount)" }.joined(separator: ", ")
    let without = left.map(\.type.name).joined(separator: " and ")
    return "an advertisement and its scan response take \(capacity) bytes each, and there is no room for \(without) "
      + "(in bytes: \(list)); shorten the name, or leave something out"
  }
}

extension PackedAdvertisement {
  /// Puts a structure where it fits first; `false` if it does not.
  fileprivate mutating func place(_ structure: ADStructure, _ capacity: Int) -> Bool {
    guard structure.data.count <= ADStructure.maximumDataCount else { return false }
    if advertisement.encodedCount + structure.encodedCount <= capacity {
      advertisement.structures.append(structure)
    } else if scanResponse.encodedCount + structure.encodedCount <= capacity {
      scanResponse.structures.append(structure)
    } else {
      return false
    }
    return true
  }

  /// Of the services whose lists did not fit, places those that come first as incomplete lists.
  fileprivate mutating func placeSome(of services: [BluetoothUUID], _ left: [ADStructure], _ capacity: Int) {
    for list in ADStructure.serviceLists(services) where left.contains(list) {
      var some = services.filter { ADStructure.serviceLists([$0]).first?.type == list.type }
      while !some.isEmpty {
        some.removeLast()
        if !some.isEmpty, place(.serviceUUIDs(some, complete: false), capacity) { break }
      }
    }
  }
}
