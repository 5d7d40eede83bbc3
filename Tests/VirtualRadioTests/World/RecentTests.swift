import BluetoothTypes
import Testing

@testable import VirtualRadio

@Suite("What a device keeps of what others may do for ever")
struct RecentTests {
  @Test("the last are kept, in order, and all are counted", arguments: [1, 3, 10])
  func recent(limit: Int) {
    var recent = Recent<Int>(keeping: limit)
    for number in 0..<1000 {
      recent.append(number)
      #expect(recent.count == number + 1)
      #expect(recent.elements == Array(max(0, number + 1 - limit)...number))
    }
  }

  private func item(_ handle: UInt16, _ value: UInt8, isTimed: Bool) -> WaitingValues.Item {
    WaitingValues.Item(handle: AttributeHandle(handle), value: [value], isTimed: isTimed)
  }

  private func all(_ values: WaitingValues) -> [[UInt8]] {
    var (values, all) = (values, [[UInt8]]())
    while let item = values.first {
      all.append(item.value)
      values.removeFirst()
    }
    return all
  }

  @Test("a value that is sent by itself takes the place of the one before, of the same characteristic alone")
  func timedValues() {
    var values = WaitingValues()
    var dropped = 0
    for number in UInt8(0)..<100 {
      for handle in UInt16(1)...2 {
        if values.append(item(handle, number &* 2 &+ UInt8(handle), isTimed: true)) { dropped += 1 }
      }
    }
    #expect(all(values) == [[199], [200]] && dropped == 198)
    // What somebody has sent on purpose stays, and what comes after it stays behind it.
    let drops = [(50, false), (51, true), (52, true)].map { values.append(item(1, $0.0, isTimed: $0.1)) }
    #expect(drops == [false, false, true])
    #expect(all(values) == [[199], [200], [50], [52]])
  }

  @Test("of other values so many wait, and the oldest go first; what is taken makes room")
  func limit() {
    var values = WaitingValues()
    let count = WaitingValues.limit + 300
    var dropped = 0
    for number in 0..<count where values.append(item(1, UInt8(truncatingIfNeeded: number), isTimed: false)) {
      dropped += 1
    }
    #expect(dropped == 300 && values.count == WaitingValues.limit)
    #expect(all(values) == (300..<count).map { [UInt8(truncatingIfNeeded: $0)] })
    for _ in 0..<10 { values.removeFirst() }
    let isDropped = values.append(item(1, 7, isTimed: false))
    #expect(!isDropped)
    #expect(values.count == WaitingValues.limit - 9)
  }
}
