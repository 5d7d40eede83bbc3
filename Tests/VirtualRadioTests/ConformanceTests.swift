import BluetoothTypes
import Foundation
import HostStack
import Testing

@testable import VirtualRadio

/// `docs/conformance.md` says what host and controller know; it is made from the code here, and compared with the file.
///
/// `HALCYON_WRITE_DOCS=1 swift test --filter ConformanceTests` writes it anew.
@Suite("The table of what host and controller know")
struct ConformanceTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let page = root.appendingPathComponent("docs/conformance.md")

  @Test("the table in the documentation is that of the code")
  func table() throws {
    let text = try Self.text()
    if ProcessInfo.processInfo.environment["HALCYON_WRITE_DOCS"] != nil {
      try FileManager.default.createDirectory(
        at: Self.page.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try text.write(to: Self.page, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOf: Self.page, encoding: .utf8)
    let isSame = written == text
    #expect(
      isSame,
      "docs/conformance.md is not what the code says: HALCYON_WRITE_DOCS=1 swift test --filter ConformanceTests"
    )
  }

  @Test("every command of the controller has a bit in Read Local Supported Commands, but for the two that have none")
  func bits() {
    let all = SupportedCommands(VirtualController.supportedCommands)
    let without = VirtualController.supportedCommands.filter { !all.contains($0) }
    #expect(without == [.readLocalSupportedCommands])
  }

  @Test("the table leaves out no feature that a controller of ours has")
  func allFeatures() {
    let listed = Self.features.reduce(into: LEFeatures()) { $0.insert($1.1) }
    #expect(VirtualController.features.subtracting(listed) == [])
  }

  @Test("what the table says of the host is what its packets say: nothing is missing, and nothing is more")
  func census() throws {
    let census = PacketCensus()
    try PacketCensus.$current.withValue(census) {
      for features: LEFeatures in [.all, .all.subtracting(.extendedAdvertising), []] {
        var rehearsal = HostRehearsal(features: features)
        try rehearsal.run()
      }
      try ExtendedHostsTests().sets()
      for isInController in [true, false] { try ExtendedHostsTests().privacy(resolvesInController: isInController) }
      for kind in AdvertisingKindTests.cases { try AdvertisingKindTests().kinds(kind) }
      try IdentitiesOnAirTests().keysWhileOn()
    }
    let found = census.findings
    #expect(found.faults == [])
    let page = try String(contentsOf: Self.page, encoding: .utf8)

    let commands = Self.rows(of: "HCI commands", in: page).filter { $0[3] == "yes" }.map { $0[1] }
    #expect(Set(commands).symmetricDifference(found.commands).sorted() == [])

    // What no controller of ours tells is none that can be heard here.
    let events = Self.rows(of: "HCI events", in: page).filter { $0[3] == "yes" }
    let heard = Set(events.map { $0[1] }).intersection(events.filter { $0[2] == "yes" }.map { $0[1] })
    #expect(heard.subtracting(found.events).subtracting(Self.unheard).sorted() == [])
    #expect(found.events.subtracting(heard).sorted() == [])

    for row in Self.rows(of: "Low Energy features", in: page) where row[3] != "controller alone" {
      let feature = LEFeatures(rawValue: 1 << (try #require(UInt64(row[0]))))
      #expect((row[3] == "yes") == found.features.contains(feature), "\(row)")
    }

    var opcodes: [String: UInt8] = [:]
    for row in Self.rows(of: "ATT", in: page) {
      let opcode = try #require(UInt8(row[0].dropFirst(2), radix: 16))
      opcodes[row[1]] = opcode
      // What a client sends a server takes, and the other way round.
      let isClients = ["Request", "Command", "Confirmation"].contains { row[1].hasSuffix($0) }
      let (byClients, byServers) = isClients ? (found.sent, found.received) : (found.received, found.sent)
      #expect((row[2] == "yes") == byClients.contains(opcode), "as client: \(row)")
      #expect((row[3] == "yes") == byServers.contains(opcode), "as server: \(row)")
    }
    #expect(found.sent.union(found.received).subtracting(opcodes.values).sorted() == [])

    for row in Self.rows(of: "GATT procedures", in: page) {
      for part in row[1].split(separator: ", ").map(String.init) {
        let opcode = opcodes[part]
        #expect(
          row[2] != "yes" || opcode.map { found.sent.contains($0) || found.received.contains($0) } == true,
          "\(row)"
        )
      }
    }
    // One request is several procedures, by the type that it asks for.
    #expect(found.types == ["2800", "2802", "2803", "2902", "2B2A"])
  }

  /// Our hosts give no reason for these.
  private static let unheard: Set<String> = [
    // They send no more than there is room for, and let no scan end by itself.
    "Data Buffer Overflow", "LE Scan Timeout",
  ]

  /// The cells of a table of the page.
  private static func rows(of title: String, in page: String) -> [[String]] {
    let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix("\(title)\n") } ?? ""
    let lines = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    return lines.map { line in
      line.dropFirst().dropLast().components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  // MARK: The page

  private static func text() throws -> String {
    let host = try source("Sources/HostStack", without: ["HCI", "ATT", "L2CAP/L2CAPDescription.swift"])
    let client = try source("Sources/HostStack/GATT/Client") + source("Sources/HostStack/Link")
    let server = try source("Sources/HostStack/GATT/Server") + source("Sources/HostStack/Link")
    var lines = [
      "# What host and controller know",
      "",
      "Made from the code by `Tests/VirtualRadioTests/ConformanceTests.swift`; do not edit. The numbers and names are those",
      "of the Bluetooth Core Specification 5.4.",
      "",
      "## HCI commands",
      "",
      "The virtual controller answers any other command with Unknown HCI Command, and Host Number Of Completed Packets,",
      "which has no answer, with none. The host sends a command only where the controller has it.",
      "",
      "| opcode | command | controller | host |",
      "|---|---|---|---|",
    ]
    for type in AnyHCICommand.types.sorted(by: { $0.opcode.rawValue < $1.opcode.rawValue }) {
      let controller = VirtualController.supportedCommands.contains(type.opcode)
      let sent = uses(host, "\(type)(")
      guard controller || sent else { continue }
      lines.append("| \(hex(Int(type.opcode.rawValue), 4)) | \(type.name) | \(mark(controller)) | \(mark(sent)) |")
    }
    let air = try source("Sources/VirtualRadio")
    lines += [
      "", "## HCI events", "",
      "The controller tells what a host has asked for in its event masks.", "", "| code | event | controller | host |",
      "|---|---|---|---|",
    ]
    for type in AnyHCIEvent.types.sorted(by: { Self.number($0) < Self.number($1) }) {
      let name = "\(type)"
      let controller = uses(air, name + "(")
      let taken = [" ", "(", ":", ","].contains { host.contains("case .\(member(name))\($0)") }
      guard controller || taken else { continue }
      let code = hex(Int(type.code.rawValue), 2) + (type.subevent.map { " " + hex(Int($0.rawValue), 2) } ?? "")
      lines.append("| \(code) | \(type.name) | \(mark(controller)) | \(mark(taken)) |")
    }
    lines += [
      "", "## What the air leaves out", "",
      "- An advertiser that nobody listens to sends nothing, and so is in nobody's way on the channels that it shares with links.",
      "", "## What the host can not notice", "",
      "- Between two connections a peer without a Database Hash may change and tell nobody, so it is discovered with each. That",
      "  Service Changed of a bonded peer would tell of it is of no use yet, as there are no bonds.",
      "- A peer that has neither Service Changed nor a Database Hash says by that that its services never change, and is believed",
      "  for as long as the connection lasts.",
      "", "## Low Energy features", "",
      "The host makes use of a feature where it sends the commands that the feature is used by, and the controller has it.",
      "What works without a host's doing is a matter of the controller alone.",
      "", "| bit | feature | controller | host | commands of the host |", "|---|---|---|---|---|",
    ]
    for (name, feature, commands) in features {
      let controller = mark(VirtualController.features.contains(feature))
      var isUsed = commands.allSatisfy { uses(host, "\($0)(") }
      // Of this one the command is not enough.
      if feature == .extendedScanningFilterPolicies { isUsed = isUsed && host.contains("UnresolvedDirected") }
      lines.append(
        "| \(feature.rawValue.trailingZeroBitCount) | \(name) | \(controller) | "
          + (commands.isEmpty ? "controller alone" : mark(isUsed))
          + " | \(commands.map { $0.name }.joined(separator: ", ")) |"
      )
    }
    lines += [
      "", "## ATT", "", "As client the host sends requests and commands and takes responses, notifications and",
      "indications; as server it is the other way round. Any other request is answered with Request Not Supported.", "",
      "| opcode | PDU | client | server |", "|---|---|---|---|",
    ]
    for number in UInt8.min...UInt8.max {
      guard let name = ATTOpcode(rawValue: number).name else { continue }
      let (asClient, asServer) = (knows(client, name), knows(server, name))
      guard asClient || asServer else { continue }
      lines.append("| \(hex(Int(number), 2)) | \(name) | \(mark(asClient)) | \(mark(asServer)) |")
    }
    lines += [
      "", "## GATT procedures", "", "Each is there where the PDUs that it is made of are (Core 5.4, Vol 3, Part G, 4).",
      "",
      "| procedure | made of | client | server |", "|---|---|---|---|",
    ]
    for (name, parts) in procedures {
      let asClient = parts.allSatisfy { knows(client, $0) }
      let asServer = parts.allSatisfy { knows(server, $0) }
      lines.append("| \(name) | \(parts.joined(separator: ", ")) | \(mark(asClient)) | \(mark(asServer)) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The features, and the commands by which a host uses each; none for what is of the controller alone.
  private static let features: [(String, LEFeatures, [any HCICommand.Type])] = [
    ("LE Encryption", .encryption, [LEEnableEncryption.self, LELongTermKeyRequestReply.self]),
    (
      "Connection Parameters Request Procedure", .connectionParametersRequest,
      [LEConnectionUpdate.self, LERemoteConnectionParameterRequestReply.self]
    ),
    ("Extended Reject Indication", .extendedRejectIndication, []),
    ("Peripheral-initiated Features Exchange", .peripheralInitiatedFeaturesExchange, [LEReadRemoteFeatures.self]),
    ("LE Ping", .ping, [WriteAuthenticatedPayloadTimeout.self]),
    ("LE Data Packet Length Extension", .dataPacketLengthExtension, [LESetDataLength.self]),
    ("LL Privacy", .privacy, [LEAddDeviceToResolvingList.self, LESetAddressResolutionEnable.self]),
    ("Extended Scanning Filter Policies", .extendedScanningFilterPolicies, [LESetExtendedScanParameters.self]),
    ("LE 2M PHY", .le2M, [LESetPHY.self]),
    ("LE Coded PHY", .leCoded, [LESetPHY.self]),
    (
      "LE Extended Advertising", .extendedAdvertising,
      [LESetExtendedAdvertisingParameters.self, LESetExtendedScanParameters.self, LEExtendedCreateConnection.self]
    ),
    (
      "LE Periodic Advertising", .periodicAdvertising,
      [LESetPeriodicAdvertisingParameters.self, LEPeriodicAdvertisingCreateSync.self]
    ),
    ("Channel Selection Algorithm #2", .channelSelectionAlgorithm2, []),
  ]

  private static let procedures: [(String, [String])] = [
    ("Exchange MTU", ["Exchange MTU Request"]),
    ("Discover All Primary Services", ["Read By Group Type Request"]),
    ("Discover Primary Service by Service UUID", ["Find By Type Value Request"]),
    ("Find Included Services", ["Read By Type Request"]),
    ("Discover All Characteristics of a Service", ["Read By Type Request"]),
    ("Discover All Characteristic Descriptors", ["Find Information Request"]),
    ("Read Characteristic Value, Read Characteristic Descriptor", ["Read Request"]),
    ("Read Using Characteristic UUID", ["Read By Type Request"]),
    ("Read Long Characteristic Values and Descriptors", ["Read Blob Request"]),
    ("Read Multiple Characteristic Values", ["Read Multiple Request"]),
    ("Read Multiple Variable Length Characteristic Values", ["Read Multiple Variable Request"]),
    ("Write Without Response", ["Write Command"]),
    ("Signed Write Without Response", ["Signed Write Command"]),
    ("Write Characteristic Value, Write Characteristic Descriptor", ["Write Request"]),
    ("Write Long, Reliable Writes", ["Prepare Write Request", "Execute Write Request"]),
    ("Notifications", ["Handle Value Notification"]),
    ("Multiple Handle Value Notifications", ["Multiple Handle Value Notification"]),
    ("Indications", ["Handle Value Indication", "Handle Value Confirmation"]),
  ]

  // MARK: Reading the code

  private static func source(_ folder: String, without left: [String] = []) throws -> String {
    let base = root.appendingPathComponent(folder)
    let files = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return try files.sorted()
      .filter { file in file.hasSuffix(".swift") && !left.contains { file == $0 || file.hasPrefix($0 + "/") } }
      .map { withoutWords(try String(contentsOf: base.appendingPathComponent($0), encoding: .utf8)) }
      .joined(separator: "\n")
  }

  /// The code without its comments and without what stands in texts: only what is done counts.
  private static func withoutWords(_ code: String) -> String {
    code.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      var (kept, isText, last) = ("", false, Character(" "))
      for character in line {
        if character == "\"", last != "\\" { isText.toggle() }
        if !isText, character == "/", last == "/" {
          kept.removeLast()
          break
        }
        if !isText { kept.append(character) }
        last = character
      }
      return kept
    }
    .joined(separator: "\n")
  }

  @Test("what stands in comments and in texts is not taken for what the host does")
  func words() {
    let code = Self.withoutWords("a(1) // Reset(\nlet b = \"Disconnect( \\\" Reset(\"\n/// LESetPHY(\nReadRSSI(x)")
    #expect(Self.uses(code, "a(") && Self.uses(code, "ReadRSSI("))
    for word in ["Reset(", "Disconnect(", "LESetPHY("] { #expect(!Self.uses(code, word)) }
  }

  /// Whether a word stands in the code by itself.
  private static func uses(_ code: String, _ word: String) -> Bool {
    var rest = code[...]
    while let range = rest.range(of: word) {
      let before = range.lowerBound == code.startIndex ? " " : code[code.index(before: range.lowerBound)]
      if !before.isLetter && !before.isNumber { return true }
      rest = rest[range.upperBound...]
    }
    return false
  }

  /// Whether the code deals with an ATT PDU: by its type, by its opcode, or as one case of all.
  private static func knows(_ code: String, _ name: String) -> Bool {
    // Who knows a request knows what it is answered with.
    if name.hasSuffix(" Response"), name != "Error Response" {
      return knows(code, String(name.dropLast("Response".count)) + "Request")
    }
    let words = name.split(separator: " ")
    let type = "ATT" + words.joined()
    let member = words.enumerated().map { $0 == 0 ? $1.lowercased() : String($1) }.joined()
    return [" ", "(", ".", ")", ":", ",", ">", "\n"].contains {
      uses(code, type + $0) || code.contains(".\(member)\($0)")
    }
  }

  /// In what order events stand.
  private static func number(_ type: any HCIEvent.Type) -> Int {
    Int(type.code.rawValue) << 8 | Int(type.subevent?.rawValue ?? 0)
  }

  /// What a case is called for a type: `LEPHYUpdateComplete` is `lePHYUpdateComplete`.
  private static func member(_ type: String) -> String {
    type.hasPrefix("LE") ? "le" + type.dropFirst(2) : type.prefix(1).lowercased() + type.dropFirst()
  }

  private static func hex(_ number: Int, _ digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func mark(_ isThere: Bool) -> String { isThere ? "yes" : "–" }
}
