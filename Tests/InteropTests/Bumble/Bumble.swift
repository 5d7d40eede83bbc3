import Foundation
import Testing

/// The Bluetooth stack in Python that the tests of this folder meet.
enum Bumble {
  /// A Python that can import Bumble; `nil` if there is none. `script/test` and `script/interop` make one and name it in
  /// the environment, so that a plain `swift test` needs nothing but the toolchain.
  static let python: URL? = {
    guard let path = ProcessInfo.processInfo.environment["HALCYON_INTEROP_PYTHON"], !path.isEmpty else { return nil }
    let python = URL(fileURLWithPath: path)
    let trial = Process()
    trial.executableURL = python
    trial.arguments = ["-c", "import bumble"]
    trial.standardError = FileHandle.nullDevice
    guard (try? trial.run()) != nil else { return nil }
    trial.waitUntilExit()
    return trial.terminationStatus == 0 ? python : nil
  }()

  /// Lets a test run only where Bumble is: it comes from PyPI, and not every machine gets at that.
  static var trait: ConditionTrait {
    .enabled(if: python != nil, "HALCYON_INTEROP_PYTHON names no Python with Bumble; script/interop makes one")
  }

  /// Where the programs are that stand at the other end.
  private static let peers = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Peers")

  /// Runs `body` with a peer of ours in Python, and with the port of its controller; the peer ends with it.
  static func withPeer<Value>(
    _ program: String,
    _ arguments: [String] = [],
    _ body: (ChildProcess, UInt16) async throws -> Value
  ) async throws -> Value {
    let peer = try start(program, arguments)
    do {
      guard let port = UInt16(try await peer.line("port ")) else { throw Missing() }
      let value = try await body(peer, port)
      await peer.end()
      return value
    } catch {
      await peer.end()
      throw error
    }
  }

  /// Starts a program of ours in Python; `end()` must follow.
  static func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    guard let python else { throw Missing() }
    let script = peers.appendingPathComponent(program).path
    return try ChildProcess(python, ["-B", "-W", "ignore", script] + arguments)
  }

  /// Starts a program that comes with Bumble; `end()` must follow.
  static func start(app: String, _ arguments: [String]) throws -> ChildProcess {
    guard let python else { throw Missing() }
    // Unbuffered, as some go on for ever.
    return try ChildProcess(python, ["-u", "-B", "-W", "ignore", "-m", "bumble.apps.\(app)"] + arguments)
  }

  struct Missing: Error, CustomStringConvertible {
    var description: String { "there is no Python with Bumble, or its peer has no port" }
  }
}
