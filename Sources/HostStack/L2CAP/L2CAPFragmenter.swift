/// Cuts a frame into ACL payloads (Core 5.4, Vol 3, Part A, 7.2.1). The first is the start of the frame, all others
/// continue it.
package struct L2CAPFragmenter: Sequence, IteratorProtocol, Sendable {
  /// One ACL payload.
  package struct Fragment: Hashable, Sendable {
    /// Whether it continues a frame that began earlier.
    package var isContinuation: Bool
    package var bytes: ArraySlice<UInt8>
  }

  private let frame: [UInt8]
  private let length: Int
  private var offset = 0

  /// - Parameter length: The most that one ACL packet carries, in bytes; less than 1 counts as 1.
  package init(_ frame: [UInt8], length: Int) {
    self.frame = frame
    self.length = Swift.max(1, length)
  }

  /// How many fragments are still to come.
  package var remaining: Int { (frame.count - offset + length - 1) / length }

  package mutating func next() -> Fragment? {
    guard offset < frame.count else { return nil }
    let end = Swift.min(frame.count, offset + length)
    defer { offset = end }
    return Fragment(isContinuation: offset > 0, bytes: frame[offset..<end])
  }
}
