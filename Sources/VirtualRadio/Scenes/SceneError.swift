/// Why a text is no scene: where, what is wrong, and what would be right.
public struct SceneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file; `nil` for a text that came from none.
  public var file: String?
  /// The line in which the mistake begins, from 1 on; 0 if it is of no line, as of a file that is not there.
  public let line: Int
  /// The column in that line, in characters, from 1 on.
  public let column: Int
  /// What is wrong, and what would be right.
  public let reason: String

  init(line: Int, column: Int, _ reason: String) {
    self.line = line
    self.column = column
    self.reason = reason
  }

  /// For example `rooms.json:12:7: there is no key "intervall" here; …`.
  public var description: String {
    let place = line > 0 ? "\(file ?? "scene"):\(line):\(column)" : file ?? "scene"
    return "\(place): \(reason)"
  }
}
