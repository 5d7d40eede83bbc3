/// One AD structure: a type and its data (Core 5.4, Vol 3, Part C, 11).
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
