import RadioPort

/// What a demo says, a line at a time, each with the radio's time in front.
final class Transcript: Sendable {
  private let clock: RadioClock
  private let output: @Sendable (String) -> Void

  init(clock: RadioClock, output: @escaping @Sendable (String) -> Void) {
    self.clock = clock
    self.output = output
  }

  /// What belongs to a moment: what is done, and what came of it. A long text goes on in the next lines.
  func say(_ topic: String, _ text: String) {
    let lines = text.wrapped(to: Self.textWidth)
    output("\(Self.timestamp(clock.now))  \(topic.padded(to: 10))  \(lines[0])")
    lines.dropFirst().forEach(detail)
  }

  /// A line that goes on with the one before.
  func detail(_ text: String) {
    output(String(repeating: " ", count: Self.indentation) + text)
  }

  private static let indentation = 23
  private static let textWidth = 92

  /// A heading, with an empty line above it.
  func heading(_ text: String) {
    output("")
    output(text)
  }

  /// Minutes, seconds and milliseconds: `02:05.120`.
  static func timestamp(_ instant: RadioInstant) -> String {
    let milliseconds = instant.nanoseconds / 1_000_000
    let minutes = (milliseconds / 60_000).padded(to: 2)
    let seconds = (milliseconds / 1_000 % 60).padded(to: 2)
    return "\(minutes):\(seconds).\((milliseconds % 1_000).padded(to: 3))"
  }
}

extension String {
  /// The text with blanks behind it up to `width`.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension String {
  /// The text in lines of at most `width` characters, broken at blanks; a longer word stays whole. At least one line.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.isEmpty ? [""] : lines
  }
}

extension Int64 {
  /// The number with zeros in front up to `width` digits.
  fileprivate func padded(to width: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, width - text.count)) + text
  }
}
