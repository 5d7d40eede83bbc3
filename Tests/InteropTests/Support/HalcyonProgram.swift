import Foundation
import Testing

/// Starts the command, which the build puts beside the tests; `end()` must follow.
func halcyon(_ arguments: String...) throws -> ChildProcess {
  let tests = try #require(Bundle.main.executableURL ?? CommandLine.arguments.first.map(URL.init(fileURLWithPath:)))
  var folder = tests.deletingLastPathComponent()
  // On Apple's systems the tests are deep in a bundle.
  while folder.path != "/",
    !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("halcyon").path)
  {
    folder.deleteLastPathComponent()
  }
  return try ChildProcess(folder.appendingPathComponent("halcyon"), arguments)
}
