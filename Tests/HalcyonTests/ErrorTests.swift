import RadioPort
import Synchronization
import SystemRadio
import Testing
import VirtualRadio
import VirtualRadioTesting

@testable import Halcyon

@Suite("Errors", .reportsWorlds)
struct ErrorTests {
  @Test("LBT-15: a message says what was tried, on what, why it failed and what to do, in English and in Chinese")
  func messages() async throws {
    var configuration = Central.Configuration()
    configuration.language = .simplifiedChinese
    try await Scene.run(configuration: configuration) { scene in
      let peripheral = try await scene.connected()
      await scene.radio.set { $0.held = [.request] }
      let task = Task { await bluetoothError { try await peripheral.read(.batteryLevel) } }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      await scene.radio.loseLinks()
      let error = await task.value
      #expect(
        error?.message(in: .english) == """
          Could not read characteristic 2A19 of service 180F of the device 00000000-0000-0001-0000-000000000001: \
          the connection was lost (connection timeout). Connect again; if it keeps happening, bring the device nearer.
          """
      )
      #expect(
        error?.message == """
          无法读取设备 00000000-0000-0001-0000-000000000001 上服务 180F 的特征 2A19：\
          连接已丢失（connection timeout）。请重新连接；若反复出现，请靠近设备。
          """
      )
    }
  }

  @Test("Every kind of error has a reason and an advice of its own in both languages", arguments: Language.allCases)
  func everyKind(language: Language) {
    let kinds: [BluetoothError.Kind] = [
      .poweredOff, .unauthorized, .unsupported, .timedOut, .notFound, .notConnected, .disconnected, .connectionFailed,
      .serviceNotFound, .characteristicNotFound, .descriptorNotFound, .ambiguous, .notPermitted, .tooLong, .empty,
      .undecodable, .overflow,
      .busy, .protocolViolation, .controller, .invalidArgument, .att(ATTErrorCode(rawValue: 5)),
    ]
    let messages = kinds.map { BluetoothError($0, .read, language: language).message }
    #expect(Set(messages).count == kinds.count)
    for (kind, message) in zip(kinds, messages) where kind.attCode == nil {
      #expect(!message.contains(kind.name + "."))
    }
  }

  @Test("Durations in messages are seconds")
  func durations() {
    let durations: [Duration] = [.seconds(10), .milliseconds(1500), .milliseconds(2), .zero, .milliseconds(-1500)]
    #expect(durations.map(\.secondsText) == ["10", "1.5", "0.002", "0", "-1.5"])
  }

  @Test("Where there is no radio, ready says at once what to do")
  func noRadio() async throws {
    let central = Central(radio: SystemRadio.radio(named: nil))
    let error = await bluetoothError { try await central.ready() }
    #expect(error?.kind == .unsupported)
    #expect(error?.message.contains("HALCYON_RADIO=hci:tcp:HOST:PORT") == true)
  }

  @Test("A log gets what happens, in order, and nothing by default")
  func log() async throws {
    let sink = Sink()
    try await Scene.run(configuration: .init(log: sink)) { scene in
      let peripheral = try await scene.connected()
      await peripheral.disconnect()
    }
    #expect(sink.texts.contains { $0.hasPrefix("connected to") })
    #expect(sink.texts.last?.hasPrefix("disconnecting from") == true)
  }
}

private final class Sink: LogSink {
  private let entries = Mutex<[LogEntry]>([])
  func log(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }
  var texts: [String] { entries.withLock { $0.map(\.text) } }
}
