import BluetoothTypes
import HostStack
import RadioPort

/// Something that goes wrong, and when: a line of a script for a device or a radio.
///
/// ```swift
/// band.faults.add(.dropLink(at: .packet(5)))
/// band.faults.add(.refuse(.writes(to: "2A39"), with: .insufficientAuthorization, times: 1))
/// band.faults.add(.powerOff(at: .after(.seconds(30)), for: .seconds(10)))
/// world.faults(of: world.radio)?.add(.losePackets(0.2))
/// band.faults.add(.dropLink(at: .after(.seconds(60))).onLinks(to: world.radio))
/// ```
///
/// A device can do all of it. A radio, which has no server of its own to spoil, takes what concerns links, advertising and
/// power; the rest does nothing there, and ``Faults/add(_:)`` says so.
public struct Fault: Sendable, CustomStringConvertible {
  /// When a fault begins.
  public enum Moment: Hashable, Sendable {
    /// At once.
    case now
    /// After so much of the world's time.
    case after(Duration)
    /// At a moment of the world's time; at once if that is over.
    case at(RadioInstant)
    /// With the nth packet of data from now on that passes on the links of the device or radio, in either direction,
    /// counted from 1. It is still delivered; before the fault has begun, no other one passes on the air.
    case packet(Int)
  }

  /// Which packets of a link.
  public enum Direction: Hashable, Sendable {
    /// Those that the device or radio sends.
    case sent
    /// Those that it should hear.
    case received
    /// All of them.
    case both
  }

  /// What goes wrong.
  indirect enum Effect: Sendable {
    case drop(HCIStatus?)
    case lose(Double, Direction)
    case delay(Duration)
    case outOfRange
    case powerOff
    case mute
    case address(BluetoothAddress?)
    case database([VirtualDevice.Service], isAnnounced: Bool)
    case answer(RequestPattern, VirtualDevice.Answer, times: Int?, skipping: Int)
    case answerChannel(L2CAPPSM?, ChannelInterception, times: Int?, skipping: Int)
    case closeChannels
    case stallChannels
  }

  let effect: Effect
  /// When it begins.
  public let moment: Moment
  /// How long it lasts; `nil` for ever, or until it is removed.
  public let duration: Duration?
  /// What it is, for messages.
  public internal(set) var description: String
  /// Whose links it is about, at their other ends; `nil` for all.
  var partner: FaultPartner?

  init(_ effect: Effect, _ moment: Moment, lasting duration: Duration? = nil, _ description: String) {
    self.effect = effect
    self.moment = moment
    self.duration = duration
    self.description = description
  }

  // MARK: Links

  /// All links end.
  ///
  /// - Parameters:
  ///   - reason: What the other end hears; `nil` for nothing: then both ends find out by the supervision timeout.
  ///   - moment: When.
  public static func dropLink(reason: HCIStatus? = nil, at moment: Moment = .now) -> Fault {
    Fault(.drop(reason), moment, "drop links\(reason.map { " with \($0)" } ?? " without a word")")
  }

  /// Packets get lost on all links, and are sent again, as on a bad link; links on which all are lost for too long end by
  /// the supervision timeout.
  ///
  /// - Parameters:
  ///   - share: How many of them, 0 to 1.
  ///   - direction: Which of them.
  ///   - moment: When it begins.
  ///   - duration: How long it lasts; `nil` for ever.
  public static func losePackets(
    _ share: Double = 1,
    _ direction: Direction = .both,
    from moment: Moment = .now,
    for duration: Duration? = nil
  ) -> Fault {
    let share = share.isNaN ? 1 : min(max(share, 0), 1)
    return Fault(.lose(share, direction), moment, lasting: duration, "lose \(share) of the packets")
  }

  /// Data that passes on all links reaches its host later, in order.
  ///
  /// - Parameter delay: How much later, up to a billion seconds.
  public static func delayPackets(
    by delay: Duration,
    from moment: Moment = .now,
    for duration: Duration? = nil
  ) -> Fault {
    // So long that nothing comes, and so short that no sum with it is out of range.
    let delay = min(max(.zero, delay), .seconds(1_000_000_000))
    return Fault(.delay(delay), moment, lasting: duration, "deliver packets \(delay) late")
  }

  /// Nobody hears it, and it hears nobody.
  public static func outOfRange(from moment: Moment = .now, for duration: Duration? = nil) -> Fault {
    Fault(.outOfRange, moment, lasting: duration, "out of range")
  }

  // MARK: Power and advertising

  /// It goes off, as if the battery was pulled, and on again if it does not last for ever.
  public static func powerOff(at moment: Moment = .now, for duration: Duration? = nil) -> Fault {
    Fault(.powerOff, moment, lasting: duration, "power off")
  }

  /// Its advertising is not heard any more, though its host does not know.
  public static func stopAdvertising(at moment: Moment = .now, for duration: Duration? = nil) -> Fault {
    Fault(.mute, moment, lasting: duration, "stop advertising")
  }

  /// It starts again with another address, as after a reset: links end by the supervision timeout.
  ///
  /// - Parameter address: `nil` for a random one.
  public static func changeAddress(to address: BluetoothAddress? = nil, at moment: Moment = .now) -> Fault {
    Fault(.address(address), moment, "change the address")
  }

  // MARK: Database and requests

  /// Other services take the place of all that it has but Generic Access and Generic Attribute.
  ///
  /// - Parameters:
  ///   - services: The services from then on.
  ///   - isAnnounced: `true`: at once, and clients that have asked for it get Service Changed. `false`: it starts again
  ///     with them, as after an update of its firmware, and tells nobody.
  ///   - moment: When.
  public static func changeDatabase(
    to services: [VirtualDevice.Service],
    isAnnounced: Bool = true,
    at moment: Moment = .now
  ) -> Fault {
    Fault(.database(services, isAnnounced: isAnnounced), moment, "change the database")
  }

  /// Requests get another answer than the right one.
  ///
  /// - Parameters:
  ///   - requests: Which ones.
  ///   - answer: What becomes of them.
  ///   - times: How many of them; `nil` for all. Below 0 counts as 0.
  ///   - skipping: How many go well before. Below 0 counts as 0.
  ///   - moment: From when on.
  public static func answer(
    _ requests: RequestPattern,
    with answer: VirtualDevice.Answer,
    times: Int? = nil,
    skipping: Int = 0,
    from moment: Moment = .now
  ) -> Fault {
    let (times, skipping) = (times.map { max(0, $0) }, max(0, skipping))
    return Fault(.answer(requests, answer, times: times, skipping: skipping), moment, "answer \(requests) wrongly")
  }

  /// Requests are answered with an error.
  public static func refuse(
    _ requests: RequestPattern,
    with code: ATTErrorCode,
    times: Int? = nil,
    skipping: Int = 0
  ) -> Fault {
    answer(requests, with: .error(code), times: times, skipping: skipping)
  }

  /// Requests are answered late.
  public static func delay(_ requests: RequestPattern, by delay: Duration, times: Int? = nil) -> Fault {
    answer(requests, with: .after(delay), times: times)
  }

  /// Requests are answered with bytes that need not make sense.
  public static func garbage(_ requests: RequestPattern, _ bytes: [UInt8], times: Int? = nil) -> Fault {
    answer(requests, with: .raw(bytes), times: times)
  }

  /// Requests are never answered.
  public static func ignore(_ requests: RequestPattern, times: Int? = nil) -> Fault {
    answer(requests, with: .never, times: times)
  }

  /// A notification of the characteristic goes out before the reply to the subscription.
  public static func notifyBeforeReply(
    _ value: [UInt8],
    toSubscriptionOf characteristic: BluetoothUUID? = nil,
    times: Int? = nil
  ) -> Fault {
    answer(.subscriptions(to: characteristic), with: .notifyFirst(value), times: times)
  }
}

// Faults of L2CAP channels.
extension Fault {
  /// Wishes for channels are refused.
  ///
  /// - Parameters:
  ///   - psm: On which PSM; `nil` for all.
  ///   - result: What the client hears.
  ///   - times: How many of them; `nil` for all. Below 0 counts as 0.
  ///   - skipping: How many go well before. Below 0 counts as 0.
  ///   - moment: From when on.
  public static func refuseChannel(
    to psm: L2CAPPSM? = nil,
    with result: L2CAPConnectionResult = .noResources,
    times: Int? = nil,
    skipping: Int = 0,
    from moment: Moment = .now
  ) -> Fault {
    Fault(
      .answerChannel(psm, .refuse(result), times: times.map { max(0, $0) }, skipping: max(0, skipping)),
      moment,
      "refuse channels\(psm.map { " to \($0)" } ?? "")"
    )
  }

  /// Wishes for channels are never answered: the client's own limit, of 30 s at most, ends them.
  public static func ignoreChannel(
    to psm: L2CAPPSM? = nil,
    times: Int? = nil,
    skipping: Int = 0,
    from moment: Moment = .now
  ) -> Fault {
    Fault(
      .answerChannel(psm, .ignore, times: times.map { max(0, $0) }, skipping: max(0, skipping)),
      moment,
      "ignore wishes for channels\(psm.map { " to \($0)" } ?? "")"
    )
  }

  /// The device closes all channels at once; what it was to send on them is dropped.
  public static func closeChannels(at moment: Moment = .now) -> Fault {
    Fault(.closeChannels, moment, "close channels")
  }

  /// The device takes no message on any channel, so that clients which go on sending have to wait.
  public static func stallChannels(from moment: Moment = .now, for duration: Duration? = nil) -> Fault {
    Fault(.stallChannels, moment, lasting: duration, "take nothing on channels")
  }
}

/// Which requests of clients a fault is about. One that names a characteristic that a device does not have is about none.
public struct RequestPattern: Hashable, Sendable, CustomStringConvertible {
  /// The kind of PDU; `nil` for any.
  public var kind: VirtualDevice.Request.Kind?
  /// The characteristic that the attribute is, or belongs to; `nil` for any, and for none.
  public var characteristic: BluetoothUUID?
  /// Whether only writes of client configurations count.
  public var isSubscription: Bool

  /// A pattern; all that is given must be so.
  public init(
    kind: VirtualDevice.Request.Kind? = nil,
    characteristic: BluetoothUUID? = nil,
    isSubscription: Bool = false
  ) {
    self.kind = kind
    self.characteristic = characteristic
    self.isSubscription = isSubscription
  }

  /// All requests and commands.
  public static let all = RequestPattern()
  /// Read Requests.
  public static let reads = RequestPattern(kind: .read)
  /// Write Requests.
  public static let writes = RequestPattern(kind: .write)
  /// Writes of client configurations.
  public static let subscriptions = RequestPattern(kind: .write, isSubscription: true)

  /// Read Requests of a characteristic or one of its descriptors.
  public static func reads(of characteristic: BluetoothUUID?) -> RequestPattern {
    RequestPattern(kind: .read, characteristic: characteristic)
  }

  /// Write Requests to a characteristic or one of its descriptors.
  public static func writes(to characteristic: BluetoothUUID?) -> RequestPattern {
    RequestPattern(kind: .write, characteristic: characteristic)
  }

  /// Writes of the client configuration of a characteristic.
  public static func subscriptions(to characteristic: BluetoothUUID?) -> RequestPattern {
    RequestPattern(kind: .write, characteristic: characteristic, isSubscription: true)
  }

  /// PDUs of a kind.
  public static func kind(_ kind: VirtualDevice.Request.Kind) -> RequestPattern { RequestPattern(kind: kind) }

  /// Whether a request is meant.
  public func matches(_ request: VirtualDevice.Request) -> Bool {
    (kind.map { $0 == request.kind } ?? true) && (characteristic.map { $0 == request.characteristic } ?? true)
      && (!isSubscription || request.isSubscription)
  }

  /// What it matches, in words.
  public var description: String {
    let what =
      isSubscription ? "subscriptions" : kind.map { "requests of the kind \($0.rawValue)" } ?? "all requests"
    return characteristic.map { "\(what) for \($0)" } ?? what
  }
}
