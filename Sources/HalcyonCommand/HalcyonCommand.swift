import Halcyon
import SystemRadio

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The `halcyon` command.
@main
struct HalcyonCommand {
  static func main() async {
    let arguments: Arguments
    do { arguments = try Arguments(Array(CommandLine.arguments.dropFirst())) } catch {
      complain("\(error.description)\n\n\(Arguments.usage)")
      exit(64)  // EX_USAGE
    }
    do { try await run(arguments) } catch {
      complain("halcyon: \(error)")
      exit(1)
    }
    fflush(nil)
  }

  private static func run(_ arguments: Arguments) async throws {
    switch arguments {
    case .help: say(Arguments.usage)
    case .version: say("halcyon \(version)")
    case .air(let air):
      let signals = StopSignals()
      let isTerminal = isatty(STDOUT_FILENO) == 1
      try await AirCommand(options: air, isTerminal: isTerminal, output: say).run { await signals.first() }
    case .sensor(let sensor):
      let signals = StopSignals()
      try await SensorCommand(radio: SystemRadio.open(sensor.radio), name: sensor.name, output: say)
        .run { await signals.first() }
    case .demo(let demo):
      guard let radio = demo.radio else {
        return try await VirtualDemo(seed: demo.seed, capture: demo.capture, output: say).run()
      }
      try await RadioDemo(radio: SystemRadio.open(radio), capture: demo.capture, output: say).run()
    }
  }

  static let version = "0.1.0"

  @Sendable private static func say(_ line: String) {
    print(line)
    // A pipe would else see nothing before the end.
    fflush(nil)
  }

  private static func complain(_ text: String) {
    // `stderr` is a variable, which strict concurrency does not let through.
    let bytes = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
