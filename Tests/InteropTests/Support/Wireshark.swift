import Foundation
import Testing

/// The terminal version of Wireshark, an independent judge of captures.
enum Wireshark {
  private static let program: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(filePath: String($0)).appending(path: "tshark") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  /// Lets a test run only where it is.
  static var trait: ConditionTrait {
    .enabled(if: program != nil, "tshark is not on the PATH; it is in Debian's package of that name")
  }

  /// What it prints about a file.
  static func lines(_ path: String, _ arguments: String...) async throws -> [String] {
    try await run(path, arguments)
  }

  /// What it finds wrong in a file.
  static func faults(_ path: String) async throws -> [String] {
    try await run(path, ["-Y", "_ws.malformed || _ws.expert.severity >= 0x600000"])
  }

  private static func run(_ path: String, _ arguments: [String]) async throws -> [String] {
    let program = try #require(program)
    let child = try ChildProcess(program, ["-n", "-r", path] + arguments)
    let ending = try? await child.ending(within: .seconds(60))
    await child.end()
    #expect(ending?.status == 0, "\(child.errors)")
    return child.lines
  }
}
