import Foundation

/// What is said about calls that make no sense, where Apple's framework logs or raises an exception.
package enum Misuse {
  private static let sink = Guarded<(@Sendable (String) -> Void)?>(nil)

  /// Lets `sink` have the messages instead of standard error; `nil` for the usual.
  package static func setSink(_ sink: (@Sendable (String) -> Void)?) { self.sink.withLock { $0 = sink } }

  static func log(_ message: String) { write("API MISUSE: \(message)") }

  static func warn(_ message: String) { write("WARNING: \(message)") }

  private static func write(_ message: String) {
    if let sink = sink.withLock({ $0 }) { return sink(message) }
    FileHandle.standardError.write(Data("[CoreBluetooth] \(message)\n".utf8))
  }

  /// For what Apple's framework answers with an exception that nobody can catch in Swift: a mistake in the program.
  static func raise(_ message: String) -> Never { preconditionFailure("[CoreBluetooth] \(message)") }
}

/// `<Class: 0x…` for descriptions, as Foundation's objects begin theirs.
func address(of object: AnyObject) -> String {
  "<\(type(of: object)): 0x" + String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
}
