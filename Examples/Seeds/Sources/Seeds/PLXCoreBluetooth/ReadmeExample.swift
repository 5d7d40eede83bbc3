import Halcyon

extension PLXCoreBluetooth {
  // readme: begin
  /// "Example": one endless scan; each device that it finds is connected to, one service of it discovered, and all values
  /// in that read. Ends when `count` devices have been read.
  static func readAll(
    of service: ServiceID,
    from count: Int,
    central: Central
  ) async throws -> [Peripheral.ID: [[UInt8]]] {
    var collected: [Peripheral.ID: [[UInt8]]] = [:]
    let readings = central.scan(for: [service], timeout: .never)
      .connectEach()  // while the scan goes on
      .readAll(in: service)  // side by side: none waits for another
    for try await reading in readings {
      collected[reading.peripheral.id] = try reading.get().compactMap(\.bytes)
      if collected.count == count { break }  // leaving the loop ends the scan, and lets the devices go
    }
    return collected
  }
  // readme: end
}
