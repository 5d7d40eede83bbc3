import Foundation

/// What is said about calls that make no sense, where Apple's framework logs or raises an exception.
package enum Misuse {
  /// Has the messages of all of the process, for as long as it is kept, instead of standard error.
  package final class Listener: Sendable {
    private let kept = Guarded<[String]>([])

    /// Listens from now on.
    package init() { Misuse.listeners.withLock { $0.append(WeakCarried(self)) } }

    /// What was said so far.
    package var messages: [String] { kept.withLock { $0 } }

    fileprivate func add(_ message: String) { kept.withLock { $0.append(message) } }
  }

  private static let listeners = Guarded<[WeakCarried<Listener>]>([])

  static func log(_ message: String) { write("API MISUSE: \(message)") }

  static func warn(_ message: String) { write("WARNING: \(message)") }

  private static func write(_ message: String) {
    let listeners = listeners.withLock { listeners in
      listeners.removeAll { $0.object == nil }
      return listeners.compactMap(\.object)
    }
    for listener in listeners { listener.add(message) }
    guard listeners.isEmpty else { return }
    FileHandle.standardError.write(Data("[CoreBluetooth] \(message)\n".utf8))
  }

  /// For what Apple's framework answers with an exception that nobody can catch in Swift: a mistake in the program.
  static func raise(_ message: String) -> Never { preconditionFailure("[CoreBluetooth] \(message)") }
}

/// `<Class: 0x…` for descriptions, as Foundation's objects begin theirs.
func address(of object: AnyObject) -> String {
  "<\(type(of: object)): 0x" + String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
}
