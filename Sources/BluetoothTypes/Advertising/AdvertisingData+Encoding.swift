extension AdvertisingData {
  /// How many bytes a legacy advertisement, and likewise its scan response, has room for
  /// (Core 5.4, Vol 6, Part B, 2.3.1.1).
  public static let legacyCapacity = 31
  /// How many bytes an extended advertisement has room for (Core 5.4, Vol 4, Part E, 7.8.54).
  public static let extendedCapacity = 1650

  /// How many bytes the structures take.
  public var encodedCount: Int { structures.reduce(0) { $0 &+ $1.encodedCount } }

  /// The bytes to advertise.
  ///
  /// - Parameter capacity: How many bytes there is room for, by default those of a legacy advertisement.
  /// - Throws: ``TooLong`` if they do not fit; nothing is cut off.
  public func encoded(fitting capacity: Int = legacyCapacity) throws(TooLong) -> [UInt8] {
    guard encodedCount <= capacity, structures.allSatisfy({ $0.data.count <= ADStructure.maximumDataCount }) else {
      throw TooLong(data: self, capacity: capacity)
    }
    var writer = ByteWriter(capacity: encodedCount)
    for structure in structures {
      writer.write(UInt8(truncatingIfNeeded: structure.data.count &+ 1))
      writer.write(structure.type.rawValue)
      writer.write(structure.data)
    }
    return writer.bytes
  }

  /// Advertising data that does not fit where it should go.
  public struct TooLong: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was to be encoded.
    public let data: AdvertisingData
    /// How many bytes there is room for.
    public let capacity: Int

    /// What takes the room, and what to do.
    public var description: String {
      let longest = data.structures.max { $0.encodedCount < $1.encodedCount }
      if let longest, longest.data.count > ADStructure.maximumDataCount {
        return "the advertising data can not be encoded: \(longest.type.name) has \(longest.data.count) bytes, "
          + "one structure takes \(ADStructure.maximumDataCount) at most"
      }
      let hint = longest.map { "; the longest part is \($0.type.name) with \($0.encodedCount)" } ?? ""
      return "the advertising data takes \(data.encodedCount) bytes but there is room for \(capacity)\(hint): "
        + "leave something out, shorten the name, or move a part to the scan response"
    }
  }
}

extension ADStructure {
  /// The most bytes that one structure can hold, as its length has one byte and counts the type.
  public static let maximumDataCount = 254

  /// How many bytes the structure takes, length and type included.
  public var encodedCount: Int { data.count &+ 2 }
}
