/// What an advertiser says of itself: the AD structures of its advertisement and scan response (Core 5.4, Vol 3, Part C, 11).
public struct AdvertisingData: Hashable, Sendable {
  /// The structures in the order in which they were sent.
  public var structures: [ADStructure]
  /// What was wrong with the bytes that this was read from; the structures in front of the fault are kept.
  public var problem: ByteError?

  /// Advertising data from its structures.
  public init(_ structures: [ADStructure] = []) {
    self.structures = structures
    problem = nil
  }

  /// Reads the bytes of an advertisement or a scan response.
  ///
  /// A length of 0 ends the data early; what follows is padding (Core 5.4, Vol 3, Part C, 11). A structure that claims
  /// more bytes than there are ends it too, and is told by ``problem``.
  public init(parsing bytes: [UInt8]) {
    self.init()
    var reader = ByteReader(bytes)
    do {
      while !reader.isAtEnd {
        let length = Int(try reader.read(UInt8.self))
        guard length > 0 else { return }
        var field = try reader.readSlice(length)
        structures.append(ADStructure(ADType(rawValue: try field.read()), field.readRemaining()))
      }
    } catch {
      problem = error
    }
  }

  /// The data of the first structure of a type; `nil` if there is none.
  public func first(_ type: ADType) -> [UInt8]? { structures.first { $0.type == type }?.data }

  /// The data of every structure of a type, in order.
  public func all(_ type: ADType) -> [[UInt8]] { structures.filter { $0.type == type }.map(\.data) }
}

extension AdvertisingData: ExpressibleByArrayLiteral {
  /// Advertising data from its structures.
  public init(arrayLiteral structures: ADStructure...) { self.init(structures) }
}

extension AdvertisingData: CustomStringConvertible {
  /// Every structure with its name and its bytes.
  public var description: String {
    structures.map { "\($0.type.name): \(hexadecimal($0.data))" }.joined(separator: ", ")
  }
}
