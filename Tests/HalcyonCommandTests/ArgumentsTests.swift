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
  }

  @Test(
    "Help is what one gets who asks for nothing",
    arguments: [[], ["help"], ["--help"], ["-h"], ["demo", "--help"]]
  )
  func help(_ arguments: [String]) throws {
    #expect(try Arguments(arguments) == .help)
  }

  @Test(
    "A command line that makes no sense is refused with a reason",
    arguments: [
      ["dance"], ["demo", "--seed"], ["demo", "--seed", "-1"], ["demo", "--seed", "x"], ["demo", "--radio"],
      ["demo", "--loud"], ["demo", "7"], ["demo", "--seed", "18446744073709551616"],
      ["demo", "--seed", "1", "--radio", "hci:tcp:a:1"], ["demo", "--capture"], ["demo", "--capture", ""],
    ]
  )
  func nonsense(_ arguments: [String]) {
    #expect(throws: Arguments.UsageError.self) { try Arguments(arguments) }
  }
}
