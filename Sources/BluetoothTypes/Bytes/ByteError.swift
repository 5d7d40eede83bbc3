/// Why a sequence of bytes could not be read, and where.
public struct ByteError: Error, Hashable, Sendable {
  /// What is wrong with the bytes.
  public enum Problem: Hashable, Sendable {
    /// The bytes end before the value does.
    case truncated(needed: Int, available: Int)
    /// The value ends before the bytes do.
    case trailing(Int)
    /// The bytes are there but mean nothing; the text says what was expected.
    case invalid(StaticReason)
  }

  /// Where reading stopped: the offset of the field at fault from the first byte of the buffer.
  public let offset: Int
  /// What is wrong there.
  public let problem: Problem

  /// Makes an error for the field at `offset`.
  @inlinable
  public init(offset: Int, problem: Problem) {
    self.offset = offset
    self.problem = problem
  }
}

/// A reason that is known when the program is compiled, so that failing costs no allocation.
public struct StaticReason: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  @usableFromInline let text: StaticString

  /// Wraps a literal.
  @inlinable
  public init(stringLiteral value: StaticString) { text = value }

  /// The reason as text.
  public var description: String { text.description }

  /// Two reasons are equal when they read the same.
  public static func == (left: StaticReason, right: StaticReason) -> Bool {
    left.description == right.description
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension ByteError: CustomStringConvertible {
  /// For example `at byte 4: 2 bytes needed, 1 left`.
  public var description: String {
    switch problem {
    case .truncated(let needed, let available):
      "at byte \(offset): \(counted(needed, "byte")) needed, \(available) left"
    case .trailing(let count): "at byte \(offset): \(counted(count, "byte")) left over"
    case .invalid(let reason): "at byte \(offset): \(reason)"
    }
  }
}
