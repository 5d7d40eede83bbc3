/// The UUID of a service, kept apart from those of characteristics so that `.heartRate` says what it is.
public struct ServiceID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The UUID itself.
  public let uuid: BluetoothUUID

  /// A service by its UUID.
  public init(_ uuid: BluetoothUUID) { self.uuid = uuid }

  /// A service by a UUID written in the source.
  public init(stringLiteral value: StaticString) { uuid = BluetoothUUID(stringLiteral: value) }

  /// The shortest form of the UUID.
  public var description: String { uuid.description }
}
