/// What an advertiser says of itself: the AD structures of its advertisement and scan response (Core 5.4, Vol 3, Part C, 11).
public struct AdvertisingData: Hashable, Sendable {
  /// The structures in the order in which they were sent.
  public var structures: [ADStructure]

  /// Advertising data from its structures.
  public init(_ structures: [ADStructure] = []) { self.structures = structures }
}
