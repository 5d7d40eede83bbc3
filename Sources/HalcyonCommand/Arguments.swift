/// What the command line asks for.
enum Arguments: Equatable {
  /// The demo: on virtual devices from a seed, or on what is in range of a real controller.
  case demo(Demo)
  /// How the command is used.
  case help
  /// Which version this is.
  case version

  struct Demo: Equatable {
    var seed: UInt64 = 1
    var radio: String?
  }

  /// Why a command line makes no sense.
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  static let usage = """
    halcyon: Bluetooth Low Energy for Swift

    usage: halcyon demo [--seed N]
           halcyon demo --radio hci:tcp:HOST:PORT
           halcyon help | version

    demo            Shows the main job: find devices, connect, discover, read, stream, write, lose a link and recover.
      --seed N      Chooses another course of events, 0 to 18446744073709551615; the same seed gives the same
                    transcript. 1 if left out.
      --radio R     Does the job with whatever heart-rate device is in range of a controller that speaks HCI over TCP.

    """

  /// Reads the arguments behind the program's name.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    switch rest.popFirst() {
    case "demo": self = try Self.parseDemo(rest)
    case nil, "help", "--help", "-h": self = .help
    case "version", "--version": self = .version
    case .some(let command): throw UsageError(description: "There is no command \"\(command)\".")
    }
  }

  private static func parseDemo(_ arguments: ArraySlice<String>) throws(UsageError) -> Arguments {
    var demo = Demo()
    var hasSeed = false
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--help", "-h": return .help
      case "--seed":
        guard let text = rest.popFirst(), let seed = UInt64(text) else {
          throw UsageError(description: "--seed takes a whole number from 0 to \(UInt64.max).")
        }
        demo.seed = seed
        hasSeed = true
      case "--radio":
        guard let radio = rest.popFirst() else {
          throw UsageError(description: "--radio takes a radio, such as hci:tcp:127.0.0.1:7001.")
        }
        demo.radio = radio
      default: throw UsageError(description: "The demo has no option \"\(option)\".")
      }
    }
    guard demo.radio == nil || !hasSeed else {
      throw UsageError(description: "--seed is for virtual devices; what a real radio hears can not be chosen.")
    }
    return .demo(demo)
  }
}
