/// One packet between host and controller, with its H4 packet indicator in front (Core 5.4, Vol 4, Part A, 2).
public struct HCIPacket: Hashable, Sendable {
  /// The packet indicators.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// Host to controller.
    case command = 1
    /// Data, both ways.
    case acl = 2
    /// Synchronous data, both ways; no part of Low Energy.
    case synchronous = 3
    /// Controller to host.
    case event = 4
    /// Isochronous data, both ways.
    case isochronous = 5
  }

  /// Which way a packet goes.
  public enum Direction: Hashable, Sendable, CaseIterable {
    /// From the host to its controller.
    case toController
    /// From the controller to its host.
    case toHost
  }

  /// What the packet is.
  public let kind: Kind
  /// The whole packet; the first byte is the indicator.
  public let bytes: [UInt8]

  /// Takes a whole packet whose first byte is the indicator; `nil` if that is none.
  public init?(_ bytes: [UInt8]) {
    guard let first = bytes.first, let kind = Kind(rawValue: first) else { return nil }
    self.kind = kind
    self.bytes = bytes
  }

  /// Puts the indicator in front of `payload`.
  @inlinable
  public init(_ kind: Kind, payload: some Collection<UInt8>) {
    self.kind = kind
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 1)
    bytes.append(kind.rawValue)
    bytes.append(contentsOf: payload)
    self.bytes = bytes
  }

  /// Takes a whole packet that was written with its indicator in front.
  package init(_ kind: Kind, whole bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// Reads what stands behind the indicator.
  public var reader: ByteReader { ByteReader(bytes, in: 1..<bytes.count) }
}
