import Halcyon

// Chapter "init": the central, its signals, scanning.
extension OKBluetooth {
  // readme: begin
  /// The signals, each a stream of its own: whether it scans (a spinner), the state of Bluetooth, all connections.
  static func watch(central: Central) -> Task<Void, Never> {
    Task {
      await withTaskGroup { group in
        group.addTask {
          for await activity in central.activities { print("[activity]", activity) }
        }
        group.addTask {
          for await state in central.states { print("[state]", state.message()) }
        }
        group.addTask {
          for await event in central.connectionEvents {
            print("[connection]", event.peripheral.name ?? "NONAME", event.word)
          }
        }
      }
    }
  }
  // readme: end

  // readme: begin
  /// The list of what is near: the strongest first, at most every 1.5 s, only what has a name. It ends at 20 devices, or
  /// by an error after the time.
  static func listNearby(central: Central) async throws -> [String] {
    var names: [String] = []
    do {
      for try await devices in central.nearby(where: .hasName, timeout: .seconds(5), limit: 20) {
        names = devices.compactMap(\.name)
      }
    } catch let error as BluetoothError where error.kind == .poweredOff {
      print("Bluetooth is off")
    } catch let error as BluetoothError where error.kind == .timedOut {
      print("the time is over")
    }
    return names
  }
  // readme: end
}

extension ConnectionEvent {
  /// What happened, in a word.
  var word: String {
    switch self {
    case .connected: "connected"
    case .reconnected: "connected again"
    case .ready: "ready"
    case .failed(_, let error): "failed: \(error.kind)"
    case .disconnected(_, let error): error.map { "lost: \($0.kind)" } ?? "disconnected"
    }
  }
}
