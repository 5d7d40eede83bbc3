/// What an advertiser says of itself: the AD structures of its advertisement and scan response (Core 5.4, Vol 3, Part C, 11).
public struct AdvertisingData: Hashable, Sendable {
  /// The structures in the order in which they were sent.
  public var structures: [ADStructure]

  /// Advertising data from its structures.
  public init(_ structures: [ADStructure] = []) { self.structures = structures }
}

/// One AD structure: a type and its data.
public struct ADStructure: Hashable, Sendable {
  /// What the data means.
  public var type: ADType
  /// The data, without length and type.
  public var data: [UInt8]

  /// Makes a structure.
  public init(_ type: ADType, _ data: [UInt8]) {
    self.type = type
    self.data = data
  }
}

/// What an AD structure holds (Assigned Numbers, 2.3): an open set.
public struct ADType: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: UInt8
  /// A type from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
}
