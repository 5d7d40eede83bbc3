import BluetoothTypes
import Foundation
import HCITransport
import Halcyon
import HostStack
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

/// Wireshark's dissectors read what we write: an independent judge of our files and of our packets.
@Suite("Captures in Wireshark", .reportsWorlds, .timeLimit(.minutes(5)))
struct CaptureTests {
  private static let notes: ServiceID = "A0010000-0000-4000-8000-00805F9B34FB"
  private static let page = Characteristic<[UInt8]>("A0010001-0000-4000-8000-00805F9B34FB", in: notes)
  private static let feed = Characteristic<[UInt8]>("A0010002-0000-4000-8000-00805F9B34FB", in: notes)
  private static let news = Characteristic<[UInt8]>("A0010003-0000-4000-8000-00805F9B34FB", in: notes)
  private static let locked = Characteristic<[UInt8]>("A0010004-0000-4000-8000-00805F9B34FB", in: notes)

  /// Everything that a central and a server tell each other, in one file for each of them.
  private func session(central centralPath: String, server serverPath: String) async throws {
    try await World.simulated(seed: 11) { world in
      let long = [UInt8](repeating: 0x5A, count: 512)
      // So that long values take more than one request.
      let radio = world.makeHostRadio(name: "server", configuration: HostConfiguration(mtu: 100))
      let server = PeripheralServer(advertising: .init(name: "Notes"), radio: radio) {
        Service(Self.notes) {
          Readable(Self.page) { long }
          Writable(Self.page, type: .automatic) { _ in }
          Notifying(Self.feed)
          Indicating(Self.news)
          Readable(Self.locked) { throw ATTErrorCode.insufficientAuthorization }
        }
      }
      let central = Central(radio: world.radio)
      try await central.startCapture(to: centralPath)
      try await server.startCapture(to: serverPath)
      try await server.start()
      try await central.ready()
      let peripheral = try await central.scan(for: [Self.notes]).connect()
      _ = try await peripheral.services()
      #expect(try await peripheral.read(Self.page) == long)
      try await peripheral.write([1, 2, 3], to: Self.page)
      try await peripheral.write([1, 2, 3], to: Self.page, type: .withoutResponse)
      try await peripheral.write(long, to: Self.page)
      await #expect(throws: BluetoothError.self) { try await peripheral.read(Self.locked) }
      for characteristic in [Self.feed, Self.news] {
        async let first = peripheral.values(of: characteristic).first { _ in true }
        try await world.run(for: .seconds(1))
        try await server.send([7, 8, 9], on: characteristic)
        #expect(try await first == [7, 8, 9])
      }
      await peripheral.disconnect()
      await server.stop()
    }
  }

  @Test(
    "it finds no malformed packet in a full session, and the ATT procedures by name, in both roles",
    Wireshark.trait
  )
  func fullSession() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wireshark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (central, server) = (folder.appending(path: "central").path, folder.appending(path: "server").path)
    try await session(central: central, server: server)
    for path in [central, server] {
      let lines = try await Wireshark.lines(path)
      #expect(lines.count > 100)
      let faults = try await Wireshark.faults(path)
      #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      for procedure in [
        "Exchange MTU Request", "Exchange MTU Response", "Read By Group Type Request", "Read By Group Type Response",
        "Read By Type Request", "Read By Type Response", "Read Request", "Read Response",
        "Read Blob Request", "Read Blob Response", "Write Request", "Write Response", "Write Command",
        "Prepare Write Request", "Prepare Write Response", "Execute Write Request", "Execute Write Response",
        "Handle Value Notification", "Handle Value Indication", "Handle Value Confirmation", "Error Response",
      ] { #expect(lines.contains { $0.contains(procedure) }, "\(path) has no \(procedure)") }
    }
    for word in [
      "Sent LE Set Extended Scan Enable", "LE Extended Create Connection", "LE Extended Advertising Report",
      "Disconnect",
    ] {
      #expect(try await Wireshark.lines(central).contains { $0.contains(word) }, "the central's file has no \(word)")
    }
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wireshark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test("it finds several values at once, channels and encryption without fault too, by name", Wireshark.trait)
  func severalAndChannels() async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "several").path
      try await RadioSession.run(to: path)
      let lines = try await Wireshark.lines(path)
      let faults = try await Wireshark.faults(path)
      #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      for words in [
        "LE Credit Based Connection Request", "LE Credit Based Connection Response", "Disconnection Request",
        "Disconnection Response", "Encryption Change",
      ] { #expect(lines.contains { $0.localizedCaseInsensitiveContains(words) }, "no \(words)") }
      // Wireshark's names for these depend on its version; the numbers are those of the specification.
      #expect(try await !Wireshark.lines(path, "-Y", "bthci_cmd.opcode == 0x2019").isEmpty, "no LE Enable Encryption")
      for opcode in ["0x20", "0x21", "0x23"] {
        #expect(try await !Wireshark.lines(path, "-Y", "btatt.opcode == \(opcode)").isEmpty, "no PDU \(opcode)")
      }
      // Data of the channel, beside that of the fixed ones.
      #expect(try await !Wireshark.lines(path, "-Y", "btl2cap.cid >= 0x40 && btl2cap.cid <= 0x7f").isEmpty)
    }
  }

  /// The control: a filter that never matches would find no fault either.
  @Test("it finds a packet that was cut short, and only that one", Wireshark.trait)
  func cutPacket() async throws {
    try await withFolder { folder in
      for (name, pdu, isWhole) in [
        ("error", [0x01, 0x0A, 0x03, 0x00, 0x02], true), ("cut error", [0x01, 0x0A, 0x03], false),
        ("read", [0x0A, 0x03, 0x00], true), ("cut read", [0x0A, 0x03], false),
      ] as [(String, [UInt8], Bool)] {
        let path = folder.appending(path: name.replacing(" ", with: "-")).path
        let file = try CaptureFile(path: path, unixTimeOfStart: .zero)
        let whole: [UInt8] = [0x0A, 0x05, 0x00]
        for pdu in [whole, pdu, whole] {
          let frame = [UInt8(pdu.count), 0, 4, 0] + pdu
          file.add(
            ACLPacket(connectionHandle: 0x40, boundary: .firstFlushable, data: frame).packet,
            .toHost,
            time: .zero
          )
        }
        file.close()
        // Wireshark also wonders at requests on a link that it has not seen come up; that is not what this is about.
        let faults = try await Wireshark.lines(path, "-Y", "_ws.malformed")
        #expect(faults.count == (isWhole ? 0 : 1), "\(name): \(faults.joined(separator: "\n"))")
      }
    }
  }

  @Test("it sees the packets at the times of the world, and of the right kinds and directions", Wireshark.trait)
  func fields() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wireshark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "reset").path
    try await World.simulated(seed: 1) { world in
      let central = Central(radio: world.radio)
      try await central.startCapture(to: path)
      world.radioPower(false)
      world.radioPower(true)
      try await world.settle()
      try await central.ready()
    }
    let lines = try await Wireshark.lines(
      path,
      "-c",
      "2",
      "-T",
      "fields",
      "-e",
      "frame.time_epoch",
      "-e",
      "hci_h4.type",
      "-e",
      "hci_h4.direction",
      "-e",
      "_ws.col.Info"
    )
    try #require(lines.count == 2)
    #expect(lines[0].hasPrefix("946684800."))
    #expect(lines[0].contains("\t0x01\t0x00\tSent Reset"), "\(lines[0])")
    #expect(lines[1].contains("\t0x04\t0x01\tRcvd Command Complete (Reset)"), "\(lines[1])")
  }
}
