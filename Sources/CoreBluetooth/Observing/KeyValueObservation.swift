import Foundation

// What Apple's Foundation has for all of Objective-C's objects, and Foundation on Linux has not: observing properties.
// Here it is for the objects of this module.

/// What is to be told of a change.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Options from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The value after the change.
  public static let new = Self(rawValue: 1)
  /// The value before the change.
  public static let old = Self(rawValue: 2)
  /// The handler is called once at the beginning too.
  public static let initial = Self(rawValue: 4)
  /// The handler is called before each change too.
  public static let prior = Self(rawValue: 8)
}

/// How a property was changed.
public enum NSKeyValueChange: UInt, Sendable {
  /// It was set; the only way in which the properties here change.
  case setting = 1
  /// Elements have come.
  case insertion = 2
  /// Elements have gone.
  case removal = 3
  /// Elements are others.
  case replacement = 4
}

/// A change of a property, as the options ask for it to be told.
public struct NSKeyValueObservedChange<Value> {
  /// How a property was changed.
  public typealias Kind = NSKeyValueChange
  /// How it was changed.
  public let kind: Kind
  /// The value after the change, with the option `new`.
  public let newValue: Value?
  /// The value before the change, with the option `old`.
  public let oldValue: Value?
  /// Where elements have changed; always `nil` here.
  public let indexes: IndexSet?
  /// Whether the change is still to come.
  public let isPrior: Bool
}

/// An observation, which lasts until it is invalidated or released.
public class NSKeyValueObservation: NSObject {
  private let observer: Guarded<ObservedProperties.Observer?>
  private let object: ObjectIdentifier

  init(_ observer: ObservedProperties.Observer, of object: NSObject) {
    self.observer = Guarded(observer)
    self.object = ObjectIdentifier(object)
  }

  deinit { invalidate() }

  /// Ends the observation; the handler is not called any more.
  public func invalidate() {
    let observer = observer.withLock { observer in
      defer { observer = nil }
      return observer
    }
    if let observer { ObservedProperties.remove(observer, from: object) }
  }
}

/// An object of this module whose properties can be observed. `state`, `isScanning` and `isAdvertising` of managers can,
/// of devices and their attributes what a delegate is told of, and of what is published here all that changes.
public protocol CBObservable: NSObject {}

extension CBObservable {
  /// Observes a property.
  ///
  /// - Parameters:
  ///   - keyPath: The property, or one of the app's own that reads one of this module's.
  ///   - options: What the handler is told, and when besides after each change.
  ///   - changeHandler: Called where the property changes, mostly the manager's queue, before the delegate is told.
  /// - Returns: The observation; it ends when it is released.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>,
    options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let keys = ObservedProperties.read(of: self) { _ = self[keyPath: keyPath] }
    if keys.isEmpty { Misuse.warn("\(keyPath) is no property that tells of its changes; the observation stays silent") }
    let before = Guarded<Value?>(nil)
    let wants: @Sendable (NSKeyValueObservingOptions) -> Bool = { options.contains($0) }
    let observer = ObservedProperties.Observer(
      self,
      keys,
      willChange: { [weak self] in
        guard let self, wants(.old) || wants(.prior) else { return }
        let value = wants(.old) ? self[keyPath: keyPath] : nil
        before.withLock { $0 = value }
        guard wants(.prior) else { return }
        changeHandler(self, .init(kind: .setting, newValue: nil, oldValue: value, indexes: nil, isPrior: true))
      },
      didChange: { [weak self] in
        guard let self else { return }
        let new = wants(.new) ? self[keyPath: keyPath] : nil
        let old = before.withLock { $0 }
        changeHandler(self, .init(kind: .setting, newValue: new, oldValue: old, indexes: nil, isPrior: false))
      }
    )
    if wants(.initial) {
      let new = wants(.new) ? self[keyPath: keyPath] : nil
      changeHandler(self, .init(kind: .setting, newValue: new, oldValue: nil, indexes: nil, isPrior: false))
    }
    ObservedProperties.add(observer, to: self)
    return NSKeyValueObservation(observer, of: self)
  }
}

extension CBManager: CBObservable {}
extension CBPeer: CBObservable {}
extension CBAttribute: CBObservable {}
