import Halcyon

// Chapter "multi-share".
extension OKBluetooth {
  // readme: begin
  /// Several devices at once, each with its own traffic; none waits for another.
  ///
  /// - Returns: How many values each has sent.
  static func several(central: Central, count: Int) async throws -> [String: Int] {
    var heard: [String: Int] = [:]
    let values = central.scan(for: [.scooter], where: .hasName, timeout: .never)
      .connectEach(max: count)
      .values(of: .data)
    for try await value in values {
      heard[value.peripheral.name ?? "NONAME", default: 0] += 1
      if heard.count == count, heard.values.allSatisfy({ $0 >= 3 }) { break }
    }
    return heard
  }
  // readme: end
}
