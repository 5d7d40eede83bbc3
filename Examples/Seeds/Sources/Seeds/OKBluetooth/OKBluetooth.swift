import Halcyon
import VirtualRadio

/// The guide of OKBluetooth and its example app, with Halcyon.
enum OKBluetooth {
  static func run(in world: World) async throws {
    // A signal that differs by 4 dB from packet to packet.
    world.setPropagation(Propagation(exponent: 2, shadowing: 0, fading: 4, sensitivity: -110))
    let device = world.add(.scooter())
    world.add(.custom(name: "") { $0.advertisedServices = ["FEE9"] })
    let central = Central(radio: world.radio)
    let watching = watch(central: central)
    try await central.ready()

    print("-- scan, connect, look around, disconnect")
    let names = try await listNearby(central: central)
    print("named:", names)
    let scooter = try await central.scan(where: .named("Scooter")).connect()
    try await lookAround(scooter)
    try await toggle(scooter, central: central)
    try await toggle(scooter, central: central)

    print("-- read, subscribe, write")
    try await readAndSubscribe(scooter)
    try await write(to: scooter)
    try await watchSignal(of: scooter)

    print("-- arm and disarm by distance")
    let commands = try await followUser(scooter) {
      try await world.run(for: .seconds(5))
      device.move(along: Movement([.walk(to: RadioPosition(x: 10), speed: 1.4)]))
      try await world.run(for: .seconds(15))
      device.move(to: 1)
      try await world.run(for: .seconds(5))
    }
    print("commands:", commands.map { "\($0)" }.joined(separator: ", "))
    await scooter.disconnect()

    print("-- reconnect")
    try await comeBack(central: central) {
      device.moveOutOfRange(for: .seconds(60))
      try await world.run(for: .seconds(90))
    }

    print("-- the example app")
    try await ExampleApp.show(central: central)

    print("-- several")
    for number in 2...5 { world.add(.scooter(name: "Scooter \(number)")) }
    for (name, count) in try await several(central: central, count: 5).sorted(by: { $0.key < $1.key }) {
      print("\(name) sent \(count) values")
    }
    watching.cancel()
  }
}

// The scooter of the example, as the app knows it.
extension ServiceID {
  static let scooter: ServiceID = "FEE9"
}

extension Characteristic where Value == LockCommand {
  static var command: Self { .init("D44BC439-ABFD-45A2-B575-925416129600", in: .scooter) }
}

extension Characteristic where Value == [UInt8] {
  static var data: Self { .init("D44BC439-ABFD-45A2-B575-925416129601", in: .scooter) }
}

extension Characteristic where Value == String {
  static var version: Self { .init("D44BC439-ABFD-45A2-B575-925416129602", in: .scooter) }
}

extension Characteristic where Value == UInt16 {
  /// How far away the key is, in centimetres, as the scooter measures it.
  static var keyDistance: Self { .init("D44BC439-ABFD-45A2-B575-925416129604", in: .scooter) }
}

/// What the scooter is told.
enum LockCommand: UInt8, ByteReadable, ByteWritable {
  case disarm
  case arm
}
