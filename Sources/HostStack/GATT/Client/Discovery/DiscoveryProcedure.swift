import BluetoothTypes
import RadioPort

/// Discovers all services of a peer with all that is in them, by few requests (Core 5.4, Vol 3, Part G, 4.4 to 4.7):
/// each phase sweeps over all handles at once, and goes service by service only where the peer refuses that.
///
/// The Client Characteristic Configurations are found by their type, which takes one request for most tables. What
/// other descriptors there are is asked for only where handles are left over for them.
struct DiscoveryProcedure: Sendable {
  enum Phase: Sendable {
    case services
    case includes
    /// Reads the declarations of included services whose UUIDs are too long for the reference.
    case includedUUIDs
    case characteristics
    case configurations
    case descriptors
    /// Reads the Extended Properties of the characteristics that have them.
    case extendedProperties
  }

  static let primaryService = BluetoothUUID(UInt16(0x2800))
  static let include = BluetoothUUID(UInt16(0x2802))
  static let characteristic = BluetoothUUID(UInt16(0x2803))
  static let extendedProperties = BluetoothUUID(UInt16(0x2900))
  static let clientConfiguration = BluetoothUUID(UInt16(0x2902))
  /// How often the peer's services may change under the discovery before it gives up.
  static let mostRestarts = 3

  var table = DiscoveredTable()
  var phase = Phase.services
  var sweep = HandleSweep([1...0xFFFF])
  /// Attributes to read one by one, the next one last.
  var reads: [Int] = []
  /// The refusal of a service, for the case that all refuse.
  var refusal: RadioFailure?
  private var restarts = 0
  private var isStale = false

  /// What was passed over on the way, for the log.
  var notes: [String] { table.notes }

  mutating func start() -> ClientStep { proceed() }

  /// The peer's services have changed: what is known is worth nothing any more.
  mutating func beginAgain() { isStale = true }

  mutating func receive(_ reply: ClientReply) -> ClientStep {
    if isStale { return restart() }
    do throws(RadioFailure) {
      switch reply {
      case .response(let frame): try take(frame)
      case .error(let error) where error.code == .attributeNotFound && !isReading: takeNothing()
      case .error(let error): try takeRefusal(error)
      }
      return try advance()
    } catch {
      return .fail(error)
    }
  }

  private mutating func restart() -> ClientStep {
    let count = restarts + 1
    guard count <= Self.mostRestarts else {
      return .fail(.violation("the peer's services changed \(count) times while they were discovered"))
    }
    self = DiscoveryProcedure()
    restarts = count
    return start()
  }

  var isReading: Bool { phase == .includedUUIDs || phase == .extendedProperties }

  // MARK: Going on

  /// The next request of the phase, or of the next phase that has one.
  private mutating func advance() throws(RadioFailure) -> ClientStep {
    while isReading ? reads.isEmpty : sweep.next == nil {
      guard try enterNextPhase() else { return .finish(.services(table.assemble())) }
    }
    return proceed()
  }

  private func proceed() -> ClientStep {
    if let handle = reads.last { return .send(ATTReadRequest(handle: AttributeHandle(UInt16(clamping: handle)))) }
    guard let (start, end) = sweep.next else { return .fail(.violation("there is nothing to ask for")) }
    return switch phase {
    case .services: .send(ATTReadByGroupTypeRequest(start: start, end: end, type: Self.primaryService))
    case .includes: .send(ATTReadByTypeRequest(start: start, end: end, type: Self.include))
    case .characteristics: .send(ATTReadByTypeRequest(start: start, end: end, type: Self.characteristic))
    case .configurations: .send(ATTReadByTypeRequest(start: start, end: end, type: Self.clientConfiguration))
    case .descriptors, .includedUUIDs, .extendedProperties:
      .send(ATTFindInformationRequest(start: start, end: end))
    }
  }

  /// - Returns: `false` when there is no phase any more.
  private mutating func enterNextPhase() throws(RadioFailure) -> Bool {
    sweep = HandleSweep()
    switch phase {
    case .services:
      guard !table.services.isEmpty else { return false }
      phase = .includes
      // All handles, since services that are only included may lie anywhere.
      sweep = HandleSweep([1...0xFFFF])
    case .includes:
      phase = .includedUUIDs
      reads = includesToRead()
    case .includedUUIDs:
      try addIncludedServices()
      phase = .characteristics
      let ranges = table.serviceRanges
      if let first = ranges.first, let last = ranges.last {
        sweep = HandleSweep([first.lowerBound...last.upperBound])
        sweep.advance(past: first.lowerBound - 1, least: 2)
      }
    case .characteristics:
      if let refusal, table.characteristics.isEmpty { throw refusal }
      try table.layOut()
      phase = .configurations
      let rooms = table.characteristics.lazy.filter { $0.sendsValues && !$0.room.isEmpty }.map(\.room)
      // For one alone its room is asked for anyway, if only by the next phase.
      if rooms.count > 1, let first = rooms.first, let last = rooms.last {
        sweep = HandleSweep([first.lowerBound...(last.upperBound - 1)])
      }
    case .configurations:
      phase = .descriptors
      sweep = HandleSweep(Self.joined(table.gaps))
    case .descriptors:
      phase = .extendedProperties
      reads = table.characteristics.filter { $0.properties.contains(.extendedProperties) }
        .compactMap { $0.descriptors.first { $0.uuid == Self.extendedProperties } }
        .map { Int($0.handle.rawValue) }
        .reversed()
    case .extendedProperties: return false
    }
    return true
  }

  /// Gaps as they are asked for: each request reaches to the end of the last gap, so that one reply may serve several.
  private static func joined(_ gaps: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    guard let first = gaps.first, let last = gaps.last else { return [] }
    return [first.lowerBound...last.upperBound]
  }

  // MARK: Replies

  /// There is nothing of the kind in the rest of the range.
  private mutating func takeNothing() { sweep.dropRange() }

  private mutating func takeRefusal(_ error: ATTErrorResponse) throws(RadioFailure) {
    switch phase {
    case .services:
      throw .att(error, "the discovery of services", handle: error.handle)
    case .includes where !sweep.isPerService:
      sweep.split(by: table.serviceRanges)
    case .characteristics where !sweep.isPerService:
      refusal = .att(error, "the discovery of characteristics", handle: error.handle)
      sweep.split(by: table.serviceRanges)
      sweep.advance(past: 0, least: 2)
    case .includes, .characteristics:
      if let range = sweep.ranges.first {
        table.notes.append("the peer refused the discovery from handle \(range.lowerBound) on: \(error.code)")
      }
      sweep.dropRange()
    case .configurations:
      // They are found in the gaps then.
      sweep = HandleSweep()
    case .descriptors where !sweep.isPerService:
      sweep.split(by: table.gaps)
    case .descriptors: sweep.dropRange()
    case .includedUUIDs:
      guard let handle = reads.popLast() else { return }
      table.includes.removeAll { $0.service.lowerBound == handle }
      table.notes.append("the peer refused to say what its included service at handle \(handle) is: \(error.code)")
    case .extendedProperties: _ = reads.popLast()
    }
  }
}
