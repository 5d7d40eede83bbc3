import Halcyon

extension LittleBlueTooth {
  /// "Listen": the values of one characteristic. Any number of loops may run; the last that is left ends the
  /// subscription.
  @discardableResult
  static func listen(to punch: Peripheral) async throws -> [ButtonState] {
    var states: [ButtonState] = []
    for try await state in punch.values(of: .button).prefix(3) { states.append(state) }
    print("the button:", states.words)
    return states
  }

  // readme: begin
  /// "Connectable listen": set up for two readers before there is a connection; it begins when it is told to, and a stop
  /// ends both.
  @discardableResult
  static func connectableListen(central: Central) async throws -> (first: [ButtonState], second: [ButtonState]) {
    let discovery = try await central.scan(where: .named("PunchLX")).collect(1)[0]
    let buttons = discovery.peripheral.shared(of: .button)
    let first = Task { try await buttons.reduce(into: []) { $0.append($1) } }
    let second = Task { try await buttons.reduce(into: []) { $0.append($1) } }

    let punch = try await central.connect(to: discovery)
    buttons.start()
    try await central.clock.sleep(for: .seconds(3.5))
    buttons.stop()
    let heard = (first: try await first.value, second: try await second.value)
    print("both readers heard the same:", heard.first == heard.second, heard.first.words)
    await punch.disconnect()
    return heard
  }
  // readme: end

  // readme: begin
  /// "Multi listen": everything that is switched on, in one place; each value says what it is of.
  @discardableResult
  static func listenToAll(of punch: Peripheral) async throws -> (buttons: [ButtonState], leds: [LedState]) {
    let listening = Task {
      var (buttons, leds): ([ButtonState], [LedState]) = ([], [])
      for try await value in punch.notifications() {
        if let button = try value.value(of: .button) { buttons.append(button) }
        if let led = try value.value(of: .led) { leds.append(led) }
        if buttons.count >= 2, leds.count >= 1 { break }
      }
      return (buttons, leds)
    }
    try await punch
      .setNotifying(true, for: .button)
      .setNotifying(true, for: .led)
      .write(LedState(isOn: true), to: .led)
    let (buttons, leds) = try await listening.value
    try await punch
      .setNotifying(false, for: .button)
      .setNotifying(false, for: .led)
    print("in one place: buttons \(buttons.words), lights \(leds.map(\.isOn))")
    return (buttons, leds)
  }
  // readme: end

  /// "Custom operators": each of them is a step of an expression, and each works on a peripheral alone.
  @discardableResult
  static func operators(central: Central) async throws -> [UInt16] {
    let band = try await central.scan(for: [.heartRate])  // startDiscovery
      .connect()  // prefix(1), connect
      .write(.resetEnergyExpended, to: .heartRateControlPoint)  // write
      .setNotifying(true, for: .heartRateMeasurement)  // enableListen
    let location = try await band.read(.bodySensorLocation)  // read
    var beats: [UInt16] = []
    for try await beat in band.values(of: .heartRateMeasurement).prefix(3) {  // startListen
      beats.append(beat.beatsPerMinute)
    }
    try await band.setNotifying(false, for: .heartRateMeasurement)  // disableListen
    await band.disconnect()  // disconnect
    print("worn at the \(location):", beats)
    return beats
  }
}

extension [ButtonState] {
  /// The states, as text.
  fileprivate var words: String { map { "\($0)" }.joined(separator: ", ") }
}
