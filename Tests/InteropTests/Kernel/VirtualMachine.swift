import Foundation
import Testing

/// The machine of `Tests/VM`, with the Linux kernel's Bluetooth and BlueZ: started once for all tests, as its start takes
/// the most of the time, and all scenarios run in it one after the other.
enum VirtualMachine {
  /// What a scenario has come to.
  struct Report: Sendable {
    /// What its programs have said.
    let lines: [String]
    /// 0 if all of it was done; `nil` if the machine did not come to its end.
    let status: Int?

    /// What follows `start` in the lines that begin so.
    func rests(behind start: String) -> [String] {
      lines.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    /// The lines, for a test that fails.
    var comment: Comment { Comment(rawValue: lines.joined(separator: "\n")) }
  }

  /// Lets a test run only where the machine was made: it needs an emulator and a kernel from Debian's packages.
  static var trait: ConditionTrait {
    .enabled(if: isPrepared, "HALCYON_VM names no virtual machine; script/interop makes one on Debian")
  }

  private static let isPrepared = !(ProcessInfo.processInfo.environment["HALCYON_VM"] ?? "").isEmpty

  /// What became of one scenario.
  static func report(on scenario: String) async throws -> Report {
    let ending = try await run.value
    let lines = ending.lines.filter { $0.hasPrefix("\(scenario): ") }.map { String($0.dropFirst(scenario.count + 2)) }
    let status = lines.last { $0.hasPrefix("end ") }.flatMap { Int($0.dropFirst(4)) }
    if status == nil { throw NoReport(scenario: scenario, ending: ending) }
    return Report(lines: lines, status: status)
  }

  private static let run = Task { () throws -> ChildProcess.Ending in
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    // The command is built beside the tests.
    let command = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("halcyon")
    let script = root.appendingPathComponent("script/vm")
    let scenarios = root.appendingPathComponent("Tests/VM/scenarios.sh").path
    // Emulated, and on a machine that has other work to do, it may take minutes; alone it takes one.
    let machine = try ChildProcess(script, ["-t", "540", scenarios, command.path])
    do {
      return try await machine.ending(within: .seconds(560))
    } catch {
      await machine.end()
      throw error
    }
  }

  /// A scenario to whose end the machine did not come.
  struct NoReport: Error, CustomStringConvertible {
    let scenario: String
    let ending: ChildProcess.Ending

    var description: String {
      """
      The machine did not come to the end of “\(scenario)” (status \(ending.status)).
      \(ending.lines.joined(separator: "\n"))
      \(ending.complaints)
      """
    }
  }
}
