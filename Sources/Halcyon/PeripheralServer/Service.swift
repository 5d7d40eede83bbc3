import BluetoothTypes

/// A service that a ``PeripheralServer`` offers: what it is, and what it holds.
///
/// ```swift
/// Service(.heartRate) {
///   Notifying(.heartRateMeasurement)
///   Readable(.bodySensorLocation) { .chest }
///   Writable(.heartRateControlPoint) { command in … }
/// }
/// ```
/// Parts with the same characteristic make one characteristic that can do all of it. To have two with the same UUID, put
/// the parts of each into a ``Separate``. (A service that was found on a device is a ``Peripheral/Service``.)
public struct Service: Sendable {
  /// What it is.
  public let id: ServiceID
  /// Whether it is found by itself; a secondary service is found only through those that include it.
  public let isPrimary: Bool
  /// The services that it includes. One that does not stand among the server's services is published before it.
  public let includes: [Service]
  let parts: [CharacteristicPart]
  let identity = PartIdentity()

  /// Makes a service. Copies of it are the same service.
  public init(
    _ id: ServiceID,
    isPrimary: Bool = true,
    includes: [Service] = [],
    @ServiceContentBuilder _ content: () -> [CharacteristicPart]
  ) {
    self.id = id
    self.isPrimary = isPrimary
    self.includes = includes
    parts = content()
  }
}

/// What can stand in a ``Service``: ``Readable``, ``Writable``, ``Notifying``, ``Indicating``, ``Described`` and
/// ``Separate``.
public protocol ServiceContent: Sendable {
  /// What it adds to the service.
  var parts: [CharacteristicPart] { get }
}

/// One ability of one characteristic.
public struct CharacteristicPart: Sendable {
  enum Ability: Sendable {
    case read(ReadSource, AccessProtection)
    case write(WriteHandler, WriteType, isReliable: Bool, AccessProtection)
    case send(SendMode, SubscriptionHandler?, AccessProtection)
    case description(String)
    case descriptor(BluetoothUUID, [UInt8])
  }

  var name: CharacteristicName
  var ability: Ability
  var identity = PartIdentity()
  /// The ``Separate`` that it stands in.
  var group: PartIdentity?
}

/// Tells apart what looks alike; copies keep it.
final class PartIdentity: Sendable, Hashable {
  static func == (left: PartIdentity, right: PartIdentity) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// How a value gets to who has subscribed.
enum SendMode: Hashable, Sendable { case notification, indication }

enum ReadSource: Sendable {
  case stored([UInt8])
  case handler(@Sendable (CentralRequest) async throws -> [UInt8])
}

/// Judges the bytes at once, so that nothing of several writes is carried out if one can not be read; gives what is to be
/// carried out.
typealias WriteHandler =
  @Sendable ([UInt8], CentralRequest) throws(ATTErrorCode) -> (@Sendable () async throws -> Void)

typealias SubscriptionHandler = @Sendable (ServerCore.Feed) async throws -> Void

/// Collects the content of a ``Service``.
@resultBuilder
public enum ServiceContentBuilder {
  /// One part.
  public static func buildExpression(_ content: some ServiceContent) -> [CharacteristicPart] { content.parts }
  /// All parts.
  public static func buildBlock(_ parts: [CharacteristicPart]...) -> [CharacteristicPart] { Array(parts.joined()) }
  /// The parts of an `if` without `else`.
  public static func buildOptional(_ parts: [CharacteristicPart]?) -> [CharacteristicPart] { parts ?? [] }
  /// The parts of the first branch.
  public static func buildEither(first parts: [CharacteristicPart]) -> [CharacteristicPart] { parts }
  /// The parts of the second branch.
  public static func buildEither(second parts: [CharacteristicPart]) -> [CharacteristicPart] { parts }
  /// The parts of a loop.
  public static func buildArray(_ parts: [[CharacteristicPart]]) -> [CharacteristicPart] { Array(parts.joined()) }
}

/// Collects the services of a ``PeripheralServer``.
@resultBuilder
public enum ServiceBuilder {
  /// One service.
  public static func buildExpression(_ service: Service) -> [Service] { [service] }
  /// Several services.
  public static func buildExpression(_ services: [Service]) -> [Service] { services }
  /// All services.
  public static func buildBlock(_ services: [Service]...) -> [Service] { Array(services.joined()) }
  /// The services of an `if` without `else`.
  public static func buildOptional(_ services: [Service]?) -> [Service] { services ?? [] }
  /// The services of the first branch.
  public static func buildEither(first services: [Service]) -> [Service] { services }
  /// The services of the second branch.
  public static func buildEither(second services: [Service]) -> [Service] { services }
  /// The services of a loop.
  public static func buildArray(_ services: [[Service]]) -> [Service] { Array(services.joined()) }
}
