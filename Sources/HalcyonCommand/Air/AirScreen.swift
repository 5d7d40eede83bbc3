import VirtualRadio

/// Makes text of what the controllers of an air are doing: on a terminal a table that stands below the messages and is
/// drawn anew, elsewhere a line for each change.
struct AirScreen {
  /// Whether the text goes to a terminal that understands the usual escape sequences.
  let isTerminal: Bool
  /// Nothing is shown of the controllers.
  let isSilent: Bool
  private var shown: [ControllerState] = []
  private var height = 0

  init(isTerminal: Bool, isWatching: Bool) {
    self.isTerminal = isTerminal
    isSilent = !isTerminal && !isWatching
  }

  /// The text for a message; the table moves down.
  mutating func message(_ text: String) -> String {
    guard isTerminal else { return text }
    let clear = clear()
    return clear + ([text] + draw()).joined(separator: "\n")
  }

  /// The text for what the controllers are doing now; `nil` if there is nothing new to show.
  mutating func show(_ states: [ControllerState]) -> String? {
    guard !isSilent, states != shown else { return nil }
    let before = shown
    shown = states
    if isTerminal {
      let clear = clear()
      return clear + draw().joined(separator: "\n")
    }
    let news = states.filter { !before.contains($0) }.map { "air: \(Self.title($0)): \(Self.words($0))" }
    let names = Set(states.map(\.name))
    let gone = before.filter { !names.contains($0.name) }.map { "air: \(Self.title($0)): gone" }
    return gone.isEmpty && news.isEmpty ? nil : (gone + news).joined(separator: "\n")
  }

  /// Goes back to where the table begins, and takes it away.
  private mutating func clear() -> String {
    defer { height = 0 }
    return height > 0 ? "\u{1B}[\(height)A\u{1B}[J" : ""
  }

  private mutating func draw() -> [String] {
    guard !shown.isEmpty else { return [] }
    let rows = [["controller", "address", "state"]] + shown.map { [$0.name, Self.address($0) ?? "–", Self.words($0)] }
    let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return (cells + row.suffix(1)).joined(separator: "  ")
    }
    height = lines.count
    return lines
  }

  /// Its address; `nil` for one that has none of its own until its host has given it one.
  private static func address(_ state: ControllerState) -> String? {
    state.address.value == 0 ? nil : "\(state.address)"
  }

  private static func title(_ state: ControllerState) -> String {
    address(state).map { "\(state.name) (\($0))" } ?? state.name
  }

  private static func words(_ state: ControllerState) -> String {
    guard state.isPoweredOn else { return "off" }
    guard !state.links.isEmpty else { return state.states.description }
    let links = state.links.map { "\($0.role == .central ? "to" : "from") \($0.peer)" }
    return "\(state.states) \(links.joined(separator: ", "))"
  }
}
