import BluetoothTypes
import Foundation
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Scenes")
struct SceneTests {
  static let whole = """
    {
      "propagation": { "range": 100, "exponent": 2.2, "shadowing": 0, "coherence": 3, "fading": 0, "sensitivity": -95 },
      "devices": [
        { "name": "Pulse", "kind": "heartRateBand", "position": [3, 4] },
        {
          "name": "T\\u00fcr \\ud83d\\udeaa",
          "address": "C0:00:00:00:00:07",
          "appearance": 833,
          "position": [5, 2, 1],
          "power": -4,
          "movement": { "steps": [{ "to": [40, 2], "speed": 1.5 }, { "pause": 60 }, { "to": [5, 2] }], "repeats": true },
          "advertising": {
            "interval": 0.25, "services": ["48A10000-5C1B-4C5A-9B1E-0C4A6C3F7D22"], "company": 65535, "data": { "hex": "01 a2" },
            "isConnectable": true, "whileConnected": true
          },
          "mtu": 185,
          "requestsMTU": true,
          "hasDatabaseHash": false,
          "services": [
            {
              "uuid": "48A10000-5C1B-4C5A-9B1E-0C4A6C3F7D22",
              "characteristics": [
                { "uuid": "2A19", "properties": ["read", "notify"], "every": 10, "values": [{ "uint8": 80 }, [79]] },
                {
                  "uuid": "2A6E", "properties": ["read", "write"], "permissions": ["read", "encryptedWrite"],
                  "value": { "int16": [-2, 258] }, "description": "how warm it is",
                  "descriptors": [{ "uuid": "2904", "value": { "hex": "0E00272F010000" } }]
                },
                { "uuid": "2A00", "properties": ["read"], "value": "door" }
              ]
            }
          ],
          "channels": [
            { "psm": 128, "behaviour": "echo", "mtu": 64, "mps": 40, "credits": 2 },
            { "psm": 37, "behaviour": "ignore", "requiresEncryption": true, "every": 2, "values": ["tick", [1]] }
          ],
          "faults": [
            { "dropLink": { "reason": 19 }, "at": { "packet": 40 } },
            { "losePackets": 0.5, "direction": "sent", "at": 1.5, "for": 2 },
            { "delayPackets": 0.2 }, { "outOfRange": true, "for": 3 }, { "powerOff": true, "at": 60, "for": 5 },
            { "stopAdvertising": true }, { "changeAddress": true, "at": 5 }, { "changeAddress": "C0:00:00:00:00:08", "at": 9 },
            { "changeDatabase": { "services": [{ "uuid": "180F" }], "isAnnounced": false }, "at": 99 },
            { "refuse": { "kind": "read", "error": 5, "times": 2, "skipping": 1 } },
            { "delay": { "kind": "write", "characteristic": "2A6E", "by": 2.5 } },
            { "garbage": { "bytes": [1, 2] } }, { "ignore": { "kind": "any" } }, { "disconnect": { "kind": "subscribe" } },
            { "notifyBeforeReply": { "value": { "uint16": 7 } } }, { "stallChannels": true, "at": 3, "for": 2 },
            { "refuseChannel": { "psm": 128, "result": 4, "times": 1 } }, { "ignoreChannel": { "skipping": 1 } },
            { "closeChannels": true, "at": { "packet": 90 } }
          ]
        }
      ]
    }
    """

  @Test("a scene says all that a device is, where it goes and what goes wrong")
  func reading() throws {
    let scene = try Scene(Self.whole)
    #expect(scene.propagation?.range == 100 && scene.propagation?.coherence == .seconds(3))
    #expect(scene.propagation?.captureThreshold == Propagation().captureThreshold)
    #expect(scene.devices.map(\.name) == ["Pulse", "Tür 🚪"])
    #expect(scene.devices[0].position == RadioPosition(x: 3, y: 4))
    guard case .heartRateBand = scene.devices[0].kind, case .custom(let door) = scene.devices[1].kind else {
      Issue.record("other kinds of devices")
      return
    }
    #expect(door.address == BluetoothAddress(0xC000_0000_0007, .random))
    #expect(door.appearance.rawValue == 833 && door.transmitPower == -4)
    #expect(door.advertisingInterval == .milliseconds(250) && door.mtu == 185 && door.requestsMTU)
    #expect(!door.hasDatabaseHash)
    #expect(door.manufacturerData?.data == [1, 0xA2] && door.advertisesWhileConnected)
    let characteristics = try #require(door.services.first).characteristics
    #expect(characteristics.map(\.value) == [[80], [0xFE, 0xFF, 2, 1], Array("door".utf8)])
    #expect(characteristics[0].interval == .seconds(10) && characteristics[0].properties == [.read, .notify])
    #expect(characteristics[1].permissions == [.read, .encryptedWrite])
    #expect(characteristics[1].descriptors.map(\.value.count) == [7])
    #expect(door.channels.map(\.psm) == [128, 37])
    #expect(door.channels[0].options == ChannelOptions(mtu: 64, mps: 40, credits: 2) && door.channels[0].isReading)
    #expect(door.channels[1].requiresEncryption && !door.channels[1].isReading)
    #expect(door.channels[1].interval == .seconds(2))
    #expect(scene.devices[1].movement?.steps.count == 3 && scene.devices[1].movement?.repeats == true)
    #expect(scene.devices[1].movement?.steps[1] == .pause(.seconds(60)))
    let faults = scene.devices[1].faults
    #expect(faults.count == 19)
    #expect(faults.prefix(3).map(\.moment) == [.packet(40), .after(.milliseconds(1500)), .now])
    #expect(faults[1].duration == .seconds(2))
  }

  @Test(
    "a mistake is told with its line, its column and what would be right",
    arguments: [
      ("{\n  \"devices\": [\n    { \"nam\": 1 } ] }", 3, 5, "needs the key \"name\""),
      ("{\n \"device\": []\n}", 2, 2, "there is no key \"device\" in a scene; the keys are devices, propagation"),
      ("{ \"devices\": [{ \"name\": \"x\",\n\"kind\": \"toaster\" }] }", 2, 9, "the kinds are"),
      ("{ \"devices\": [{ \"name\": \"x\", \"kind\": \"lamp\", \"mtu\": 23 }] }", 1, 46, "no key \"mtu\""),
      ("{ \"devices\": [{ \"name\": \"é\", \"mtu\": 22 }] }", 1, 37, "whole number from 23 to 517"),
      ("{ \"devices\": [{ \"name\": \"x\", \"position\": [1] }] }", 1, 42, "[x, y]"),
      ("{ \"devices\": [{ \"name\": \"x\", \"services\": [{ \"uuid\": \"heart\" }] }] }", 1, 53, "is no UUID"),
      ("{ \"devices\": [{ \"name\": \"x\", \"faults\": [{ \"explode\": true }] }] }", 1, 41, "has one of the keys"),
      (
        "{ \"devices\": [{ \"name\": \"x\", \"faults\": [{ \"dropLink\": {}, \"for\": 2 }] }] }", 1, 41, "means nothing"
      ),
      (
        "{ \"devices\": [{ \"name\": \"x\", \"channels\": [{ \"psm\": 128 }] }] }", 1, 43, "needs the key \"behaviour\""
      ),
      (
        "{ \"devices\": [{ \"name\": \"x\", \"channels\": [{ \"psm\": 256, \"behaviour\": \"echo\" }] }] }", 1, 52,
        "whole number from 1 to 255"
      ),
      (
        "{ \"devices\": [{ \"name\": \"x\", \"channels\": [{ \"psm\": 1, \"behaviour\": \"eat\" }] }] }", 1, 68,
        "the behaviours are discard, echo, ignore"
      ),
      (
        "{ \"devices\": [{ \"name\": \"x\", \"channels\": [{ \"psm\": 1, \"behaviour\": \"echo\" },\n"
          + "{ \"psm\": 1, \"behaviour\": \"echo\" }] }] }", 2, 1, "the PSM 1 already"
      ),
      ("{ \"devices\": [,] }", 1, 15, "a value is expected"), ("{ \"a\": 1, \"a\": 2 }", 1, 11, "stands here twice"),
      ("{ \"a\": 01 }", 1, 8, "is no number"), ("{ \"a\": 1. }", 1, 8, "is no number"),
      ("{ \"a\": tru }", 1, 8, "is no value"),
      ("{ \"a\": \"b", 1, 8, "has no end"), ("{ \"a\" 1 }", 1, 7, "a : is expected"),
      ("[]", 1, 1, "a scene is expected"),
      ("{} {}", 1, 4, "behind the end"), ("", 1, 1, "ends where a value"),
      ("{ \"a\": \"\\ud800\" }", 1, 9, "surrogate"),
      (String(repeating: "[", count: 100), 1, 66, "nested deeper"),
    ]
  )
  func mistakes(text: String, line: Int, column: Int, reason: String) throws {
    let error = #expect(throws: SceneError.self) { try Scene(text) }
    #expect(error?.line == line && error?.column == column, "\(String(describing: error))")
    #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
  }

  @Test("a text that is cut short anywhere, or changed anywhere, is a mistake or another scene, never a trap")
  func brokenTexts() {
    let bytes = Array(Self.whole.utf8)
    for length in 0..<bytes.count { #expect(throws: SceneError.self) { try Scene(json: Array(bytes.prefix(length))) } }
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0..<3 { changed[Int(random.below(Int64(bytes.count)))] = UInt8(truncatingIfNeeded: random.next()) }
      _ = try? Scene(json: changed)
    }
    for _ in 0..<200 { _ = try? Scene(json: (0..<40).map { _ in UInt8(truncatingIfNeeded: random.next()) }) }
  }

  @Test("the scene in the documentation is one, and its tables are those of the code")
  func documentation() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/scenes.md"), encoding: .utf8)
    let parts = page.split(separator: "```")
    try #require(parts.count == 3)
    #expect(try Scene(String(parts[1].dropFirst("json".count))).devices.map(\.name) == ["Pulse", "Door"])
    let source = try String(
      contentsOf: root.appending(path: "Sources/VirtualRadio/Scenes/Scene.swift"),
      encoding: .utf8
    ).replacing("``Propagation``", with: "`Propagation`")
    for row in page.split(separator: "\n") where row.hasPrefix("| ") {
      #expect(source.contains(row), "the code knows nothing of: \(row)")
    }
  }

  @Test("a file that is not there is told by its name")
  func noFile() {
    let error = #expect(throws: SceneError.self) { try Scene(contentsOf: "/no/such/scene.json") }
    #expect(error?.description == "/no/such/scene.json: can not be read: No such file or directory. Check the path.")
  }
}
