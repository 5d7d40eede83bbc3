import BluetoothTypes
import HCITransport

/// What the command line asks for.
enum Arguments: Equatable {
  /// The demo: on virtual devices from a seed, or on what is in range of a real controller.
  case demo(Demo)
  /// An air for other programs to meet on.
  case air(Air)
  /// A heart-rate sensor on a real controller.
  case sensor(Sensor)
  /// How one of the commands is used, or all of them.
  case help(Usage.Command?)
  /// Which version this is.
  case version

  struct Demo: Equatable {
    var seed: UInt64 = 1
    var radio: String?
    /// How many times to come back to the device of a radio.
    var again = 0
    /// Where to write the packets to.
    var capture: String?
  }

  struct Sensor: Equatable {
    var radio: String
    var name = "Halcyon Heart"

    /// As many bytes as a scan response has room for behind length and type.
    static let longestName = AdvertisingData.legacyCapacity - 2
  }

  struct Air: Equatable {
    /// What is on the air besides the programs.
    enum Devices: String {
      case none, demo
    }

    var listen: [ListenAddress] = []
    /// How many adapters the Linux kernel gets.
    var kernelAdapters = 0
    var devices = Devices.none
    /// The file of a scene whose devices are there too.
    var scene: String?
    /// `nil` for another one each time.
    var seed: UInt64?
    /// Whether the controllers are without extended advertising.
    var isLegacy = false
    /// Whether to tell what the controllers are doing, also where the output is no terminal.
    var isWatching = false
  }

  /// Why a command line makes no sense.
  struct UsageError: Error, CustomStringConvertible {
    /// What is wrong.
    let reason: String
    /// The command that it is about, if there is one.
    var command: Usage.Command?

    /// What is wrong, and how it is right.
    var description: String {
      let help = ["halcyon", command?.rawValue, "--help"].compactMap(\.self).joined(separator: " ")
      return "halcyon: \(reason)\n\n\(Usage.synopsis(of: command))\n\n“\(help)” tells more."
    }
  }

  /// Reads the arguments behind the program's name.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    let word = rest.popFirst()
    switch word {
    case nil, "--help", "-h": self = .help(nil)
    case "help": self = .help(try Self.parseTopic(rest))
    case "version", "--version": self = .version
    case .some(let word):
      guard let command = Usage.Command(rawValue: word) else {
        throw UsageError(reason: "There is no command \"\(word)\".")
      }
      do { self = try Self.parse(command, rest) } catch {
        throw UsageError(reason: error.reason, command: command)
      }
    }
  }

  private static func parse(
    _ command: Usage.Command,
    _ rest: ArraySlice<String>
  ) throws(UsageError) -> Arguments {
    // Also behind options: who is in doubt asks at the end of the line.
    if rest.contains("--help") || rest.contains("-h") { return .help(command) }
    return switch command {
    case .demo: try parseDemo(rest)
    case .sensor: try parseSensor(rest)
    case .air: try parseAir(rest)
    }
  }

  private static func parseTopic(_ rest: ArraySlice<String>) throws(UsageError) -> Usage.Command? {
    guard let word = rest.first else { return nil }
    guard let command = Usage.Command(rawValue: word) else {
      throw UsageError(reason: "There is no command \"\(word)\".")
    }
    return command
  }

  private static func parseDemo(_ arguments: ArraySlice<String>) throws(UsageError) -> Arguments {
    var demo = Demo()
    var hasSeed = false
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--seed":
        demo.seed = try parseSeed(rest.popFirst())
        hasSeed = true
      case "--radio": demo.radio = try parseRadio(rest.popFirst())
      case "--again":
        guard let text = rest.popFirst(), let count = Int(text), (1...1000).contains(count) else {
          throw UsageError(reason: "--again takes a whole number from 1 to 1000.")
        }
        demo.again = count
      case "--capture":
        guard let path = rest.popFirst(), !path.isEmpty else {
          throw UsageError(reason: "--capture takes a file to write to, such as demo.btsnoop.")
        }
        demo.capture = path
      default: throw UsageError(reason: "The demo has no option \"\(option)\".")
      }
    }
    guard demo.radio == nil || !hasSeed else {
      throw UsageError(reason: "--seed and --radio exclude each other: a seed is for the demo's own devices.")
    }
    guard demo.radio != nil || demo.again == 0 else {
      throw UsageError(reason: "--again goes with --radio: the demo's own devices have a course of their own.")
    }
    return .demo(demo)
  }

  private static func parseSensor(_ arguments: ArraySlice<String>) throws(UsageError) -> Arguments {
    var (radio, name): (String?, String?)
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--radio": radio = try parseRadio(rest.popFirst())
      case "--name":
        guard let text = rest.popFirst(), !text.isEmpty else {
          throw UsageError(reason: "--name takes a name, such as Pulse.")
        }
        guard text.utf8.count <= Sensor.longestName else {
          throw UsageError(
            reason: """
              --name takes a name of up to \(Sensor.longestName) bytes in UTF-8, as no more fits into an advertisement; \
              “\(text)” has \(text.utf8.count).
              """
          )
        }
        name = text
      default: throw UsageError(reason: "The sensor has no option \"\(option)\".")
      }
    }
    guard let radio else { throw UsageError(reason: "The sensor needs a controller, such as --radio hci:user:0.") }
    var sensor = Sensor(radio: radio)
    if let name { sensor.name = name }
    return .sensor(sensor)
  }

  private static func parseRadio(_ text: String?) throws(UsageError) -> String {
    guard let text else {
      throw UsageError(reason: "--radio takes a radio, such as hci:tcp:127.0.0.1:7001.")
    }
    return text
  }

  private static func parseAir(_ arguments: ArraySlice<String>) throws(UsageError) -> Arguments {
    var air = Air()
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--listen":
        guard let text = rest.popFirst() else {
          throw UsageError(reason: "--listen takes a place, such as 127.0.0.1:7001 or unix:/tmp/air.")
        }
        do { air.listen.append(try ListenAddress(text)) } catch { throw UsageError(reason: error.description) }
      case "--vhci":
        guard air.kernelAdapters < 16 else { throw UsageError(reason: "--vhci can be given 16 times.") }
        air.kernelAdapters += 1
      case "--devices":
        guard let text = rest.popFirst(), let devices = Air.Devices(rawValue: text) else {
          throw UsageError(reason: "--devices takes \"demo\" or \"none\".")
        }
        air.devices = devices
      case "--seed": air.seed = try parseSeed(rest.popFirst())
      case "--scene":
        guard let path = rest.popFirst(), !path.isEmpty else {
          throw UsageError(reason: "--scene takes the file of a scene, such as room.json.")
        }
        air.scene = path
      case "--legacy": air.isLegacy = true
      case "--watch": air.isWatching = true
      default: throw UsageError(reason: "The air has no option \"\(option)\".")
      }
    }
    guard !air.listen.isEmpty || air.kernelAdapters > 0 else {
      throw UsageError(reason: "The air needs a place to listen at, such as --listen 127.0.0.1:7001, or --vhci.")
    }
    return .air(air)
  }

  private static func parseSeed(_ text: String?) throws(UsageError) -> UInt64 {
    guard let text, let seed = UInt64(text) else {
      throw UsageError(reason: "--seed takes a whole number from 0 to \(UInt64.max).")
    }
    return seed
  }
}
