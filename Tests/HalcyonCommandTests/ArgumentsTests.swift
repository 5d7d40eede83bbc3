import Testing

@testable import HalcyonCommand

@Suite("What the command line asks for")
struct ArgumentsTests {
  @Test("The demo takes a seed or a radio, and has a seed of its own")
  func demo() throws {
    #expect(try Arguments(["demo"]) == .demo(.init(seed: 1, radio: nil)))
    #expect(try Arguments(["demo", "--seed", "18446744073709551615"]) == .demo(.init(seed: .max, radio: nil)))
    #expect(
      try Arguments(["demo", "--radio", "hci:tcp:127.0.0.1:7001"])
        == .demo(.init(seed: 1, radio: "hci:tcp:127.0.0.1:7001"))
    )
    #expect(try Arguments(["demo", "--capture", "a.btsnoop"]) == .demo(.init(capture: "a.btsnoop")))
    #expect(try Arguments(["demo", "--radio", "virtual", "--again", "2"]) == .demo(.init(radio: "virtual", again: 2)))
  }

  @Test("Help is what one gets who asks for nothing", arguments: [[], ["help"], ["--help"], ["-h"]])
  func help(_ arguments: [String]) throws {
    #expect(try Arguments(arguments) == .help(nil))
  }

  @Test("A command's own help is about that command, also behind options", arguments: Usage.Command.allCases)
  func helpOfOne(_ command: Usage.Command) throws {
    for arguments in [
      ["help", command.rawValue], [command.rawValue, "--help"], [command.rawValue, "--seed", "1", "-h"],
    ] {
      #expect(try Arguments(arguments) == .help(command))
    }
    let manual = Usage.manual(of: command)
    for other in Usage.Command.allCases {
      #expect(manual.contains("halcyon \(other.rawValue)") == (other == command))
    }
  }

  @Test("What is wrong is told with how the command is called, and not with all that there is to say")
  func shortUsage() {
    let error = #expect(throws: Arguments.UsageError.self) { try Arguments(["sensor", "--loud"]) }
    #expect(
      error?.description == """
        halcyon: The sensor has no option "--loud".

        usage: halcyon sensor --radio RADIO [--name NAME]

        “halcyon sensor --help” tells more.
        """
    )
  }

  @Test(
    "A command line that makes no sense is refused with a reason",
    arguments: [
      ["dance"], ["demo", "--seed"], ["demo", "--seed", "-1"], ["demo", "--seed", "x"], ["demo", "--radio"],
      ["demo", "--loud"], ["demo", "7"], ["demo", "--seed", "18446744073709551616"],
      ["demo", "--seed", "1", "--radio", "hci:tcp:a:1"], ["demo", "--capture"], ["demo", "--capture", ""],
      ["demo", "--again", "1"], ["demo", "--radio", "virtual", "--again"],
      ["demo", "--radio", "virtual", "--again", "0"],
      ["demo", "--radio", "virtual", "--again", "x"], ["demo", "--radio", "virtual", "--again", "1001"],
      ["help", "dance"], ["air", "--scene", ""],
    ]
  )
  func nonsense(_ arguments: [String]) {
    #expect(throws: Arguments.UsageError.self) { try Arguments(arguments) }
  }
}
