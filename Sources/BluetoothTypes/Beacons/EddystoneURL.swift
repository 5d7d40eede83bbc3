/// The frame of an Eddystone beacon that points to a page on the web (Eddystone-URL, frame type 0x10).
public struct EddystoneURL: Hashable, Sendable {
  /// How strongly the beacon sends, in dBm at no distance; one metre away it is about 41 dB less.
  public var powerAtZeroMeters: Int8
  private let scheme: UInt8
  private let packed: [UInt8]

  /// How many bytes the frame has for what follows the scheme.
  public static let capacity = 17

  /// Makes a frame.
  ///
  /// - Throws: ``Unencodable`` if the address does not begin with `http://` or `https://`, has a character that no URL
  ///   may have, or needs more than ``capacity`` bytes behind the scheme.
  public init(_ url: String, powerAtZeroMeters: Int8) throws(Unencodable) {
    guard let scheme = Self.schemes.indices.first(where: { url.utf8.starts(with: Self.schemes[$0].utf8) }) else {
      throw Unencodable(url: url, problem: .scheme)
    }
    let packed = Self.pack(url.utf8.dropFirst(Self.schemes[scheme].utf8.count))
    guard let packed else { throw Unencodable(url: url, problem: .character) }
    guard packed.count <= Self.capacity else { throw Unencodable(url: url, problem: .length(packed.count)) }
    self.powerAtZeroMeters = powerAtZeroMeters
    self.scheme = UInt8(truncatingIfNeeded: scheme)
    self.packed = packed
  }

  /// The address, written out.
  public var url: String {
    let start = Int(scheme) < Self.schemes.count ? Self.schemes[Int(scheme)] : ""
    return packed.reduce(into: start) { url, byte in
      if Int(byte) < Self.expansions.count {
        url += Self.expansions[Int(byte)]
      } else {
        url.unicodeScalars.append(UnicodeScalar(byte))
      }
    }
  }

  /// An address that no frame can hold.
  public struct Unencodable: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with it.
    public enum Problem: Hashable, Sendable {
      /// It begins with neither `http://` nor `https://`.
      case scheme
      /// It has a character that is none of a URL; such ones are written with `%`.
      case character
      /// It needs so many bytes behind the scheme.
      case length(Int)
    }

    /// The address as it was given.
    public let url: String
    /// What is wrong with it.
    public let problem: Problem

    /// The address, what is wrong with it and what to do.
    public var description: String {
      switch problem {
      case .scheme: "\"\(url)\" can not be an Eddystone-URL: it must begin with http:// or https://"
      case .character:
        "\"\(url)\" can not be an Eddystone-URL: it has a character that no URL may have; write it with %"
      case .length(let count):
        "\"\(url)\" can not be an Eddystone-URL: it takes \(count) bytes behind the scheme, there is room for "
          + "\(EddystoneURL.capacity); use a shorter address that leads there"
      }
    }
  }
}

extension EddystoneURL: ByteReadable, ByteWritable {
  /// The schemes in the order of their numbers; those with `www.` come first, so that the longest is found first.
  private static let schemes = ["http://www.", "https://www.", "http://", "https://"]

  /// What one byte below 0x0E stands for; those with a slash come first, so that the longest is found first.
  private static let expansions = [
    ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/",
    ".com", ".org", ".edu", ".net", ".info", ".biz", ".gov",
  ]

  /// The bytes that stand for themselves.
  private static let graphic: ClosedRange<UInt8> = 0x21...0x7E

  /// Reads the frame, to the end of the bytes.
  ///
  /// - Throws: ``ByteError`` if the frame is of another type or is cut, has a scheme or a byte that is kept for the
  ///   future, or is longer than any frame.
  public init(reading reader: inout ByteReader) throws {
    try reader.expect(.url)
    powerAtZeroMeters = try reader.read()
    guard Int(try reader.integer(UInt8.self, at: reader.offset)) < Self.schemes.count else {
      throw reader.invalid("the scheme of an Eddystone-URL is 0 to 3")
    }
    scheme = try reader.read()
    guard reader.remaining <= Self.capacity else {
      throw reader.invalid("an Eddystone-URL has 17 bytes at most behind the scheme")
    }
    var packed: [UInt8] = []
    while !reader.isAtEnd {
      let byte = try reader.integer(UInt8.self, at: reader.offset)
      guard Int(byte) < Self.expansions.count || Self.graphic.contains(byte) else {
        throw reader.invalid("the byte means nothing in an Eddystone-URL")
      }
      packed.append(try reader.read())
    }
    self.packed = packed
  }

  /// Appends the frame.
  public func write(to writer: inout ByteWriter) {
    writer.write(EddystoneFrameType.url.rawValue)
    writer.write(powerAtZeroMeters)
    writer.write(scheme)
    writer.write(packed)
  }

  private static func pack(_ text: some Collection<UInt8>) -> [UInt8]? {
    var rest = text[...]
    var packed: [UInt8] = []
    while let next = rest.first {
      if let number = expansions.indices.first(where: { rest.starts(with: expansions[$0].utf8) }) {
        packed.append(UInt8(truncatingIfNeeded: number))
        rest = rest.dropFirst(expansions[number].utf8.count)
      } else if graphic.contains(next) {
        packed.append(next)
        rest = rest.dropFirst()
      } else {
        return nil
      }
    }
    return packed
  }
}

extension EddystoneURL: CustomStringConvertible {
  /// The address and the power.
  public var description: String { "Eddystone-URL \(url), \(powerAtZeroMeters) dBm at 0 m" }
}
