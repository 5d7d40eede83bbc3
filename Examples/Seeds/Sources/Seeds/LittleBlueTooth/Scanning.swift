import Halcyon

extension LittleBlueTooth {
  // readme: begin
  /// The example at the top: from nothing to a value.
  @discardableResult
  static func inOneExpression(central: Central) async throws -> BodySensorLocation {
    let position = try await central.scan(for: [.heartRate])
      .connect()  // to the first; the scan stops
      .read(.bodySensorLocation)
    print("worn at:", position)
    return position
  }
  // readme: end

  /// "Scan": with a time limit. Each operation takes one.
  @discardableResult
  static func scanWithTimeout(central: Central) async throws -> BluetoothError.Kind? {
    do {
      for try await discovery in central.scan(for: ["1815"], timeout: .seconds(5)) { print("found", discovery) }
      return nil
    } catch let error as BluetoothError {
      print(error.message)
      return error.kind  // .timedOut
    }
  }

  /// "Scan and stop": the loop is left with the device that is meant.
  @discardableResult
  static func scanAndStop(central: Central) async throws -> Discovery? {
    for try await discovery in central.scan(for: [.punch]) where discovery.name == "PunchLX" {
      print("discovered:", discovery.name ?? "?")
      return discovery
    }
    return nil
  }

  /// "Scan and connect": to the first that passes. A failure comes here, whichever step has failed.
  static func scanAndConnect(central: Central) async -> Peripheral? {
    do {
      let punch = try await central.scan(for: [.punch])
        .filter { $0.name == "PunchLX" }
        .connect()
      print("connected to", punch.name ?? "?")
      return punch
    } catch {
      print(error)
      return nil
    }
  }

  /// "Scan and buffer": so many, and then stop.
  @discardableResult
  static func scanAndBuffer(central: Central) async throws -> [Discovery] {
    let discoveries = try await central.scan(duration: .seconds(5)).collect(10)
    print("discovered:", discoveries.compactMap(\.name).sorted())
    return discoveries
  }
}
