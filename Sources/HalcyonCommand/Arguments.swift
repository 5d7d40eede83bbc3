import HCITransport

/// What the command line asks for.
enum Arguments: Equatable {
  /// The demo: on virtual devices from a seed, or on what is in range of a real controller.
  case demo(Demo)
  /// An air for other programs to meet on.
  case air(Air)
  /// A heart-rate sensor on a real controller.
  case sensor(Sensor)
  /// How the command is used.
  case help
  /// Which version this is.
  case version

  struct Demo: Equatable {
    var seed: UInt64 = 1
    var radio: String?
    /// Where to write the packets to.
    var capture: String?
  }

  struct Sensor: Equatable {
    var radio: String
    var name = "Halcyon Heart"
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
    let description: String
  }

  static let usage = """
    halcyon: Bluetooth Low Energy for Swift

    usage: halcyon demo [--seed N] [--capture FILE]
           halcyon demo --radio RADIO [--capture FILE]
           halcyon sensor --radio RADIO [--name NAME]
           halcyon air [--listen HOST:PORT] [--listen unix:PATH] [--vhci] [--devices demo]
                       [--scene FILE] [--seed N] [--legacy] [--watch]
           halcyon help | version

    demo            Shows the main job: find devices, connect, discover, read, stream, write, lose a link and recover.
      --seed N      Chooses another course of events, 0 to 18446744073709551615; the same seed gives the same
                    transcript. 1 if left out.
      --radio R     Does the job with whatever heart-rate device is in range of a controller that speaks HCI:
                    hci:tcp:HOST:PORT, hci:unix:PATH or, for the Linux kernel's adapter N, hci:user:N; or among virtual
                    devices: virtual, virtual:SCENE.
      --capture F   Writes the packets between host and controller to a btsnoop file, for Wireshark.

    sensor          Is a heart-rate sensor on a controller, for whatever central is in range. Ends with SIGINT or SIGTERM.
      --radio R     As for the demo.
      --name NAME   What it is found as; "Halcyon Heart" if left out.

    air             Gives every program that connects a controller of its own, all on one air in real time, so that
                    Bluetooth hosts meet there: programs with HALCYON_RADIO=hci:tcp:HOST:PORT, and any others that speak
                    H4. A terminal shows what each controller is doing. Ends with SIGINT or SIGTERM.
      --listen A    Where programs connect: HOST:PORT, with port 0 for any that is free, or unix:PATH. Any number of times.
      --vhci        The Linux kernel gets a controller, as a new adapter hciN: for BlueZ and what stands on it. Any number
                    of times; needs the kernel's driver hci_vhci and, mostly, root.
      --devices D   "demo": a heart-rate band, a thermometer and a lamp are there too. "none" if left out.
      --scene FILE  The devices that a scene describes, in JSON, are there too.
      --seed N      Chooses the addresses of the devices and their course; another one each time if left out.
      --legacy      The controllers of the programs and of the kernel are without extended advertising, as those before
                    Bluetooth 5 are, so that hosts use the legacy commands.
      --watch       Tells what each controller is doing also where the output is no terminal, a line for each change:
                    standby, advertising, scanning, initiating, connected.

    """

  /// Reads the arguments behind the program's name.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    switch rest.popFirst() {
    case "demo": self = try Self.parseDemo(rest)
    case "sensor": self = try Self.parseSensor(rest)
    case "air": self = try Self.parseAir(rest)
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
        demo.seed = try parseSeed(rest.popFirst())
        hasSeed = true
      case "--radio": demo.radio = try parseRadio(rest.popFirst())
      case "--capture":
        guard let path = rest.popFirst(), !path.isEmpty else {
          throw UsageError(description: "--capture takes a file to write to, such as demo.btsnoop.")
        }
        demo.capture = path
      default: throw UsageError(description: "The demo has no option \"\(option)\".")
      }
    }
    guard demo.radio == nil || !hasSeed else {
      throw UsageError(description: "--seed is for virtual devices; what a real radio hears can not be chosen.")
    }
    return .demo(demo)
  }

  private static func parseSensor(_ arguments: ArraySlice<String>) throws(UsageError) -> Arguments {
    var (radio, name): (String?, String?)
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--help", "-h": return .help
      case "--radio": radio = try parseRadio(rest.popFirst())
      case "--name":
        name = rest.popFirst()
        guard name?.isEmpty == false else { throw UsageError(description: "--name takes a name.") }
      default: throw UsageError(description: "The sensor has no option \"\(option)\".")
      }
    }
    guard let radio else { throw UsageError(description: "The sensor needs a controller, such as --radio hci:user:0.") }
    var sensor = Sensor(radio: radio)
    if let name { sensor.name = name }
    return .sensor(sensor)
  }

  private static func parseRadio(_ text: String?) throws(UsageError) -> String {
    guard let text else {
      throw UsageError(description: "--radio takes a radio, such as hci:tcp:127.0.0.1:7001.")
    }
    return text
  }

  private static func parseAir(_ arguments: ArraySlice<String>) throws(UsageError) -> Arguments {
    var air = Air()
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--help", "-h": return .help
      case "--listen":
        guard let text = rest.popFirst() else {
          throw UsageError(description: "--listen takes a place, such as 127.0.0.1:7001 or unix:/tmp/air.")
        }
        do { air.listen.append(try ListenAddress(text)) } catch { throw UsageError(description: error.description) }
      case "--vhci":
        guard air.kernelAdapters < 16 else { throw UsageError(description: "--vhci can be given 16 times.") }
        air.kernelAdapters += 1
      case "--devices":
        guard let text = rest.popFirst(), let devices = Air.Devices(rawValue: text) else {
          throw UsageError(description: "--devices takes \"demo\" or \"none\".")
        }
        air.devices = devices
      case "--seed": air.seed = try parseSeed(rest.popFirst())
      case "--scene":
        guard let path = rest.popFirst() else { throw UsageError(description: "--scene takes the file of a scene.") }
        air.scene = path
      case "--legacy": air.isLegacy = true
      case "--watch": air.isWatching = true
      default: throw UsageError(description: "The air has no option \"\(option)\".")
      }
    }
    guard !air.listen.isEmpty || air.kernelAdapters > 0 else {
      throw UsageError(description: "The air needs a place to listen at, such as --listen 127.0.0.1:7001, or --vhci.")
    }
    return .air(air)
  }

  private static func parseSeed(_ text: String?) throws(UsageError) -> UInt64 {
    guard let text, let seed = UInt64(text) else {
      throw UsageError(description: "--seed takes a whole number from 0 to \(UInt64.max).")
    }
    return seed
  }
}
