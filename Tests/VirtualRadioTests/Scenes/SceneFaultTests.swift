import BluetoothTypes
import Testing

@testable import VirtualRadio

@Suite("Faults of scenes and of code")
struct SceneFaultTests {
  private static let service = VirtualDevice.Service("180F", characteristics: [.init("2A19", [.read], value: [7])])
  private static let serviceText =
    "{ \"uuid\": \"180F\", \"characteristics\": [{ \"uuid\": \"2A19\", \"properties\": [\"read\"], \"value\": [7] }] }"
  private static let address = BluetoothAddress(0xC000_0000_0008, .random)

  /// What a scene says, and the same in code; a line for each way to say each key.
  private static let table: [(key: String, text: String, fault: Fault)] = [
    ("dropLink", "\"dropLink\": {}", .dropLink()),
    ("dropLink", "\"dropLink\": { \"reason\": 19 }", .dropLink(reason: .remoteUserTerminatedConnection)),
    ("dropLink", "\"dropLink\": {}, \"at\": { \"packet\": 9 }", .dropLink(at: .packet(9))),
    ("dropLink", "\"dropLink\": {}, \"link\": \"radio 2\"", Fault.dropLink().onLinks(named: "radio 2")),
    ("losePackets", "\"losePackets\": 0.5", .losePackets(0.5)),
    ("losePackets", "\"losePackets\": 1, \"direction\": \"both\"", .losePackets(1, .both)),
    (
      "losePackets", "\"losePackets\": 0, \"direction\": \"sent\", \"at\": 1.5, \"for\": 2",
      .losePackets(0, .sent, from: .after(.milliseconds(1500)), for: .seconds(2))
    ),
    ("losePackets", "\"losePackets\": 0.1, \"direction\": \"received\"", .losePackets(0.1, .received)),
    (
      "delayPackets", "\"delayPackets\": 0.25, \"at\": { \"packet\": 1 }, \"for\": 0.5",
      .delayPackets(by: .milliseconds(250), from: .packet(1), for: .milliseconds(500))
    ),
    ("outOfRange", "\"outOfRange\": true, \"at\": 0, \"for\": 3", .outOfRange(from: .after(.zero), for: .seconds(3))),
    ("outOfRange", "\"outOfRange\": true, \"link\": \"x\"", Fault.outOfRange().onLinks(named: "x")),
    ("powerOff", "\"powerOff\": true, \"at\": 60", .powerOff(at: .after(.seconds(60)))),
    ("stopAdvertising", "\"stopAdvertising\": true, \"for\": 4", .stopAdvertising(for: .seconds(4))),
    ("changeAddress", "\"changeAddress\": true", .changeAddress()),
    (
      "changeAddress", "\"changeAddress\": \"C0:00:00:00:00:08\", \"at\": 2",
      .changeAddress(to: address, at: .after(.seconds(2)))
    ),
    ("changeDatabase", "\"changeDatabase\": { \"services\": [\(serviceText)] }", .changeDatabase(to: [service])),
    (
      "changeDatabase", "\"changeDatabase\": { \"services\": [], \"isAnnounced\": false }, \"at\": 1",
      .changeDatabase(to: [], isAnnounced: false, at: .after(.seconds(1)))
    ),
    (
      "refuseChannel", "\"refuseChannel\": { \"psm\": 128, \"result\": 5, \"times\": 1, \"skipping\": 2 }",
      .refuseChannel(to: 128, with: .insufficientAuthentication, times: 1, skipping: 2)
    ),
    ("refuseChannel", "\"refuseChannel\": {}, \"link\": \"radio\"", Fault.refuseChannel().onLinks(named: "radio")),
    ("ignoreChannel", "\"ignoreChannel\": {}, \"at\": 4", .ignoreChannel(from: .after(.seconds(4)))),
    ("closeChannels", "\"closeChannels\": true", .closeChannels()),
    ("stallChannels", "\"stallChannels\": true, \"for\": 2", .stallChannels(for: .seconds(2))),
    ("refuse", "\"refuse\": { \"error\": 5 }", .refuse(.all, with: .insufficientAuthentication)),
    (
      "refuse", "\"refuse\": { \"error\": 5, \"kind\": \"read\", \"times\": 2, \"skipping\": 1 }, \"link\": \"radio\"",
      Fault.refuse(.reads, with: .insufficientAuthentication, times: 2, skipping: 1).onLinks(named: "radio")
    ),
    (
      "refuse", "\"refuse\": { \"error\": 2, \"kind\": \"write\", \"characteristic\": \"2A19\" }, \"at\": 3",
      .answer(.writes(to: "2A19"), with: .error(.readNotPermitted), from: .after(.seconds(3)))
    ),
    ("delay", "\"delay\": { \"by\": 2.5, \"kind\": \"any\" }", .delay(.all, by: .milliseconds(2500))),
    ("garbage", "\"garbage\": { \"bytes\": [1, 2], \"times\": 3 }", .garbage(.all, [1, 2], times: 3)),
    (
      "ignore", "\"ignore\": { \"kind\": \"subscribe\", \"characteristic\": \"2A19\" }",
      .ignore(.subscriptions(to: "2A19"))
    ),
    ("disconnect", "\"disconnect\": { \"kind\": \"read\" }", .answer(.reads, with: .disconnect)),
    ("notifyBeforeReply", "\"notifyBeforeReply\": { \"value\": { \"uint16\": 7 } }", .notifyBeforeReply([7, 0])),
    (
      "notifyBeforeReply", "\"notifyBeforeReply\": { \"value\": [1], \"characteristic\": \"2A19\", \"times\": 1 }",
      .notifyBeforeReply([1], toSubscriptionOf: "2A19", times: 1)
    ),
  ]

  /// All that there is to a fault, in words. Services have no equality; their parts, with all values, stand in the words.
  private static func words(_ fault: Fault) -> [String] {
    var requests = ""
    if case .answer(let pattern, _, _, _) = fault.effect { requests = "\(pattern.hashedParts)" }
    return [
      "\(fault.effect)", requests, "\(fault.moment)", "\(String(describing: fault.duration))", fault.description,
      "\(String(describing: fault.partner))",
    ]
  }

  @Test("a fault from a scene is the same as from code", arguments: table.indices)
  func equal(index: Int) throws {
    let (_, text, fault) = Self.table[index]
    let scene = try Scene(
      "{ \"devices\": [{ \"name\": \"x\", \"services\": [\(Self.serviceText)], \"faults\": [{ \(text) }] }] }"
    )
    let read = try #require(scene.devices.first?.faults.first)
    #expect(Self.words(read) == Self.words(fault))
  }

  @Test("all keys of faults that a scene knows stand in the table")
  func allKeys() throws {
    let error = #expect(throws: SceneError.self) {
      try Scene("{ \"devices\": [{ \"name\": \"x\", \"faults\": [{}] }] }")
    }
    let keys = try #require(error?.reason.split(separator: "one of the keys ").last).split(separator: ", ")
    #expect(keys.count >= 14)
    for key in keys {
      #expect(Self.table.contains { $0.key == key }, "no line for \(key)")
    }
  }
}

extension RequestPattern {
  fileprivate var hashedParts: [String] {
    [String(describing: kind), String(describing: characteristic), "\(isSubscription)"]
  }
}
