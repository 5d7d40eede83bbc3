import BluetoothTypes
import Synchronization

/// Which peripherals of a central are connected. It keeps none of them.
final class ConnectionRoster: Sendable {
  private struct Place {
    let object: ObjectIdentifier
    let number: UInt64
  }

  private struct WeakCore { weak var core: PeripheralCore? }

  private struct State {
    var places: [PeerID: Place] = [:]
    // By themselves: as one structure with the weak reference, copied while absent, they crashed (Swift 6.3.1, debug).
    var cores: [PeerID: WeakCore] = [:]
    var count: UInt64 = 0
  }

  private let state = Mutex(State())
  /// Counts the changes.
  let changes = UpdateHub<UInt64>(.value, 0)

  /// The connected ones, in the order in which they connected.
  var peripherals: [Peripheral] {
    state.withLock { state in
      state.places.sorted { $0.value.number < $1.value.number }.compactMap { state.cores[$0.key]?.core }
    }
    .map(\.handle)
  }

  func set(_ core: PeripheralCore, isConnected: Bool) {
    guard isConnected else { return remove(core.id, ObjectIdentifier(core)) }
    let count = state.withLock { state -> UInt64? in
      let object = ObjectIdentifier(core)
      guard state.places[core.id]?.object != object else { return nil }
      state.count &+= 1
      state.places[core.id] = Place(object: object, number: state.count)
      state.cores[core.id] = WeakCore(core: core)
      return state.count
    }
    if let count { changes.send(count) }
  }

  /// Only if it is still this object that stands for the device.
  func remove(_ id: PeerID, _ object: ObjectIdentifier) {
    let count = state.withLock { state -> UInt64? in
      guard state.places[id]?.object == object else { return nil }
      state.places[id] = nil
      state.cores[id] = nil
      state.count &+= 1
      return state.count
    }
    if let count { changes.send(count) }
  }

  func close() { changes.close() }
}

/// The list of connected peripherals as it changes. A slow reader gets the newest list only. It keeps no peripheral, and
/// ends with the central or when its task is cancelled.
public struct ConnectedPeripherals: AsyncSequence, Sendable {
  /// The connected ones, in the order in which they connected.
  public typealias Element = [Peripheral]
  /// Never fails: a cancelled iteration just ends.
  public typealias Failure = Never

  let roster: ConnectionRoster

  /// Begins to follow at once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(roster: roster, changes: Updates(hub: roster.changes).makeAsyncIterator())
  }

  /// Reads the lists one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let roster: ConnectionRoster
    var changes: Updates<UInt64>.Iterator

    /// The next list; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> [Peripheral]? {
      guard await changes.next(isolation: actor) != nil else { return nil }
      return roster.peripherals
    }

    /// The next list; `nil` at the end.
    public mutating func next() async -> [Peripheral]? { await next(isolation: #isolation) }
  }
}

extension Central {
  /// The peripherals that this central is connected to now, in the order in which they connected.
  public var connected: [Peripheral] { core.roster.peripherals }

  /// The same list as it changes: the current one first, then each change.
  public var connectedUpdates: ConnectedPeripherals { ConnectedPeripherals(roster: core.roster) }
}
