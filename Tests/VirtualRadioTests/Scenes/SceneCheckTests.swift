import BluetoothTypes
import Foundation
import Synchronization
import Testing

@testable import VirtualRadio

@Suite("What a scene may not ask for, though it can be read")
struct SceneCheckTests {
  /// Where a text stands, as line and column of its first character.
  private func place(of text: String, in scene: String, _ number: Int = 1) throws -> (line: Int, column: Int) {
    var rest = scene[...]
    for turn in 1...number {
      let range = try #require(rest.range(of: text))
      if turn == number {
        let before = scene[..<range.lowerBound]
        let line = before.count { $0 == "\n" } + 1
        return (
          line, before.split(separator: "\n", omittingEmptySubsequences: false).last.map(\.count).map { $0 + 1 } ?? 1
        )
      }
      rest = rest[range.upperBound...]
    }
    return (0, 0)
  }

  private func expect(
    _ scene: String,
    fails reason: String,
    at text: String,
    _ number: Int = 1,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let error = #expect(throws: SceneError.self, sourceLocation: location) { try Scene(scene) }
    let place = try place(of: text, in: scene, number)
    #expect(
      error?.line == place.line && error?.column == place.column,
      "\(String(describing: error))",
      sourceLocation: location
    )
    #expect(error?.reason.contains(reason) == true, "\(String(describing: error))", sourceLocation: location)
  }

  private func device(_ more: String) -> String { "{\n  \"devices\": [{ \"name\": \"x\",\n    \(more) }] }" }

  private func characteristic(_ more: String) -> String {
    device("\"services\": [{ \"uuid\": \"180F\", \"characteristics\": [{ \"uuid\": \"2A19\", \(more) }] }]")
  }

  @Test("a value longer than an attribute may be, wherever it stands")
  func longValues() throws {
    let long = "{ \"hex\": \"\(String(repeating: "00", count: 513))\" }"
    let exact = "{ \"hex\": \"\(String(repeating: "00", count: 512))\" }"
    let read = "\"properties\": [\"read\", \"notify\"]"
    for (text, isRight) in [(long, false), (exact, true)] {
      for scene in [
        characteristic("\(read), \"value\": \(text)"),
        characteristic("\(read), \"every\": 1, \"values\": [[1], \(text)]"),
        characteristic("\(read), \"descriptors\": [{ \"uuid\": \"2904\", \"value\": \(text) }]"),
      ] {
        if isRight { _ = try Scene(scene) } else { try expect(scene, fails: "has 513 bytes", at: text) }
      }
    }
    let text = "\"\(String(repeating: "é", count: 257))\""
    try expect(characteristic("\(read), \"description\": \(text)"), fails: "has 514 bytes", at: text)
  }

  @Test("values in time that nobody can ask for")
  func unheardValues() throws {
    try expect(
      characteristic("\"properties\": [\"read\"], \"every\": 77, \"values\": [[1]]"),
      fails: "\"notify\" or \"indicate\"",
      at: "77"
    )
  }

  @Test("random addresses that are not static, and one address for two devices")
  func addresses() throws {
    for address in ["00:00:00:00:00:07", "40:00:00:00:00:07", "80:00:00:00:00:07", "FF:FF:FF:FF:FF:FF"] {
      try expect(device("\"address\": \"\(address)\""), fails: "no static random address", at: "\"\(address)\"")
      try expect(
        device("\"faults\": [{ \"changeAddress\": \"\(address)\" }]"),
        fails: "no static random address",
        at: "\"\(address)\""
      )
      _ = try Scene(device("\"address\": \"\(address)\", \"addressType\": \"public\""))
    }
    let address = "\"C0:00:00:00:00:07\""
    try expect(
      "{ \"devices\": [{ \"name\": \"a\", \"address\": \(address) },\n { \"name\": \"b\", \"address\": \(address) }] }",
      fails: "\"a\" has the address",
      at: address,
      2
    )
    _ = try Scene(
      """
      { "devices": [{ "name": "a", "address": \(address) },
        { "name": "b", "address": \(address), "addressType": "public" }] }
      """
    )
  }

  @Test("a fault of requests for a characteristic that the device does not have, whatever kind of device it is")
  func strangeCharacteristics() throws {
    for key in ["refuse", "delay", "garbage", "ignore", "disconnect", "notifyBeforeReply"] {
      let more = ["refuse": ", \"error\": 1", "delay": ", \"by\": 1", "garbage": ", \"bytes\": []"][key] ?? ""
      let value = key == "notifyBeforeReply" ? ", \"value\": []" : more
      let fault = "\"faults\": [{ \"\(key)\": { \"characteristic\": \"2A6E\"\(value) } }]"
      try expect(device(fault), fails: "no characteristic 2A6E", at: "\"2A6E\"")
      try expect(
        "{ \"devices\": [{ \"name\": \"x\", \"kind\": \"lamp\", \(fault) }] }",
        fails: "no characteristic 2A6E",
        at: "\"2A6E\""
      )
      _ = try Scene(
        "{ \"devices\": [{ \"name\": \"x\", \"kind\": \"thermometer\", \(fault.replacing("2A6E", with: "2A1C")) }] }"
      )
    }
    // One that the device gets later it may name.
    _ = try Scene(
      device(
        """
        "faults": [
          { "changeDatabase": { "services": [{ "uuid": "180F", "characteristics": [{ "uuid": "2A19", "properties": [] }] }] } },
          { "ignore": { "characteristic": "2A19" } }]
        """
      )
    )
  }

  @Test("more advertising than there is room for")
  func advertising() throws {
    let services = "[\"E0E00000-0000-4000-8000-000000000001\", \"E0E00000-0000-4000-8000-000000000002\"]"
    try expect(device("\"advertising\": { \"services\": \(services) }"), fails: "no room to advertise", at: services)
    let data = "{ \"hex\": \"\(String(repeating: "00", count: 28))\" }"
    try expect(
      device("\"advertising\": { \"company\": 1, \"data\": \(data) }"),
      fails: "no room to advertise",
      at: data
    )
    let fitting = "{ \"hex\": \"\(String(repeating: "00", count: 27))\" }"
    _ = try Scene(device("\"advertising\": { \"company\": 1, \"data\": \(fitting) }"))
    try expect(
      device(
        """
        "appearance": 833, "advertising": { "services": ["E0E00000-0000-4000-8000-000000000001", "180F"], "company": 1,
          "data": { "hex": "\(String(repeating: "00", count: 24))" } }
        """
      ),
      fails: "advertise all of \"appearance\"",
      at: "833"
    )
  }

  @Test("more services than there are handles for, at first and later")
  func handles() throws {
    let many = Array(repeating: "{\"uuid\":\"2A19\",\"properties\":[]}", count: 33_000).joined(separator: ",")
    let services = "[{ \"uuid\": \"180F\" }, {\"uuid\": \"180A\", \"characteristics\": [\(many)] }]"
    try expect(device("\"services\": \(services)"), fails: "not enough handles", at: "{\"uuid\": \"180A\"")
    try expect(
      device("\"faults\": [{ \"changeDatabase\": { \"services\": \(services) } }]"),
      fails: "not enough handles",
      at: "{\"uuid\": \"180A\""
    )
  }

  @Test("links to nobody, links where there is no choice, and faults that a radio can not have")
  func links() throws {
    for name in ["radio", "radio 2", "program", "program 17", "x", "y"] {
      _ = try Scene(
        """
        { "devices": [{ "name": "x", "faults": [{ "dropLink": {}, "link": "\(name)" }] }],
          "radios": [{ "name": "y", "faults": [{ "outOfRange": true, "link": "x" }] }] }
        """
      )
    }
    for name in ["radios", "radio 1", "radio x", "program 0", ""] {
      try expect(
        device("\"faults\": [{ \"dropLink\": {}, \"link\": \"\(name)\" }]"),
        fails: "nobody is called",
        at: "\"\(name)\""
      )
    }
    for fault in ["\"powerOff\": true", "\"stopAdvertising\": true", "\"changeAddress\": true"] {
      try expect(
        device("\"faults\": [{ \(fault), \"link\": \"radio\" }]"),
        fails: "more than a link",
        at: "\"radio\""
      )
    }
    func radio(_ more: String) -> String { "{ \"radios\": [{ \(more) }] }" }
    for fault in ["{ \"changeAddress\": true }", "{ \"ignore\": {} }", "{ \"changeDatabase\": { \"services\": [] } }"] {
      try expect(radio("\"name\": \"radio\", \"faults\": [\(fault)]"), fails: "a radio has no server", at: fault)
    }
    try expect(radio("\"faults\": []"), fails: "needs the key \"name\"", at: "{ \"faults\"")
    try expect(
      "{ \"radios\": [{ \"name\": \"radio\" }, { \"name\": \"radio\" }] }",
      fails: "already",
      at: "\"radio\"",
      2
    )
  }

  // MARK: Size

  private struct CountedKey: Hashable {
    static let count = Counter()
    final class Counter: Sendable {
      let value = Mutex(0)
    }

    let number: Int
    static func == (left: Self, right: Self) -> Bool {
      count.value.withLock { $0 += 1 }
      return left.number == right.number
    }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test("the keys of an object are looked at a few times each, however many there are")
  func manyKeys() throws {
    let count = 20_000
    var keys = UniqueKeys<CountedKey>()
    let new = (0..<count).count { keys.insert(CountedKey(number: $0)) }
    let isNewAgain = keys.insert(CountedKey(number: count / 2))
    #expect(new == count && !isNewAgain)
    // One with each of the others would be 200 million.
    #expect(CountedKey.count.value.withLock { $0 } < count * 20)
    let text = "{ " + (0..<count).map { "\"k\($0)\": \($0)" }.joined(separator: ", ") + " }"
    guard case .object(let members) = try JSONParser.parse(Array(text.utf8)).value else {
      Issue.record("no object")
      return
    }
    #expect(members.count == count)
    #expect(throws: SceneError.self) { try JSONParser.parse(Array((text.dropLast() + ", \"k7\": 0 }").utf8)) }
  }
}
