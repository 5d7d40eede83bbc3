// The shapes of Apple's Combine that Halcyon's publishers touch, and nothing else of it.

/// Brings values over time.
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

/// Takes values.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error
  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

/// What connects the two.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  func request(_ demand: Subscribers.Demand)
}

/// Can be cancelled.
public protocol Cancellable {
  func cancel()
}

/// Has an identifier.
public protocol CustomCombineIdentifierConvertible {
  var combineIdentifier: CombineIdentifier { get }
}

/// Names an object.
public struct CombineIdentifier: Hashable, Sendable {
  private let object: ObjectIdentifier
  /// Names `object`.
  public init(_ object: AnyObject) { self.object = ObjectIdentifier(object) }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The object itself names it.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// Where the types of subscribers live.
public enum Subscribers {
  /// How a stream has ended.
  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }

  /// How many values are wanted.
  public struct Demand: Hashable, Comparable, Sendable {
    private let count: Int?

    private init(_ count: Int?) { self.count = count }

    /// All.
    public static let unlimited = Demand(nil)
    /// None.
    public static let none = Demand(0)
    /// So many.
    public static func max(_ value: Int) -> Demand {
      Demand(Swift.max(0, value))
    }

    /// Less is less.
    public static func < (left: Demand, right: Demand) -> Bool {
      guard let mine = left.count else { return false }
      return right.count.map { mine < $0 } ?? true
    }

    /// The sum.
    public static func + (left: Demand, right: Demand) -> Demand {
      guard let mine = left.count, let other = right.count else { return .unlimited }
      return Demand(mine + other)
    }

    /// The sum.
    public static func += (left: inout Demand, right: Demand) { left = left + right }

    /// The difference; below nought there is nothing, as with Apple's.
    public static func -= (left: inout Demand, right: Demand) {
      guard let mine = left.count else { return }
      left = right.count.map { Demand(Swift.max(0, mine - $0)) } ?? .none
    }
  }
}
