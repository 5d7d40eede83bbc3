import Halcyon

extension LittleBlueTooth {
  /// "Connect from a discovery".
  ///
  /// - Returns: What names the device from now on.
  @discardableResult
  static func connectFromDiscovery(central: Central) async throws -> Peripheral.ID {
    let discovery = try await central.scan(where: .named("PunchLX")).collect(1)[0]
    let punch = try await central.connect(to: discovery)
    print("connected from a discovery")
    await punch.disconnect()
    return punch.id
  }

  /// "Connect from an identifier": no scan is needed.
  static func connectFromIdentifier(_ id: Peripheral.ID, central: Central) async throws {
    let punch = try await central.connect(to: id)
    print("connected from an identifier")
    await punch.disconnect()
  }

  /// "Connection event observer", "Peripheral state observer" and "Auto-connection": what happens to the connection while
  /// `disturb` ends it once. It comes back by itself as long as the closure says so.
  @discardableResult
  static func observeConnection(central: Central, disturb: () -> Void) async throws -> [String] {
    let watching = Task {
      var events: [String] = []
      for await event in central.connectionEvents {
        switch event {
        case .connected: events.append("connected")
        case .reconnected: events.append("connected by itself")
        case .ready: events.append("ready")
        case .failed(_, let error): events.append("failed: \(error.kind)")
        case .disconnected(_, let error?): events.append("lost: \(error.kind)")
        case .disconnected(_, nil): return events + ["disconnected"]
        }
      }
      return events
    }
    try await central.clock.sleep(for: .milliseconds(1))  // it watches from now on
    let punch = try await central.scan(where: .named("PunchLX")).connect(
      reconnect: .when { error, attempt in
        error.kind == .disconnected && attempt <= 5 ? .wait : .giveUp
      }
    )
    disturb()
    for await state in punch.states where state.isReconnecting { break }
    for await state in punch.states where state.isReady { break }
    await punch.disconnect()  // ends it: nothing comes back after this
    let events = await watching.value
    print("events:", events)
    return events
  }

  /// "Initial operations": what is done after every connect and reconnect, before anything else.
  static func authenticateFirst(central: Central) async throws {
    let punch = try await central.scan(where: .named("PunchLX")).connect { punch in
      try await punch.write(LedState(isOn: true), to: .led)
    }
    print("the light, when the connection is ready:", try await punch.read(.led).isOn)
    await punch.disconnect()
  }
}
