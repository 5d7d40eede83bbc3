import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio

/// A central on a scripted radio, with a device that has a table to read.
struct Scene: Sendable {
  static let device = PeerID(high: 1, low: 1)
  static let other = PeerID(high: 2, low: 2)

  let world: World
  let radio: ScriptedRadio
  let central: Central

  /// Runs `body` in a simulated world.
  static func run(
    state: RadioState = .poweredOn,
    configuration: Central.Configuration = .init(),
    _ body: @escaping @Sendable (Scene) async throws -> Void
  ) async throws {
    try await World.simulated(seed: 1) { world in
      let radio = ScriptedRadio(world.executor, state: state)
      await radio.set { $0.services = Table.services }
      await radio.set { $0.values = [Table.location: [1], Table.level: [80], Table.text: []] }
      try await body(Scene(world: world, radio: radio, central: Central(configuration, radio: radio)))
    }
  }

  /// The device, connected.
  func connected() async throws -> Peripheral { try await central.connect(to: Self.device) }

  /// The device's object, if somebody holds it.
  func peripheral() async throws -> Peripheral? { try await central.peripherals(withIDs: [Self.device]).first }

  /// Lets all that can run now run.
  func settle() async throws { try await world.run(for: .milliseconds(1)) }
}

/// What the scripted device offers.
enum Table {
  static let measurement = AttributeHandle(0x11)
  static let location = AttributeHandle(0x14)
  static let control = AttributeHandle(0x16)
  static let level = AttributeHandle(0x22)
  static let text = AttributeHandle(0x24)
  static let first = AttributeHandle(0x32)
  static let second = AttributeHandle(0x34)
  static let command = AttributeHandle(0x42)

  static func characteristic(
    _ handle: AttributeHandle,
    _ uuid: BluetoothUUID,
    _ properties: CharacteristicProperties
  ) -> RemoteCharacteristic {
    RemoteCharacteristic(
      declarationHandle: AttributeHandle(handle.rawValue - 1),
      handle: handle,
      uuid: uuid,
      properties: properties
    )
  }

  static func service(_ first: UInt16, _ uuid: BluetoothUUID, _ characteristics: [RemoteCharacteristic])
    -> RemoteService
  {
    RemoteService(
      handle: AttributeHandle(first),
      endHandle: AttributeHandle(first + 0xF),
      uuid: uuid,
      characteristics: characteristics
    )
  }

  static let services = [
    service(
      0x10,
      "180D",
      [
        characteristic(measurement, "2A37", [.notify, .read]), characteristic(location, "2A38", .read),
        characteristic(control, "2A39", .write),
      ]
    ),
    service(0x20, "180F", [characteristic(level, "2A19", .read), characteristic(text, "2A00", .read)]),
    service(0x30, "FFF0", [characteristic(first, "FFF1", .read), characteristic(second, "FFF1", .read)]),
    service(0x40, "FFE0", [characteristic(command, "2A19", [.writeWithoutResponse, .read])]),
  ]
}

extension Characteristic where Value == [UInt8] {
  static var measurement: Self { .init("2A37", in: "180D") }
  static var location: Self { .init("2A38", in: "180D") }
  static var control: Self { .init("2A39", in: "180D") }
  static var text: Self { .init("2A00", in: "180F") }
  static var twice: Self { .init("FFF1", in: "FFF0") }
  static var command: Self { .init("2A19", in: "FFE0") }
}

extension Characteristic where Value == UInt8 {
  static var level: Self { .init("2A19", in: "180F") }
  static var empty: Self { .init("2A00", in: "180F") }
  static var noService: Self { .init("2A00", in: "AAAA") }
  static var noCharacteristic: Self { .init("AAAA", in: "180F") }
}

/// The error of a kind that `body` throws, or `nil`.
func bluetoothError(_ body: () async throws -> some Any) async -> BluetoothError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? BluetoothError
  }
}

/// Expects that `body` throws an error of this kind. A function, so that the closure stands outside of a macro: where
/// two closures of one test stand in and next to a macro's arguments, the compiler may take one for the other.
func expectError(
  _ kind: BluetoothError.Kind,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> some Any
) async {
  let error = await bluetoothError(body)
  #expect(error?.kind == kind, sourceLocation: sourceLocation)
}
