import BluetoothTypes
import RadioPort

/// Keeps one advertising set of the controller, or the only advertisement of one without sets, as its owner asks
/// (Core 5.4, Vol 4, Part E, 7.8.5 to 7.8.9 and 7.8.52 to 7.8.59).
package struct Advertiser: Sendable {
  /// The commands that the advertiser sends.
  package enum Step: Hashable, Sendable {
    case parameters
    case address
    /// The fragment of this number.
    case data(Int)
    case scanResponse(Int)
    case enable
    case disable
    case remove
  }

  /// What came of it.
  package enum Outcome: Equatable, Sendable {
    case none
    case started
    case stopped
    case failed(HCIStatus)
    /// What was to be advertised is refused; what was advertised before goes on.
    case refused(HCIStatus)
  }

  private enum Phase: Sendable {
    case off
    case starting(AdvertisingConfiguration)
    case on(AdvertisingConfiguration)
    case stopping
  }

  /// The number of the set; 0 where there are none.
  package let set: UInt8
  /// What is wanted; `nil` for nothing.
  package private(set) var wanted: AdvertisingConfiguration?
  /// What the controller took last, to go back to when it refuses what is wanted next.
  private var standing: AdvertisingConfiguration?
  /// Why it refused that, as long as it is brought back.
  private var refusal: HCIStatus?
  private var phase = Phase.off
  /// Whether advertising waits until centrals have gone.
  private var isWaiting = false
  private var centrals: Int
  /// Whether advertising is held back while something else has to be done in the controller.
  private var isHeld = false
  /// Whether the controller keeps the set.
  private var isPlaced = false

  /// An advertiser of a host that so many centrals are connected to.
  package init(set: UInt8 = 0, centrals: Int = 0) {
    self.set = set
    self.centrals = centrals
  }

  /// Whether nothing goes on in the controller.
  package var isIdle: Bool { if case .off = phase { true } else { false } }

  /// Whether the controller advertises.
  package var isOn: Bool { if case .on = phase { true } else { false } }

  /// Starts to advertise, or changes what is advertised.
  package mutating func start(_ configuration: AdvertisingConfiguration) {
    wanted = configuration
    refusal = nil
    isWaiting = false
  }

  /// Ends advertising.
  package mutating func stop() {
    giveUp()
    isWaiting = false
  }

  private mutating func giveUp() {
    wanted = nil
    standing = nil
    refusal = nil
  }

  /// A central has connected. Without sets, that has ended advertising in the controller; of sets it is told which.
  package mutating func connected(endsAdvertising: Bool = true) {
    centrals += 1
    if endsAdvertising { taken() }
  }

  /// A central has connected to this set, which has ended by that.
  package mutating func taken() {
    guard let configuration = wanted, configuration.isConnectable else { return }
    phase = .off
    switch configuration.resumption {
    case .never: giveUp()
    case .whenDisconnected: isWaiting = centrals > 0
    case .immediately: break
    }
  }

  /// The controller has ended the set for no reason of ours.
  package mutating func ended(_ status: HCIStatus) -> Outcome {
    guard case .on = phase else { return .none }
    phase = .off
    giveUp()
    return .failed(status)
  }

  /// A central is gone.
  package mutating func disconnected() {
    centrals = max(0, centrals - 1)
    if centrals == 0 { isWaiting = false }
  }

  /// Holds advertising back, or lets it go on.
  package mutating func hold(_ isHeld: Bool) { self.isHeld = isHeld }

  /// Sends what brings the controller to where the owner wants it.
  package mutating func update(_ commands: inout CommandQueue<CommandPurpose>, _ info: ControllerInfo) {
    let goal = isWaiting || isHeld ? nil : wanted
    switch (phase, goal) {
    case (.off, let configuration?):
      phase = .starting(configuration)
      if info.hasExtendedAdvertising {
        // What was in the set need not go with its new kind.
        if isPlaced { commands.enqueue(LERemoveAdvertisingSet(advertisingHandle: set), .courtesy) }
        isPlaced = true
        sendExtendedParameters(configuration, &commands, info)
      } else {
        sendParameters(configuration, &commands, info)
      }
    case (.on(let current), let goal) where goal != current:
      phase = .stopping
      if info.hasExtendedAdvertising {
        commands.enqueue(
          LESetExtendedAdvertisingEnable(enable: false, sets: [.init(advertisingHandle: set)]),
          .advertise(set, .disable)
        )
      } else {
        commands.enqueue(LESetAdvertisingEnable(advertisingEnable: false), .advertise(set, .disable))
      }
    default: break
    }
  }

  // MARK: Parameters

  private func sendParameters(
    _ configuration: AdvertisingConfiguration,
    _ commands: inout CommandQueue<CommandPurpose>,
    _ info: ControllerInfo
  ) {
    commands.enqueue(
      LESetAdvertisingParameters(
        advertisingIntervalMin: Self.units(configuration.interval.lowerBound, most: 0x4000),
        advertisingIntervalMax: Self.units(configuration.interval.upperBound, most: 0x4000),
        advertisingType: configuration.legacyType,
        ownAddressType: info.ownAddressType,
        peerAddress: configuration.target ?? BluetoothAddress(0, .public)
      ),
      .advertise(set, .parameters)
    )
  }

  private func sendExtendedParameters(
    _ configuration: AdvertisingConfiguration,
    _ commands: inout CommandQueue<CommandPurpose>,
    _ info: ControllerInfo
  ) {
    var command = LESetExtendedAdvertisingParameters(
      advertisingHandle: set,
      primaryAdvertisingIntervalMin: UInt32(Self.units(configuration.interval.lowerBound, most: 0x4000)),
      primaryAdvertisingIntervalMax: UInt32(Self.units(configuration.interval.upperBound, most: 0x4000)),
      ownAddressType: info.ownAddressType,
      peerAddress: configuration.target ?? BluetoothAddress(0, .public),
      advertisingSID: set & 0x0F
    )
    command.advertisingEventProperties = configuration.properties
    if case .extended(let primary, let secondary) = configuration.format {
      command.primaryAdvertisingPHY = primary == .leCoded ? .leCoded : .le1M
      command.secondaryAdvertisingPHY = LEPHY(rawValue: secondary.rawValue)
    }
    commands.enqueue(command, .advertise(set, .parameters))
  }

  private static func units(_ duration: Duration, most: Int64) -> UInt16 {
    UInt16(truncatingIfNeeded: min(max(duration.wholeNanoseconds / 625_000, 0x0020), most))
  }

  // MARK: Answers

  /// A command was answered.
  package mutating func answered(
    _ step: Step,
    _ answer: CommandAnswer,
    _ commands: inout CommandQueue<CommandPurpose>,
    _ info: ControllerInfo
  ) -> Outcome {
    if case .stopping = phase { return stopAnswered(step, &commands, info) }
    guard case .starting(let configuration) = phase else { return .none }
    switch step {
    // The answer to what became superfluous, as a connection came in between.
    case .disable, .remove: return .none
    default: break
    }
    guard answer.status == .success else {
      phase = .off
      // What came in between is told how it fares itself.
      guard wanted == configuration else { return .none }
      // Some controllers do not advertise to other centrals while one is connected.
      if case .enable = step, centrals > 0, configuration.isConnectable {
        isWaiting = true
        return settled(configuration)
      }
      return refused(configuration, answer.status)
    }
    if case .enable = step {
      phase = .on(configuration)
      // Else it is changed at once, and that counts.
      return wanted == configuration ? settled(configuration) : .none
    }
    if info.hasExtendedAdvertising {
      sendNext(after: step, configuration, &commands, info)
    } else {
      sendNextLegacy(after: step, configuration, &commands)
    }
    return .none
  }

  /// What is wanted is on the air, or will be when the centrals have gone.
  private mutating func settled(_ configuration: AdvertisingConfiguration) -> Outcome {
    standing = configuration
    guard let status = refusal.take() else { return .started }
    return .refused(status)
  }

  private mutating func refused(_ configuration: AdvertisingConfiguration, _ status: HCIStatus) -> Outcome {
    let first = refusal ?? status
    guard let standing, standing != configuration else {
      giveUp()
      return .failed(first)
    }
    wanted = standing
    refusal = first
    return .none
  }

  private mutating func stopAnswered(
    _ step: Step,
    _ commands: inout CommandQueue<CommandPurpose>,
    _ info: ControllerInfo
  ) -> Outcome {
    switch step {
    case .disable where info.hasExtendedAdvertising && wanted == nil:
      // A refusal means that it did not advertise.
      commands.enqueue(LERemoveAdvertisingSet(advertisingHandle: set), .advertise(set, .remove))
      return .none
    case .disable, .remove:
      phase = .off
      if case .remove = step { isPlaced = false }
      return wanted == nil ? .stopped : .none
    default: return .none
    }
  }

  private func sendNextLegacy(
    after step: Step,
    _ configuration: AdvertisingConfiguration,
    _ commands: inout CommandQueue<CommandPurpose>
  ) {
    switch step {
    case .parameters:
      commands.enqueue(LESetAdvertisingData(advertisingData: configuration.data), .advertise(set, .data(0)))
    case .data:
      commands.enqueue(
        LESetScanResponseData(scanResponseData: configuration.scanResponse),
        .advertise(set, .scanResponse(0))
      )
    default: commands.enqueue(LESetAdvertisingEnable(advertisingEnable: true), .advertise(set, .enable))
    }
  }

  private func sendNext(
    after step: Step,
    _ configuration: AdvertisingConfiguration,
    _ commands: inout CommandQueue<CommandPurpose>,
    _ info: ControllerInfo
  ) {
    let data = Fragments(configuration.data)
    let response = Fragments(configuration.scanResponse)
    let next: Step
    switch step {
    case .parameters where info.address.kind == .random: next = .address
    case .parameters, .address: next = data.count > 0 ? .data(0) : response.count > 0 ? .scanResponse(0) : .enable
    case .data(let index): next = index + 1 < data.count ? .data(index + 1) : .scanResponse(0)
    case .scanResponse(let index): next = index + 1 < response.count ? .scanResponse(index + 1) : .enable
    default: return
    }
    let purpose = CommandPurpose.advertise(set, next)
    switch next {
    case .address:
      commands.enqueue(
        LESetAdvertisingSetRandomAddress(advertisingHandle: set, randomAddress: info.address),
        purpose
      )
    case .data(let index):
      let (operation, bytes) = data[index]
      commands.enqueue(
        LESetExtendedAdvertisingData(advertisingHandle: set, operation: operation, advertisingData: bytes),
        purpose
      )
    case .scanResponse(let index) where response.count > 0:
      let (operation, bytes) = response[index]
      commands.enqueue(
        LESetExtendedScanResponseData(advertisingHandle: set, operation: operation, scanResponseData: bytes),
        purpose
      )
    default:
      // Urgent directed advertising has to have its bound (Core 5.4, Vol 4, Part E, 7.8.56), in units of 10 ms.
      let isUrgent = if case .directed(_, isUrgent: true) = configuration.kind { true } else { false }
      commands.enqueue(
        LESetExtendedAdvertisingEnable(
          enable: true,
          sets: [.init(advertisingHandle: set, duration: isUrgent ? 128 : 0)]
        ),
        .advertise(set, .enable)
      )
    }
  }
}

extension AdvertisingConfiguration {
  /// Its kind in the terms of the legacy commands.
  fileprivate var legacyType: AdvertisingType {
    switch kind {
    case .directed(_, isUrgent: true): .connectableDirectedHighDutyCycle
    case .directed: .connectableDirectedLowDutyCycle
    default:
      isConnectable ? .connectableUndirected : isScannable ? .scannableUndirected : .nonconnectableUndirected
    }
  }

  /// Its kind in the terms of the extended commands.
  fileprivate var properties: AdvertisingEventProperties {
    guard isExtended else { return legacyType.properties ?? .legacyConnectable }
    var properties: AdvertisingEventProperties = isConnectable ? .connectable : []
    switch kind {
    case .undirected: break
    case .scannable: properties.insert(.scannable)
    case .directed: properties.insert(.directed)
    case .anonymous: properties.insert(.anonymous)
    }
    if includesTransmitPower { properties.insert(.includeTXPower) }
    return properties
  }

  private var isScannable: Bool { kind == .scannable || !scanResponse.isEmpty }
}

/// Advertising data in the pieces that commands have room for.
private struct Fragments {
  /// How many bytes one command carries.
  static let longest = 251
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { (bytes.count + Self.longest - 1) / Self.longest }

  subscript(index: Int) -> (AdvertisingDataOperation, [UInt8]) {
    let start = min(index * Self.longest, bytes.count)
    let piece = Array(bytes[start..<min(bytes.count, start + Self.longest)])
    if count <= 1 { return (.complete, piece) }
    if index == 0 { return (.firstFragment, piece) }
    return (index + 1 == count ? .lastFragment : .intermediateFragment, piece)
  }
}
