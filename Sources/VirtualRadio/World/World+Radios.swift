import BluetoothTypes
import HostStack
import RadioPort

/// The radios that a world has given out.
struct WorldRadios: Sendable {
  /// A radio, and the way to its controller.
  struct Entry: Sendable {
    let radio: HostRadio
    let channel: VirtualChannel
  }

  /// The first is the one that ``World/radio`` names.
  var main: Entry?
  var others: [Entry] = []
  /// How many addresses were given to radios.
  var addressCount: UInt64 = 1

  var all: [Entry] { (main.map { [$0] } ?? []) + others }
}

extension World {
  /// The radio of the device that the code under test runs on: our host on a virtual controller of its own, in the
  /// middle of the world. It is switched on when it is first asked for.
  public var radio: any Radio { mainRadio }

  /// The same radio, with what only our host has.
  package var mainRadio: HostRadio {
    if let made = radios.withLock({ $0.main }) { return made.radio }
    let entry = makeEntry(name: "radio", number: 0, position: .origin)
    // Who was faster has made the one that counts.
    let main = radios.withLock { radios in
      let main = radios.main ?? entry
      radios.main = main
      return main
    }
    if main.radio === entry.radio {
      powerOn(main)
      radioCame("radio", main.channel.controller)
    } else {
      space.removeController(entry.channel.controller)
    }
    return main.radio
  }

  /// Makes one more radio, as of another phone in the same room, and switches it on.
  ///
  /// - Parameters:
  ///   - name: What the trace calls it; by default `radio 2` and so on.
  ///   - position: Where it is.
  public func makeRadio(name: String? = nil, at position: RadioPosition = .origin) -> any Radio {
    makeHostRadio(name: name, at: position)
  }

  /// The same, with what only our host has.
  package func makeHostRadio(
    name: String? = nil,
    at position: RadioPosition = .origin,
    configuration: HostConfiguration? = nil
  ) -> HostRadio {
    let number = radios.withLock { radios in
      defer { radios.addressCount += 1 }
      return radios.addressCount
    }
    let name = name ?? "radio \(number + 1)"
    let entry = makeEntry(name: name, number: number, position: position, configuration: configuration)
    radios.withLock { $0.others.append(entry) }
    powerOn(entry)
    radioCame(name, entry.channel.controller)
    return entry.radio
  }

  /// The faults of the controller of a radio, or of another program.
  func faults(of controller: ControllerID) -> Faults {
    let radio = radios.withLock { $0.all.first { $0.channel.controller == controller }?.radio }
    return Faults(owner: radio.map { .radio($0) } ?? .controller, world: self, controller: controller)
  }

  /// Switches the adapter of ``radio`` off, as if it was pulled out, or on again. Who uses the radio is told as soon as
  /// the caller waits for anything.
  public func radioPower(_ isOn: Bool) {
    _ = mainRadio
    if let entry = radios.withLock({ $0.main }) { setPower(isOn, entry) }
  }

  /// Switches the adapter of one of this world's radios off or on; does nothing for other radios.
  public func radioPower(_ isOn: Bool, of radio: any Radio) {
    if let entry = radios.withLock({ $0.all.first { $0.radio === radio } }) { setPower(isOn, entry) }
  }

  private func makeEntry(
    name: String,
    number: UInt64,
    position: RadioPosition,
    configuration: HostConfiguration? = nil
  ) -> WorldRadios.Entry {
    // A locally administered address, which no maker has.
    let address = BluetoothAddress(0x0248_414C_0000 &+ number &+ 1, .public)
    let channel = space.addController(ControllerConfiguration(address: address, position: position), name: name)
    var configuration = configuration ?? HostConfiguration()
    configuration.randomness = SeededGenerator.firstNumber(seed: seed, part: SeededGenerator.part("host of \(name)"))
    return WorldRadios.Entry(
      radio: HostRadio(executor: executor, channel: channel, configuration: configuration),
      channel: channel
    )
  }

  private func powerOn(_ entry: WorldRadios.Entry) {
    executor.run { entry.radio.assumeIsolated { $0.powerOn() } }
  }

  /// The controller of one of this world's radios; `nil` for other radios.
  func controller(of radio: any Radio) -> ControllerID? {
    radios.withLock { $0.all.first { $0.radio === radio }?.channel.controller }
  }

  private func setPower(_ isOn: Bool, _ entry: WorldRadios.Entry) {
    space.setPowered(isOn, entry.channel.controller)
    // Submitted like the closing of the channel, so that off and on again come in their order.
    if isOn { executor.submit { entry.radio.assumeIsolated { $0.powerOn() } } }
  }
}

extension SeededGenerator {
  fileprivate static func firstNumber(seed: UInt64, part: UInt64) -> UInt64 {
    var generator = SeededGenerator(seed: seed, part: part)
    return generator.next()
  }
}
