import Halcyon

// Chapters "read" and "write".
extension OKBluetooth {
  /// Reads that are asked for at once are answered in turn, and none is refused. A subscription is a loop, and any number
  /// of them may run.
  @discardableResult
  static func readAndSubscribe(_ scooter: Peripheral) async throws -> (version: String, values: [[UInt8]]) {
    async let version = scooter.read(.version)
    async let data = scooter.read(.data)
    print("version \(try await version), data", try await data)

    var values: [[UInt8]] = []
    for try await value in scooter.values(of: .data).prefix(3) { values.append(value) }
    print("notified:", values)
    return (try await version, values)
  }

  // readme: begin
  /// Two bytes without response, and many, which go in as many parts as it takes; the progress is a stream.
  @discardableResult
  static func write(to scooter: Peripheral) async throws -> Transfer.Progress? {
    try await scooter.write([1, 3], to: Characteristic.command.typed(as: [UInt8].self), type: .withoutResponse)

    var last: Transfer.Progress?
    for try await progress in scooter.send([UInt8](repeating: 7, count: 1000), to: .command, type: .withoutResponse) {
      last = progress
    }
    print("sent:", last.map { "\($0)" } ?? "nothing")
    return last
  }
  // readme: end
}
