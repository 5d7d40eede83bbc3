import Observation
import RadioPort
import Synchronization

/// What is near, for a view that observes it: in SwiftUI, in a terminal, anywhere.
///
/// ```swift
/// struct DeviceList: View {
///   let devices: NearbyDevices  // NearbyDevices(central.nearby(where: .hasName))
///
///   var body: some View {
///     List(devices.list) { Text($0.name ?? "?") }
///       .overlay { if devices.isScanning { ProgressView() } }
///       .task { await devices.run() }
///   }
/// }
/// ```
/// It may be used from any thread. It changes where ``run()`` was called, in SwiftUI on the main actor.
public final class NearbyDevices: Observable, Sendable {
  private struct State {
    var list: [Discovery] = []
    var isScanning = false
    var error: BluetoothError?
    var isRunning = false
  }

  private let nearby: Nearby
  private let registrar = ObservationRegistrar()
  private let state = Mutex(State())

  /// A model of this list. Nothing happens before ``run()``.
  public init(_ nearby: Nearby) { self.nearby = nearby }

  /// The devices, strongest first. When it has ended, what was near at last.
  public var list: [Discovery] {
    registrar.access(self, keyPath: \.list)
    return state.withLock { $0.list }
  }

  /// Whether ``run()`` is at work.
  public var isScanning: Bool {
    registrar.access(self, keyPath: \.isScanning)
    return state.withLock { $0.isScanning }
  }

  /// Why it ended, if something went wrong; `nil` once it runs again.
  public var error: BluetoothError? {
    registrar.access(self, keyPath: \.error)
    return state.withLock { $0.error }
  }

  /// Scans, and keeps ``list`` up to date, until the list ends, an error ends it, or the task is cancelled. May be called
  /// again; the list begins empty. If it runs already, it returns at once.
  public nonisolated(nonsending) func run() async {
    let isFirst = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFirst else { return }
    set(\.isScanning) { $0.isScanning = true }
    set(\.error) { $0.error = nil }
    do {
      for try await list in nearby { set(\.list) { $0.list = list } }
    } catch let error as BluetoothError {
      set(\.error) { $0.error = error }
    } catch {
      // Cancelled: nothing went wrong.
    }
    set(\.isScanning) { state in
      state.isScanning = false
      state.isRunning = false
    }
  }

  private func set<Value>(_ member: KeyPath<NearbyDevices, Value>, _ change: (inout State) -> Void) {
    registrar.withMutation(of: self, keyPath: member) { state.withLock { change(&$0) } }
  }
}
