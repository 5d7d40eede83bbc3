import Foundation

/// The file in which a manager with a restore identifier keeps what it does.
///
/// It is replaced as a whole at each change, so that it is whole whenever the program ends. It goes when the manager is
/// let go in good order, as then there is nothing to go on with.
final class RestorationFile: Sendable {
  private struct State {
    /// What it holds.
    var content: Data?
    /// The number of the call that it is from.
    var number: UInt64 = 0
    var count: UInt64 = 0
    var isOver = false
    /// Whether it was told that it can not be written.
    var hasComplained = false
  }

  private let url: URL
  private let guarded = Guarded(State())

  /// `nil` without a restore identifier among the options.
  ///
  /// - Parameter role: Tells the managers of one program apart that have the same identifier.
  init?(role: String, key: String, options: [String: Any]?) {
    guard let identifier = options?[key] as? String else {
      if let other = options?[key] { Misuse.log("The option \(key) takes a String, not \(type(of: other))") }
      return nil
    }
    let directory: URL
    switch options?[CBManagerOptionStateDirectoryKey] {
    case let path as String: directory = URL(fileURLWithPath: path, isDirectory: true)
    case let given as URL: directory = given
    default: directory = Self.directory
    }
    url = directory.appendingPathComponent(Self.name(role, identifier), isDirectory: false)
  }

  /// The user's directory for what programs keep from one run to the next (XDG Base Directory Specification 0.8).
  private static var directory: URL {
    let environment = ProcessInfo.processInfo.environment
    let base: URL
    if let path = environment["XDG_STATE_HOME"], path.hasPrefix("/") {
      base = URL(fileURLWithPath: path, isDirectory: true)
    } else {
      base = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/state", isDirectory: true)
    }
    return base.appendingPathComponent("halcyon/corebluetooth", isDirectory: true)
      .appendingPathComponent(encoded(ProcessInfo.processInfo.processName), isDirectory: true)
  }

  private static func name(_ role: String, _ identifier: String) -> String {
    var name = encoded(identifier)
    // The names of files have 255 bytes.
    if name.count > 150 {
      let hash = identifier.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      name = "\(name.prefix(120))-\(String(hash, radix: 16))"
    }
    return "\(role)-\(name).json"
  }

  private static func encoded(_ text: String) -> String {
    let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "unnamed"
  }

  /// What was kept; `nil` if there is nothing. What can not be read is told, and set aside under another name.
  func load<Record: Decodable>(_ type: Record.Type) -> Record? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    do {
      let content = try Data(contentsOf: url)
      let record = try JSONDecoder().decode(type, from: content)
      guarded.withLock { $0.content = content }
      return record
    } catch {
      setAside(error)
      return nil
    }
  }

  private func setAside(_ error: any Error) {
    let places = [""] + (2...1000).map { "-\($0)" }
    let free = places.lazy.map { self.url.path + ".corrupted" + $0 }
      .first { !FileManager.default.fileExists(atPath: $0) }
    let place = free ?? url.path + ".corrupted"
    let result = Result { try FileManager.default.moveItem(atPath: url.path, toPath: place) }
    let what = "The state to restore in \(url.path) can not be read (\(error))"
    switch result {
    case .success: Misuse.warn("\(what); it is set aside as \(place), and nothing is restored")
    case .failure(let other): Misuse.warn("\(what), nor moved to \(place) (\(other)); nothing is restored")
    }
  }

  /// Replaces what is kept, if it has changed.
  ///
  /// - Parameter make: Tells what to keep now; `nil` for nothing. Called before this returns.
  func save<Record: Encodable>(_ make: () -> Record?) {
    // Of calls that come at once, the last one has seen all; what an earlier one has seen must not replace that.
    let number = guarded.withLock { state in
      state.count &+= 1
      return state.count
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let content = make().flatMap { try? encoder.encode($0) }
    guarded.withLock { state in
      guard !state.isOver, number > state.number else { return }
      state.number = number
      guard content != state.content else { return }
      do {
        try write(content)
        state.content = content
      } catch {
        if !state.hasComplained { Misuse.warn("The state to restore can not be kept in \(url.path): \(error)") }
        state.hasComplained = true
      }
    }
  }

  private func write(_ content: Data?) throws {
    guard let content else { return try FileManager.default.removeItem(at: url) }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    // To a file beside it, which then takes its name: it is the old one or the new one, never a part.
    try content.write(to: url, options: .atomic)
  }

  /// The manager is let go: nothing is left to go on with.
  func end() {
    guarded.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      if state.content != nil { try? FileManager.default.removeItem(at: url) }
    }
  }
}
