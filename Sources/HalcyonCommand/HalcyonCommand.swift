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
    LineWriter.keepStandardDescriptors()
    let arguments: Arguments
    do { arguments = try Arguments(Array(CommandLine.arguments.dropFirst())) } catch {
      complain(error.description)
      exit(64)  // EX_USAGE
    }
    do { try await run(arguments) } catch {
      complain("halcyon: \(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: Arguments) async throws {
    switch arguments {
    case .help(let command): say(Usage.manual(of: command))
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
      try await RadioDemo(radio: SystemRadio.open(radio), again: demo.again, capture: demo.capture, output: say).run()
    }
  }

  static let version = "0.1.0"

  private static let output = LineWriter(descriptor: STDOUT_FILENO)

  @Sendable private static func say(_ line: String) {
    do { try output.write(line) } catch {
      // What nobody gets to see is not worth to go on for, and silence would look like success.
      complain("halcyon: \(error)")
      exit(74)  // EX_IOERR
    }
  }

  private static func complain(_ text: String) {
    // There is nobody left to tell if this fails.
    try? LineWriter(descriptor: STDERR_FILENO).write(text)
  }
}
