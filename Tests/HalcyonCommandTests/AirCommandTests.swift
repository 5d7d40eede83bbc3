import HCITransport
import RadioPort
import SystemRadio
import Testing

@testable import HalcyonCommand

@Suite("halcyon air", .timeLimit(.minutes(5)))
struct AirCommandTests {
  @Test("it takes places to listen at, devices and a seed")
  func arguments() throws {
    #expect(
      try Arguments([
        "air", "--listen", "127.0.0.1:7001", "--listen", "unix:/tmp/air", "--devices", "demo", "--seed", "7",
      ])
        == .air(
          .init(listen: [.tcp(host: "127.0.0.1", port: 7001), .unix(path: "/tmp/air")], devices: .demo, seed: 7)
        )
    )
    #expect(try Arguments(["air", "--vhci", "--vhci"]) == .air(.init(kernelAdapters: 2)))
    #expect(
      try Arguments(["air", "--vhci", "--watch", "--scene", "a.json"])
        == .air(.init(kernelAdapters: 1, scene: "a.json", isWatching: true))
    )
    #expect(
      try Arguments(["air", "--listen", "a:1", "--legacy"])
        == .air(.init(listen: [.tcp(host: "a", port: 1)], isLegacy: true))
    )
    #expect(try Arguments(["air", "--help"]) == .help(.air))
  }

  @Test(
    "what makes no sense is refused",
    arguments: [
      ["air"], ["air", "--listen"], ["air", "--listen", "x"], ["air", "--listen", "a:1", "--devices", "cats"],
      ["air", "--listen", "a:1", "--seed", "x"], ["air", "--listen", "a:1", "--loud"],
      ["air", "--vhci", "0"], ["air"] + Array(repeating: "--vhci", count: 17),
    ]
  )
  func nonsense(_ arguments: [String]) {
    #expect(throws: Arguments.UsageError.self) { try Arguments(arguments) }
  }

  @Test("it says where it listens and who comes, serves them, and ends when it is told to")
  func serves() async throws {
    let (lines, source) = AsyncStream.makeStream(of: String.self)
    let (stops, stop) = AsyncStream.makeStream(of: String.self)
    let options = Arguments.Air(listen: [.tcp(host: "127.0.0.1", port: 0)], devices: .demo, seed: 1)
    let air = Task {
      try await AirCommand(options: options) { source.yield($0) }
        .run { await stops.first { _ in true } ?? "nobody" }
    }
    var line = lines.makeAsyncIterator()
    let prefix = "air: listening at 127.0.0.1:"
    let first = try #require(await line.next())
    #expect(first.hasPrefix(prefix))
    let port = try #require(UInt16(first.dropFirst(prefix.count)))
    #expect(port != 0)
    for name in ["Pulse", "Thermo", "Lamp"] {
      #expect(await line.next()?.hasPrefix("air: device “\(name)” at ") == true)
    }

    let live = LiveRadio(host: "127.0.0.1", port: port)
    #expect(await line.next()?.hasPrefix("air: program 1 (127.0.0.1:") == true)
    let (sightings, seen) = AsyncStream.makeStream(of: String?.self)
    let (states, changes) = AsyncStream.makeStream(of: RadioState.self)
    _ = await live.radio.observeState { changes.yield($0) }
    if await live.radio.state.power != .poweredOn { _ = await states.first { $0.power == .poweredOn } }
    _ = await live.radio.startScan(
      ScanRequest(),
      sighting: { seen.yield($0.advertisement.localName) },
      ended: { _ in seen.finish() }
    )
    #expect(await sightings.first { $0 == "Lamp" } != nil)
    await withCheckedContinuation { done in live.close { done.resume() } }
    #expect(await line.next()?.hasSuffix("has gone: it was closed by the other end") == true)

    stop.yield("a test")
    #expect(await line.next() == "air: stopped by a test")
    try await air.value
  }

  @Test(
    "TUT-06: it tells what the controller of each program is doing, and that it is gone",
    arguments: [false, true]
  )
  func watches(isLegacy: Bool) async throws {
    let (texts, source) = AsyncStream.makeStream(of: String.self)
    let (stops, stop) = AsyncStream.makeStream(of: String.self)
    let options = Arguments.Air(
      listen: [.tcp(host: "127.0.0.1", port: 0)],
      seed: 1,
      isLegacy: isLegacy,
      isWatching: true
    )
    let air = Task {
      try await AirCommand(options: options) { source.yield($0) }
        .run { await stops.first { _ in true } ?? "nobody" }
    }
    // A text may be several lines.
    var lines = texts.flatMap { text in
      AsyncStream { lines in
        for line in text.split(separator: "\n") { lines.yield(String(line)) }
        lines.finish()
      }
    }.makeAsyncIterator()
    let prefix = "air: listening at 127.0.0.1:"
    let first = try #require(await lines.next())
    let port = try #require(UInt16(first.dropFirst(prefix.count)))

    let live = LiveRadio(host: "127.0.0.1", port: port)
    let (states, changes) = AsyncStream.makeStream(of: RadioState.self)
    _ = await live.radio.observeState { changes.yield($0) }
    if await live.radio.state.power != .poweredOn { _ = await states.first { $0.power == .poweredOn } }
    _ = await live.radio.startScan(ScanRequest(), sighting: { _ in }, ended: { _ in })
    // What is said of the controller of the program, behind its name and its address.
    func word(_ line: String) -> Substring? {
      guard line.hasPrefix("air: program 1 ("), let mark = line.firstRange(of: "): ") else { return nil }
      return line[mark.upperBound...]
    }
    var words: [Substring] = []
    while words.last != "scanning", let line = await lines.next() { words += [word(line)].compactMap(\.self) }
    #expect(words.last == "scanning" && words.dropLast().allSatisfy { $0 == "standby" })
    await withCheckedContinuation { done in live.close { done.resume() } }
    words = []
    while words.last != "gone", let line = await lines.next() { words += [word(line)].compactMap(\.self) }
    #expect(words.last == "gone" && words.dropLast().allSatisfy { $0 == "standby" })
    stop.yield("a test")
    try await air.value
  }

  @Test("a place that is not to be had ends it with the reason")
  func taken() async throws {
    let options = Arguments.Air(listen: [.unix(path: "/no/such/folder/air")])
    let error = await #expect(throws: H4Listener.Failure.self) {
      try await AirCommand(options: options) { _ in }.run { "nobody" }
    }
    #expect(
      error?.description == "Can not listen at unix:/no/such/folder/air: No such file or directory. Check the path."
    )
  }
}
