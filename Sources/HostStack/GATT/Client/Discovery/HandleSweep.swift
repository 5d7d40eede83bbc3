import BluetoothTypes

/// Walks over ranges of handles by requests that each answer from some handle on. It only goes forward, so it ends
/// whatever the peer answers. Handles are `Int` here, so that one past the last is a number too.
struct HandleSweep: Sendable {
  /// What is left to ask for, in order.
  private(set) var ranges: [ClosedRange<Int>]
  /// Where the next request starts.
  private(set) var position: Int
  /// Whether the peer refused the whole range, so that the services are asked one by one.
  private(set) var isPerService = false

  init(_ ranges: [ClosedRange<Int>] = []) {
    self.ranges = ranges
    position = ranges.first?.lowerBound ?? 0
  }

  /// The range of the next request; `nil` when all is done.
  var next: (start: AttributeHandle, end: AttributeHandle)? {
    guard let range = ranges.first, position <= range.upperBound else { return nil }
    return (Self.handle(position), Self.handle(range.upperBound))
  }

  /// Whether a handle may come now: not before what was asked for, not behind it.
  func expects(_ handle: Int) -> Bool {
    ranges.first.map { position <= handle && handle <= $0.upperBound } ?? false
  }

  /// All up to `handle` is known; ranges with fewer than `least` handles left are done.
  mutating func advance(past handle: Int, least: Int = 1) {
    position = max(position, handle + 1)
    while let range = ranges.first, range.upperBound - position + 1 < least { dropRange() }
  }

  /// The rest of the range in hand holds nothing, or is not to be had.
  mutating func dropRange() {
    guard !ranges.isEmpty else { return }
    ranges.removeFirst()
    if let range = ranges.first { position = max(position, range.lowerBound) }
  }

  /// Goes on service by service with what is left; of `services` in order.
  mutating func split(by services: some Sequence<ClosedRange<Int>>) {
    let from = position
    isPerService = true
    ranges = services.filter { $0.upperBound >= from }
    position = max(from, ranges.first?.lowerBound ?? from)
  }

  /// Adds a range to what is left.
  mutating func add(_ range: ClosedRange<Int>) {
    ranges.append(range)
    if ranges.count == 1 { position = max(position, range.lowerBound) }
  }

  private static func handle(_ value: Int) -> AttributeHandle {
    AttributeHandle(UInt16(clamping: value))
  }
}
