import Halcyon

// "API", the calls of the central.
extension PLXCoreBluetooth {
  /// `plx_shouldWaitUntilPoweredOn` and `plx_shouldWaitUntilConnected`: operations wait instead of failing at once. Here
  /// the wait for Bluetooth has a bound.
  static func waitingCentral(on radio: any Radio) -> Central {
    Central(.init(whenOff: .wait(atMost: .seconds(60)), whenNotConnected: .wait), radio: radio)
  }

  /// "Scanning": the first `count` devices; then the scan stops.
  @discardableResult
  static func scanForCount(_ count: Int, central: Central) async throws -> [Discovery] {
    let found = try await central.scan(for: [special], limit: count).collect(count)
    print("found:", found.compactMap(\.name).sorted())
    return found
  }

  /// "Scanning": without end, until somebody stops it; the loop ends normally then.
  @discardableResult
  static func scanUntilStopped(central: Central) async throws -> Set<Peripheral.ID> {
    let scanning = Task {
      var found: Set<Peripheral.ID> = []
      for try await discovery in central.scan(for: [special], timeout: .never) { found.insert(discovery.id) }
      return found
    }
    try await central.clock.sleep(for: .seconds(2))
    await central.stopScan()
    let found = try await scanning.value
    print("found until the stop:", found.count)
    return found
  }

  /// "Connecting": each call returns when it is done, and a failure is thrown.
  static func connectAndDisconnect(central: Central) async throws {
    let discovery = try await central.scan(for: [special]).collect(1)[0]
    let meter = try await central.connect(to: discovery)
    print("connected:", meter.state.isReady)
    await meter.disconnect()
    print("disconnected:", meter.state.isDisconnected)
  }

  /// "Misc": whether Bluetooth is on, now and at each change.
  static func poweredOn(central: Central, changes: Int) async -> [Bool] {
    var all: [Bool] = []
    for await state in central.states where state.isPoweredOn != all.last {
      all.append(state.isPoweredOn)
      if all.count == changes { break }
    }
    return all
  }
}
