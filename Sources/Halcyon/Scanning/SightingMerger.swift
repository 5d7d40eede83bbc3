import BluetoothTypes
import RadioPort

/// Makes one report of a device's advertisement and its scan response.
///
/// A radio hears the advertisement first. Who may still have more to say is held back for a moment, so that a scan
/// does not first tell of a device without its name.
///
/// Each step costs the same however many devices there are, and their number is bounded.
struct SightingMerger {
  static let grace = Duration.milliseconds(100)

  /// A device that was held back, in the order of the time until when. It counts only as long as it is still in `held`
  /// under the same number.
  private struct Turn {
    let until: RadioInstant
    let peer: PeerID
    let number: UInt64
  }

  private struct Held {
    var latest: Sighting
    let number: UInt64
  }

  private let capacity: Int
  private var reported: RecentTable<PeerID, AdvertisingData>
  private var held: [PeerID: Held] = [:]
  private var turns = ArraySlice<Turn>()
  private var turnCount: UInt64 = 0

  /// Remembers at least the `capacity` devices that were heard last, and less than twice as many.
  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    reported = RecentTable(capacity: capacity)
  }

  /// When `due` has something to tell, if nothing is heard until then.
  var deadline: RadioInstant? { turns.first?.until }

  /// How many devices are kept.
  var count: Int { reported.count + held.count }

  /// Returns whether the sighting is to be reported now.
  mutating func add(_ sighting: Sighting) -> Bool {
    if held[sighting.peer] != nil {
      guard sighting.isScanResponse else {
        held[sighting.peer]?.latest = sighting
        return false
      }
      held[sighting.peer] = nil
      reported[sighting.peer] = sighting.advertisement
      skipEndedTurns()
      return true
    }
    if let told = reported.use(sighting.peer) {
      guard told != sighting.advertisement else { return false }
      reported[sighting.peer] = sighting.advertisement
      return true
    }
    if sighting.isScanResponse || !sighting.isConnectable || sighting.advertisement.localName != nil {
      reported[sighting.peer] = sighting.advertisement
      return true
    }
    turnCount &+= 1
    held[sighting.peer] = Held(latest: sighting, number: turnCount)
    let until = sighting.time.advanced(by: Self.grace)
    turns.append(Turn(until: until, peer: sighting.peer, number: turnCount))
    return false
  }

  /// The sighting that was held back longest, if more are held back than there is room for.
  mutating func takeOverdue() -> Sighting? { held.count > capacity ? takeFirst() : nil }

  /// The sightings that were held back long enough at `now`; all of them without a `now`. The oldest first.
  mutating func due(at now: RadioInstant?) -> [Sighting] {
    var due: [Sighting] = []
    while let turn = turns.first, now.map({ turn.until <= $0 }) ?? true {
      if let sighting = takeFirst() { due.append(sighting) }
    }
    return due
  }

  /// Takes the first of those that are held back; `turns` begins with one of these.
  private mutating func takeFirst() -> Sighting? {
    guard let turn = turns.popFirst(), let latest = held.removeValue(forKey: turn.peer)?.latest else { return nil }
    reported[turn.peer] = latest.advertisement
    skipEndedTurns()
    return latest
  }

  private mutating func skipEndedTurns() {
    while let turn = turns.first, held[turn.peer]?.number != turn.number { turns.removeFirst() }
  }
}
