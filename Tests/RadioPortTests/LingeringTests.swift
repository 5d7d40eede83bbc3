import RadioPort
import Testing

/// Descriptors that become ready at moments that a test chooses, and a clock that only polling moves.
private struct Line {
  var time: Int64 = 0
  /// When something comes; `nil` for never.
  var arrival: Int64?
  /// How long each poll was to take; `nil` for as long as it takes.
  var polls: [Int64?] = []

  /// How many polls could sleep.
  var sleeps: Int { polls.count { $0 != 0 } }

  mutating func poll(_ nanoseconds: Int64?) -> Int32 {
    polls.append(nanoseconds)
    let end = nanoseconds.map { time + max($0, 1_000) }
    guard let arrival, arrival <= end ?? .max else {
      time = end ?? time
      return 0
    }
    time = max(time, arrival)
    self.arrival = nil
    return 1
  }
}

@Suite struct LingeringTests {
  private func wait(_ lingering: inout Lingering, _ line: inout Line, _ nanoseconds: Int64? = nil) -> Int32 {
    var copy = line
    defer { line = copy }
    return withUnsafeMutablePointer(to: &copy) { line in
      lingering.wait(nanoseconds, hasDescriptors: true, now: { line.pointee.time }, { line.pointee.poll($0) })
    }
  }

  @Test("what comes soon is waited for without sleep, time after time")
  func soon() {
    var lingering = Lingering(processors: 2)
    var line = Line()
    for _ in 0..<1_000 {
      line.arrival = line.time + 30_000
      #expect(wait(&lingering, &line) == 1)
    }
    #expect(line.sleeps == 0)
  }

  @Test("what comes at the pace of a radio is slept for, but for one try in many")
  func seldom() {
    var lingering = Lingering(processors: 2)
    var line = Line()
    let begin = line.time
    for _ in 0..<6_500 {
      line.arrival = line.time + 7_500_000
      #expect(wait(&lingering, &line) == 1)
    }
    #expect(line.sleeps == 6_500)
    let tries = Int64(line.polls.count - line.sleeps) / (Lingering.length / 1_000)
    #expect(tries < 110)
    // Less than a thousandth of the time.
    #expect(tries * Lingering.length * 1_000 < line.time - begin)
  }

  @Test("where nothing ever comes the thread looks once, and sleeps")
  func idle() {
    var lingering = Lingering(processors: 2)
    var line = Line()
    #expect(wait(&lingering, &line) == 0)
    #expect(line.polls.last == .some(nil))
    #expect(line.time <= Lingering.length + 1_000)
  }

  @Test("answers that come soon again are waited for without sleep again, within a few waits")
  func recovers() {
    var lingering = Lingering(processors: 2)
    var line = Line()
    for _ in 0..<500 {
      line.arrival = line.time + 7_500_000
      _ = wait(&lingering, &line)
    }
    line.polls = []
    for _ in 0..<500 {
      line.arrival = line.time + 30_000
      #expect(wait(&lingering, &line) == 1)
    }
    #expect(line.sleeps <= Lingering.longestPause)
  }

  @Test("a wait is no longer than it is to be", arguments: [1, 5_000, 99_999, 100_001, 5_000_000] as [Int64])
  func deadline(nanoseconds: Int64) {
    var lingering = Lingering(processors: 2)
    for _ in 0..<10 {
      var line = Line()
      #expect(wait(&lingering, &line, nanoseconds) == 0)
      #expect(line.time <= nanoseconds + 2_000)
      #expect(line.time >= nanoseconds)
    }
  }

  @Test("one processor, no descriptors, and a look without waiting leave nothing to wait for")
  func useless() {
    var polls: [Int64?] = []
    let poll: (Int64?) -> Int32 = {
      polls.append($0)
      return 0
    }
    var single = Lingering(processors: 1)
    _ = single.wait(nil, hasDescriptors: true, poll)
    var lingering = Lingering(processors: 2)
    _ = lingering.wait(1_000_000, hasDescriptors: false, poll)
    _ = lingering.wait(0, hasDescriptors: true, poll)
    #expect(polls == [nil, 1_000_000, 0])
  }
}
