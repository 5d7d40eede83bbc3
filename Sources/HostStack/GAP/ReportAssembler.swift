import BluetoothTypes

/// Puts the pieces together in which a controller reports what is longer than one event (Core 5.4, Vol 4, Part E,
/// 7.7.65.13). Advertisers may come interleaved; it is bounded, and the oldest that is unfinished is given up first.
package struct ReportAssembler: Sendable {
  /// What a piece leads to.
  package enum Outcome: Equatable, Sendable {
    /// More is to come, or what came is given up.
    case waiting
    /// The data, whole.
    case whole([UInt8])
    /// The beginning of the data, cut back to whole AD structures; the rest is lost.
    case truncated([UInt8])
  }

  private struct Key: Hashable {
    var address: BluetoothAddress?
    var set: UInt8
    var isResponse: Bool
  }

  private struct Partial {
    var key: Key
    var data: [UInt8]
    /// Too long to be real: what comes is dropped until its end.
    var isOverlong = false
  }

  /// How long the data of one advertiser can be.
  package static let longest = 1650
  /// How many advertisers can be under way.
  package let limit: Int
  /// The oldest first.
  private var partials: [Partial] = []

  package init(limit: Int = 32) { self.limit = max(1, limit) }

  /// How many advertisers are under way.
  package var count: Int { partials.count }

  /// Forgets what is unfinished.
  package mutating func removeAll() { partials.removeAll() }

  /// Takes a piece in.
  package mutating func take(_ report: LEExtendedAdvertisingReport.Report) -> Outcome {
    // A legacy packet is never in pieces.
    guard !report.eventType.contains(.legacy) else { return .whole(report.data) }
    let key = Key(
      address: report.address,
      set: report.advertisingSID,
      isResponse: report.eventType.contains(.scanResponse)
    )
    let place = partials.firstIndex { $0.key == key }
    let isLast = report.eventType.isDisjoint(with: [.incomplete, .truncated])
    if place == nil, isLast { return .whole(report.data) }
    var partial = place.map { partials.remove(at: $0) } ?? Partial(key: key, data: [])
    if partial.data.count + report.data.count > Self.longest { partial.isOverlong = true }
    if partial.isOverlong { partial.data = [] } else { partial.data += report.data }
    if report.eventType.contains(.truncated) {
      return partial.isOverlong ? .waiting : .truncated(Self.wholeStructures(of: partial.data))
    }
    if isLast { return partial.isOverlong ? .waiting : .whole(partial.data) }
    if partials.count >= limit { partials.removeFirst() }
    partials.append(partial)
    return .waiting
  }

  private static func wholeStructures(of data: [UInt8]) -> [UInt8] {
    var end = 0
    while end < data.count {
      let next = end + 1 + Int(data[end])
      guard data[end] > 0, next <= data.count else { break }
      end = next
    }
    return Array(data[..<end])
  }
}
