import Foundation
import Synchronization

/// Names a property whose changes can be observed.
enum ObservedKey: Hashable, Sendable {
  case state, isScanning, isAdvertising
  case name, rssi, services, canSendWriteWithoutResponse
  case includedServices, characteristics, descriptors, value, isNotifying
  case properties, permissions, subscribedCentrals, maximumUpdateValueLength
}

/// Who observes which property of which object, for all objects of the module: few are ever observed, so that an object
/// has nothing to keep for it.
enum ObservedProperties {
  /// One observation. The handler is called on the thread where the property changes, as on Apple's platforms.
  // @unchecked: nothing but the reference to the object changes, by itself; the closures are for any thread.
  final class Observer: @unchecked Sendable {
    private(set) weak var object: NSObject?
    let keys: Set<ObservedKey>
    let willChange: () -> Void
    let didChange: () -> Void

    init(
      _ object: NSObject,
      _ keys: Set<ObservedKey>,
      willChange: @escaping () -> Void,
      didChange: @escaping () -> Void
    ) {
      self.object = object
      self.keys = keys
      self.willChange = willChange
      self.didChange = didChange
    }
  }

  private static let observers = Guarded<[ObjectIdentifier: [Observer]]>([:])
  private static let observerCount = Atomic<Int>(0)
  /// What is read on threads that find out what a key path reads.
  private static let readings = Guarded<[ObjectIdentifier: (object: ObjectIdentifier, keys: Set<ObservedKey>)]>([:])
  private static let readingCount = Atomic<Int>(0)

  // MARK: Who observes

  static func add(_ observer: Observer, to object: NSObject) {
    observers.withLock { $0[ObjectIdentifier(object), default: []].append(observer) }
    observerCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  static func remove(_ observer: Observer, from object: ObjectIdentifier) {
    let isKnown = observers.withLock { observers in
      let before = observers[object]?.count ?? 0
      observers[object]?.removeAll { $0 === observer }
      let after = observers[object]?.count ?? 0
      if after == 0 { observers[object] = nil }
      return after < before
    }
    if isKnown { observerCount.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
  }

  /// Does something that changes properties of an object, and tells who observes them.
  static func change<Result>(_ object: NSObject, _ keys: ObservedKey..., by body: () throws -> Result) rethrows
    -> Result
  {
    guard observerCount.load(ordering: .relaxed) > 0 else { return try body() }
    let concerned = observers.withLock { $0[ObjectIdentifier(object)] ?? [] }
      // Another object may have stood in the same place.
      .filter { $0.object === object && !$0.keys.isDisjoint(with: keys) }
    for observer in concerned { observer.willChange() }
    defer { for observer in concerned { observer.didChange() } }
    return try body()
  }

  // MARK: What a key path reads

  /// The properties of the object that are read, also through others that the app has declared itself.
  static func read(of object: NSObject, by body: () -> Void) -> Set<ObservedKey> {
    let thread = ObjectIdentifier(Thread.current)
    let outer = readings.withLock { readings in
      defer { readings[thread] = (ObjectIdentifier(object), []) }
      return readings[thread]
    }
    readingCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
    body()
    readingCount.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    return readings.withLock { readings in
      defer { readings[thread] = outer }
      return readings[thread]?.keys ?? []
    }
  }

  /// Called where a property is read.
  static func note(_ key: ObservedKey, of object: NSObject) {
    guard readingCount.load(ordering: .relaxed) > 0 else { return }
    let thread = ObjectIdentifier(Thread.current)
    readings.withLock { readings in
      if readings[thread]?.object == ObjectIdentifier(object) { readings[thread]?.keys.insert(key) }
    }
  }
}
