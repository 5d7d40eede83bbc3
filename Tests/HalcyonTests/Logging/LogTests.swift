import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("The log", .reportsWorlds)
struct LogTests {
  @Test("OK-23: what happens is told with its level and category, in order")
  func entries() async throws {
    let log = Lines()
    try await Stage.run(configuration: .init(log: log)) { stage in
      let peripheral = try await stage.central.scan(for: ["FFF0"]).connect()
      _ = try await peripheral.read(.setting)
      try await peripheral.setNotifying(true, for: .count)
      await expectError(.notPermitted) { for try await _ in peripheral.values(of: .setting) {} }
      stage.device.disconnect()
      try await stage.settle()
    }
    let categories = log.entries.filter { $0.level == .info }.map(\.category)
    let firsts = categories.enumerated().filter { $0.offset == 0 || categories[$0.offset - 1] != $0.element }
    #expect(firsts.map(\.element) == [.radio, .scanning, .connection, .attributes])
    #expect(log.entries.filter { $0.level == .warning }.map(\.category) == [.attributes, .connection])
    let times = log.entries.map(\.time)
    #expect(times == times.sorted())
    #expect(log.entries.first.map { "\($0)".contains("info radio: the radio is") } == true)
  }

  @Test("OK-23: a log can be narrowed to a level and to categories")
  func filter() async throws {
    let log = Lines()
    try await Stage.run(configuration: .init(log: log.only(.warning))) { stage in
      let peripheral = try await stage.connected()
      await peripheral.disconnect()
      #expect(log.entries.isEmpty)
      _ = try await stage.connected()
      stage.device.disconnect()
      try await stage.settle()
    }
    #expect(log.entries.count == 1)
    let scans = Lines()
    try await Stage.run(configuration: .init(log: scans.only(of: [.scanning]))) { stage in
      _ = try await stage.central.scan().connect()
    }
    #expect(!scans.entries.isEmpty && scans.entries.allSatisfy { $0.category == .scanning })
  }

  @Test("OK-23: a log is in the language of the configuration")
  func language() async throws {
    let log = Lines()
    try await Stage.run(configuration: .init(language: .simplifiedChinese, log: log)) { stage in
      let peripheral = try await stage.central.scan(for: ["FFF0"]).connect()
      _ = try await peripheral.read(.setting)
      await peripheral.disconnect()
    }
    #expect(log.entries.count > 5)
    for entry in log.entries {
      #expect(entry.text.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }, "\(entry.text)")
    }
  }
}

private final class Lines: LogSink {
  private let lines = Mutex<[LogEntry]>([])
  var entries: [LogEntry] { lines.withLock { $0 } }
  func log(_ entry: LogEntry) { lines.withLock { $0.append(entry) } }
}
