import Halcyon
import VirtualRadio

/// The README of PLXCoreBluetooth, with Halcyon.
enum PLXCoreBluetooth {
  /// The service that the README looks for.
  static let special: ServiceID = "FFF0"

  static func run(in world: World) async throws {
    let devices = (1...3).map { world.add(.meter(name: "Meter \($0)", level: UInt8(10 * $0))) }
    let central = waitingCentral(on: world.radio)

    let collected = try await readAll(of: special, from: 3, central: central)
    for (id, values) in collected.sorted(by: { "\($0.key)" < "\($1.key)" }) { print("read of \(id):", values) }

    try await scanForCount(2, central: central)
    try await scanUntilStopped(central: central)
    try await connectAndDisconnect(central: central)

    let meter = try await central.scan(for: [special]).connect()
    await name(of: meter)
    try await discover(meter)
    try await read(meter)
    try await write(meter)
    try await update(meter)
    async let change = serviceChange(of: meter)
    try await world.settle()
    devices.first { meter.name == $0.name }?.faults.add(.changeDatabase(to: []))
    _ = await change
  }
}

extension Characteristic where Value == UInt8 {
  static var level: Self { .init("FFF1", in: PLXCoreBluetooth.special) }
  static var limit: Self { .init("FFF2", in: PLXCoreBluetooth.special) }
}
