import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio

/// A server and a central on two radios of one world.
struct Meeting: Sendable {
  let world: World
  /// The world's radio that the server uses, perhaps through another.
  let serverRadio: any Radio
  let server: PeripheralServer
  let central: Central

  static func run(
    advertising: PeripheralServer.Advertising = .init(name: "Pulse"),
    configuration: PeripheralServer.Configuration = .init(),
    through serverRadio: @escaping @Sendable (any Radio) -> any Radio = { $0 },
    @ServiceBuilder services: @escaping @Sendable (World) -> [Service],
    _ body: @escaping @Sendable (Meeting) async throws -> Void
  ) async throws {
    try await World.simulated(seed: 7) { world in
      let radio = world.makeRadio(name: "server")
      let server = PeripheralServer(advertising: advertising, configuration, radio: serverRadio(radio)) {
        services(world)
      }
      try await body(Meeting(world: world, serverRadio: radio, server: server, central: Central(radio: world.radio)))
    }
  }

  /// Starts the server and connects to it.
  func connected(options: LinkOptions = LinkOptions()) async throws -> Peripheral {
    try await server.start()
    let discovery = try #require(try await found())
    return try await central.connect(to: discovery, options: options)
  }

  /// The first device that is heard within a second.
  func found() async throws -> Discovery? {
    try await central.ready()
    for try await discovery in central.scan(duration: .seconds(1)) { return discovery }
    return nil
  }

  /// Lets all happen that does so soon, a discovery included.
  func settle() async throws { try await world.run(for: .seconds(2)) }

  /// The one central that is connected to the server.
  func onlyCentral() throws -> ConnectedCentral { try #require(server.connectedCentrals.first) }
}

extension Characteristic where Value == [UInt8] {
  static var note: Self { .init("A0010001-0000-4000-8000-00805F9B34FB", in: .notes) }
  static var feed: Self { .init("A0010002-0000-4000-8000-00805F9B34FB", in: .notes) }
  static var other: Self { .init("A0010003-0000-4000-8000-00805F9B34FB", in: .notes) }
}

extension Characteristic where Value == UInt32 {
  static var number: Self { .init("A0010004-0000-4000-8000-00805F9B34FB", in: .notes) }
}

extension ServiceID {
  static let notes: ServiceID = "A0010000-0000-4000-8000-00805F9B34FB"
}
