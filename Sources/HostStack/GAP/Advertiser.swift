import BluetoothTypes
import RadioPort

/// What to advertise, by legacy advertising.
package struct AdvertisingConfiguration: Hashable, Sendable {
  /// When to advertise again after a central has connected, which ends advertising in the controller.
  package enum Resumption: Hashable, Sendable {
    /// Not until told.
    case never
    /// When no central is connected any more.
    case whenDisconnected
    /// At once, for the next central.
    case immediately
  }

  /// The AD structures of the advertisement, at most 31 bytes.
  package var data: [UInt8]
  /// The AD structures of the scan response, at most 31 bytes; empty for none.
  package var scanResponse: [UInt8]
  /// Whether centrals may connect.
  package var isConnectable: Bool
  /// From one advertisement to the next.
  package var interval: ClosedRange<Duration>
  /// When to go on after a connection.
  package var resumption: Resumption

  package init(
    data: [UInt8],
    scanResponse: [UInt8] = [],
    isConnectable: Bool = true,
    interval: ClosedRange<Duration> = .milliseconds(100) ... .milliseconds(150),
    resumption: Resumption = .whenDisconnected
  ) {
    self.data = data
    self.scanResponse = scanResponse
    self.isConnectable = isConnectable
    self.interval = interval
    self.resumption = resumption
  }
}

/// Keeps the controller advertising as its owner asks (Core 5.4, Vol 4, Part E, 7.8.5 to 7.8.9).
package struct Advertiser: Sendable {
  /// The commands that the advertiser sends.
  package enum Step: Sendable {
    case parameters
    case data
    case scanResponse
    case enable
    case disable
  }

  /// What came of it.
  package enum Outcome: Equatable, Sendable {
    case none
    case started
    case stopped
    case failed(HCIStatus)
  }

  private enum Phase: Sendable {
    case off
    case starting(AdvertisingConfiguration)
    case on(AdvertisingConfiguration)
    case stopping
  }

  /// What is wanted; `nil` for nothing.
  package private(set) var wanted: AdvertisingConfiguration?
  private var phase = Phase.off
  /// Whether advertising waits until centrals have gone.
  private var isWaiting = false
  private var centrals = 0

  package init() {}

  /// Whether nothing goes on in the controller.
  package var isIdle: Bool { if case .off = phase { true } else { false } }

  /// Whether the controller advertises.
  package var isOn: Bool { if case .on = phase { true } else { false } }

  /// Starts to advertise, or changes what is advertised.
  package mutating func start(_ configuration: AdvertisingConfiguration) {
    wanted = configuration
    isWaiting = false
  }

  /// Ends advertising.
  package mutating func stop() {
    wanted = nil
    isWaiting = false
  }

  /// A central has connected: the controller has ended advertising.
  package mutating func connected() {
    centrals += 1
    guard let configuration = wanted, configuration.isConnectable else { return }
    phase = .off
    switch configuration.resumption {
    case .never: wanted = nil
    case .whenDisconnected: isWaiting = true
    case .immediately: break
    }
  }

  /// A central is gone.
  package mutating func disconnected() {
    centrals = max(0, centrals - 1)
    if centrals == 0 { isWaiting = false }
  }

  /// Sends what brings the controller to where the owner wants it.
  package mutating func update(_ commands: inout CommandQueue<CommandPurpose>, _ info: ControllerInfo) {
    let goal = isWaiting ? nil : wanted
    switch (phase, goal) {
    case (.off, let configuration?):
      phase = .starting(configuration)
      sendParameters(configuration, &commands, info)
    case (.on(let current), let goal) where goal != current:
      phase = .stopping
      commands.enqueue(LESetAdvertisingEnable(advertisingEnable: false), .advertise(.disable))
    default: break
    }
  }

  private func sendParameters(
    _ configuration: AdvertisingConfiguration,
    _ commands: inout CommandQueue<CommandPurpose>,
    _ info: ControllerInfo
  ) {
    let type: AdvertisingType =
      configuration.isConnectable
      ? .connectableUndirected : configuration.scanResponse.isEmpty ? .nonconnectableUndirected : .scannableUndirected
    commands.enqueue(
      LESetAdvertisingParameters(
        advertisingIntervalMin: Self.units(configuration.interval.lowerBound),
        advertisingIntervalMax: Self.units(configuration.interval.upperBound),
        advertisingType: type,
        ownAddressType: info.ownAddressType
      ),
      .advertise(.parameters)
    )
  }

  private static func units(_ duration: Duration) -> UInt16 {
    UInt16(truncatingIfNeeded: min(max(duration.wholeNanoseconds / 625_000, 0x0020), 0x4000))
  }

  /// A command was answered.
  package mutating func answered(
    _ step: Step,
    _ answer: CommandAnswer,
    _ commands: inout CommandQueue<CommandPurpose>
  ) -> Outcome {
    if case .stopping = phase {
      guard case .disable = step else { return .none }
      // A refusal means that it did not advertise.
      phase = .off
      return wanted == nil ? .stopped : .none
    }
    guard case .starting(let configuration) = phase else { return .none }
    // The answer to what became superfluous, as a connection came in between.
    if case .disable = step { return .none }
    guard answer.status == .success else {
      phase = .off
      // Some controllers do not advertise to other centrals while one is connected.
      if case .enable = step, centrals > 0, configuration.isConnectable, wanted == configuration {
        isWaiting = true
        return .started
      }
      wanted = nil
      return .failed(answer.status)
    }
    switch step {
    case .parameters:
      commands.enqueue(LESetAdvertisingData(advertisingData: configuration.data), .advertise(.data))
    case .data:
      commands.enqueue(
        LESetScanResponseData(scanResponseData: configuration.scanResponse),
        .advertise(.scanResponse)
      )
    case .scanResponse:
      commands.enqueue(LESetAdvertisingEnable(advertisingEnable: true), .advertise(.enable))
    case .enable:
      phase = .on(configuration)
      // Else it is changed at once, and that counts.
      return wanted == configuration ? .started : .none
    case .disable: break
    }
    return .none
  }
}
