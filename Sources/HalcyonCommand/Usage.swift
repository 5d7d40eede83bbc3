/// How the command is used, in words.
enum Usage {
  /// What a command line may begin with.
  enum Command: String, CaseIterable {
    case demo, sensor, air
  }

  /// How it is called: of all commands, or of one.
  static func synopsis(of command: Command? = nil) -> String {
    let lines: [String]
    if let command {
      lines = Self.lines(of: command)
    } else {
      lines = Command.allCases.flatMap(Self.lines) + ["halcyon help [COMMAND]", "halcyon version"]
    }
    return "usage: " + lines.joined(separator: "\n       ")
  }

  /// All about one command, or about all of them.
  static func manual(of command: Command? = nil) -> String {
    let parts = command.map { [$0] } ?? Command.allCases
    let title = "halcyon: Bluetooth Low Energy for Swift"
    return ([title, synopsis(of: command)] + parts.map(details)).joined(separator: "\n\n")
  }

  private static func lines(of command: Command) -> [String] {
    switch command {
    case .demo: ["halcyon demo [--seed N] [--capture FILE]", "halcyon demo --radio RADIO [--again N] [--capture FILE]"]
    case .sensor: ["halcyon sensor --radio RADIO [--name NAME]"]
    case .air:
      [
        "halcyon air [--listen HOST:PORT] [--listen unix:PATH] [--vhci] [--devices demo]",
        "            [--scene FILE] [--seed N] [--legacy] [--watch]",
      ]
    }
  }

  private static func details(of command: Command) -> String {
    switch command {
    case .demo:
      """
      demo            Shows the main job: find devices, connect, discover, read, stream, write, lose a link and recover.
        --seed N      Chooses another course of events, 0 to 18446744073709551615; the same seed gives the same
                      transcript. 1 if left out.
        --radio R     Does the job with whatever heart-rate device is in range of a controller that speaks HCI:
                      hci:tcp:HOST:PORT, hci:unix:PATH or, for the Linux kernel's adapter N, hci:user:N; or among virtual
                      devices: virtual, virtual:SCENE.
        --again N     Comes back to the device so many times, 1 to 1000, and reads: what is known of it by then is not
                      discovered once more.
        --capture F   Writes the packets between host and controller to a btsnoop file, for Wireshark.
      """
    case .sensor:
      """
      sensor          Is a heart-rate sensor on a controller, for whatever central is in range. Ends with SIGINT or SIGTERM.
        --radio R     hci:tcp:HOST:PORT, hci:unix:PATH, hci:user:N, virtual or virtual:SCENE, as for the demo.
        --name NAME   What it is found as; "Halcyon Heart" if left out.
      """
    case .air:
      """
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
    }
  }
}
