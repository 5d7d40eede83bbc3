import BluetoothTypes
import Testing

@Suite struct BeaconTests {
  static let region: BluetoothUUID = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
  static let iBeacon = IBeacon(uuid: region, major: 0x0102, minor: 0xA1B2, powerAtOneMeter: -59)
  static let iBeaconBytes: [UInt8] = [
    0x02, 0x15,
    0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0,
    0x01, 0x02, 0xA1, 0xB2, 0xC5,
  ]
  static let uidBytes: [UInt8] =
    [0x00, 0xEE] + (1...10).map { $0 } + (0xA1...0xA6).map { $0 } + [0x00, 0x00]
  static let urlBytes: [UInt8] = [0x10, 0xED, 0x03] + "swift".utf8 + [0x01] + "docs".utf8
  static let telemetryBytes: [UInt8] = [
    0x20, 0x00, 0x0B, 0xB8, 0x15, 0x80, 0x00, 0x00, 0x01, 0x2C, 0x00, 0x00, 0x02, 0x58,
  ]
  static let encryptedBytes: [UInt8] = [0x20, 0x01] + (0x10...0x1B).map { $0 } + [0x12, 0x34, 0xAB, 0xCD]
  static let eidBytes: [UInt8] = [0x30, 0xF0] + (0x81...0x88).map { $0 }

  static let frames: [[UInt8]] = [uidBytes, urlBytes, telemetryBytes, encryptedBytes, eidBytes]

  @Test("An iBeacon is read and written to Apple's layout, most significant byte first")
  func iBeaconLayout() throws {
    #expect(Self.iBeacon.bytes == Self.iBeaconBytes)
    #expect(try IBeacon(bytes: Self.iBeaconBytes) == Self.iBeacon)
    let data = AdvertisingData(.iBeacon(Self.iBeacon))
    let sent = try data.encoded()
    #expect(sent.count == 30)
    #expect(Array(sent.prefix(7)) == [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00])
    let heard = AdvertisingData(parsing: sent)
    #expect(heard.beacon == .iBeacon(Self.iBeacon))
    #expect(heard.beacon?.powerAtOneMeter == -59)
  }

  @Test("Eddystone frames are read field by field")
  func eddystoneFields() throws {
    guard case .uid(let uid) = try EddystoneFrame(bytes: Self.uidBytes) else { Issue.record("no UID"); return }
    #expect(uid.powerAtZeroMeters == -18)
    #expect(uid.namespace == Array(1...10))
    #expect(uid.instance == Array(0xA1...0xA6))
    #expect(try EddystoneFrame(bytes: Self.uidBytes).powerAtOneMeter == -59)
    #expect(try EddystoneUID(bytes: Array(Self.uidBytes.dropLast(2))) == uid)

    guard case .url(let url) = try EddystoneFrame(bytes: Self.urlBytes) else { Issue.record("no URL"); return }
    #expect(url.url == "https://swift.org/docs")
    #expect(url.powerAtZeroMeters == -19)

    guard case .telemetry(let plain) = try EddystoneFrame(bytes: Self.telemetryBytes) else {
      Issue.record("no TLM")
      return
    }
    #expect(plain.batteryMillivolts == 3000)
    #expect(plain.temperature == 21.5)
    #expect(plain.advertisementCount == 300)
    #expect(plain.uptime == .seconds(60))
    #expect(EddystoneFrame.telemetry(plain).powerAtOneMeter == nil)

    guard case .encryptedTelemetry(let closed) = try EddystoneFrame(bytes: Self.encryptedBytes) else {
      Issue.record("no eTLM")
      return
    }
    #expect(closed.ciphertext == Array(0x10...0x1B))
    #expect(closed.salt == 0x1234)
    #expect(closed.messageIntegrityCheck == 0xABCD)

    guard case .eid(let eid) = try EddystoneFrame(bytes: Self.eidBytes) else { Issue.record("no EID"); return }
    #expect(eid.powerAtZeroMeters == -16)
    #expect(eid.identifier == Array(0x81...0x88))
  }

  @Test("Every Eddystone frame is written as it was read, and travels in an advertisement", arguments: frames)
  func eddystoneRoundTrip(bytes: [UInt8]) throws {
    let frame = try EddystoneFrame(bytes: bytes)
    #expect(frame.bytes == bytes)
    let sent = try AdvertisingData(.eddystone(frame)).encoded()
    #expect(Array(sent.prefix(7)) == [0x02, 0x01, 0x06, 0x03, 0x03, 0xAA, 0xFE])
    #expect(AdvertisingData(parsing: sent).beacon == .eddystone(frame))
    #expect(!frame.description.isEmpty)
  }

  @Test("A beacon's frame that is cut anywhere is an error within the bytes, and no beacon", arguments: frames)
  func truncation(bytes: [UInt8]) throws {
    // A URL may end anywhere behind its scheme, a UID in front of the two bytes that are kept for the future.
    let shortest = [0x00: 18, 0x10: 3][Int(bytes[0])] ?? bytes.count
    for count in 0..<shortest {
      let error = #expect(throws: ByteError.self) { try EddystoneFrame(bytes: Array(bytes[..<count])) }
      if let error { #expect(0...count ~= error.offset) }
      let data: AdvertisingData = [.serviceData(EddystoneFrame.service, Array(bytes[..<count]))]
      #expect(data.beacon == nil)
    }
    for count in Self.iBeaconBytes.indices {
      let error = #expect(throws: ByteError.self) { try IBeacon(bytes: Array(Self.iBeaconBytes[..<count])) }
      if let error { #expect(0...count ~= error.offset) }
      let data: AdvertisingData = [.manufacturerData(.apple, Array(Self.iBeaconBytes[..<count]))]
      #expect(data.beacon == nil)
    }
  }

  @Test("Random bytes give a frame that is stable when written, or an error within the bytes")
  func randomBytes() throws {
    var random = SplitMix64(seed: 0xBEAC)
    var read = 0
    for round in 0..<20_000 {
      var bytes = random.bytes(upTo: 26)
      if !bytes.isEmpty { bytes[0] = UInt8(round % 4) << 4 }
      if bytes.count > 1, round % 4 == 2 { bytes[1] &= 1 }
      do {
        let frame = try EddystoneFrame(bytes: bytes)
        #expect(try EddystoneFrame(bytes: frame.bytes) == frame)
        read += 1
      } catch let error as ByteError {
        #expect(0...bytes.count ~= error.offset)
      }
      if bytes.count > 1 { bytes.replaceSubrange(0..<2, with: [0x02, 0x15]) }
      do {
        let beacon = try IBeacon(bytes: bytes)
        #expect(beacon.bytes == Array(bytes.prefix(23)))
      } catch let error as ByteError {
        #expect(0...bytes.count ~= error.offset)
      }
      _ = AdvertisingData(parsing: bytes).beacons
    }
    #expect(read > 1000)
  }

  @Test("Frames of an unknown type, version or scheme, and bytes without a meaning, are told with their place")
  func unknownFrames() {
    let wrong: [([UInt8], Int)] = [
      ([0x40, 0x00], 0), ([0x20, 0x02], 1), ([0x10, 0x00, 0x04], 2), ([0x10, 0x00, 0x00, 0x41, 0x0E], 4),
      ([0x10, 0x00, 0x00, 0x7F], 3), ([0x10, 0x00, 0x00, 0x20], 3),
      ([0x10, 0x00, 0x00] + [UInt8](repeating: 0x61, count: 18), 3),
    ]
    for (bytes, offset) in wrong {
      let error = #expect(throws: ByteError.self) { try EddystoneFrame(bytes: bytes) }
      #expect(error?.offset == offset)
    }
    let other = #expect(throws: ByteError.self) { try EddystoneUID(bytes: Self.eidBytes) }
    #expect(other?.offset == 0)
    let nearby = #expect(throws: ByteError.self) { try IBeacon(bytes: [0x10, 0x05, 0x01]) }
    #expect(nearby?.offset == 0)
  }

  @Test(
    "A URL is packed as short as it goes and comes out as it went in",
    arguments: [
      ("http://www.example.com", 8), ("https://www.example.com/a", 9), ("http://goo.gl/S6zT6P", 13),
      ("https://x.info", 2), ("https://a.org/b.gov/c", 5), ("https://", 0),
    ]
  )
  func urlPacking(url: String, count: Int) throws {
    let frame = try EddystoneURL(url, powerAtZeroMeters: -20)
    #expect(frame.url == url)
    #expect(frame.bytes.count == 3 + count)
    #expect(try EddystoneURL(bytes: frame.bytes) == frame)
  }

  @Test("A URL that no frame can hold says why")
  func urlProblems() {
    let wrong: [(String, EddystoneURL.Unencodable.Problem)] = [
      ("ftp://example.com", .scheme), ("", .scheme), ("https://a b", .character), ("https://münchen.de", .character),
      ("https://a.com/\u{07}", .character), ("https://abcdefghijklmnopqr", .length(18)),
    ]
    for (url, problem) in wrong {
      let error = #expect(throws: EddystoneURL.Unencodable.self) { try EddystoneURL(url, powerAtZeroMeters: 0) }
      #expect(error?.problem == problem)
      #expect(error?.description.contains("Eddystone-URL") == true)
    }
  }

  @Test("Telemetry says when it does not know, and what it can not hold becomes the nearest that it can")
  func telemetryLimits() throws {
    let unknown = EddystoneTelemetry(advertisementCount: 1, uptime: .zero)
    #expect(Array(unknown.bytes[2..<6]) == [0x00, 0x00, 0x80, 0x00])
    #expect(try EddystoneTelemetry(bytes: unknown.bytes) == unknown)
    let cold = EddystoneTelemetry(temperature: -11.5, advertisementCount: .max, uptime: .milliseconds(100))
    #expect(Array(cold.bytes[4..<6]) == [0xF4, 0x80])
    #expect(try EddystoneTelemetry(bytes: cold.bytes) == cold)
    for temperature in [1e300, -.infinity, -128.0] {
      let extreme = EddystoneTelemetry(temperature: temperature, advertisementCount: 0, uptime: .seconds(1 << 40))
      let read = try EddystoneTelemetry(bytes: extreme.bytes)
      #expect(read.temperature.map { $0.magnitude > 127.9 } == true)
      #expect(read.uptime == .milliseconds(100) * Int(UInt32.max))
    }
    let odd = EddystoneTelemetry(temperature: .nan, advertisementCount: 0, uptime: .seconds(-1))
    #expect(try EddystoneTelemetry(bytes: odd.bytes) == EddystoneTelemetry(advertisementCount: 0, uptime: .zero))
  }

  @Test("Of several frames all are told, and the first that says how strong the beacon is stands for them")
  func severalFrames() throws {
    let telemetry = try EddystoneFrame(bytes: Self.telemetryBytes)
    let uid = try EddystoneFrame(bytes: Self.uidBytes)
    let service = EddystoneFrame.service
    let data: AdvertisingData = [
      .manufacturerData(.apple, [0x10, 0x05, 0x01]), .serviceData(service, telemetry.bytes),
      .serviceData(service, uid.bytes), .manufacturerData(.google, Self.iBeaconBytes),
      .serviceData("180F", uid.bytes),
    ]
    #expect(data.beacons == [.eddystone(telemetry), .eddystone(uid)])
    #expect(data.beacon == .eddystone(uid))
    let only: AdvertisingData = [.serviceData(service, telemetry.bytes)]
    #expect(only.beacon == .eddystone(telemetry))
    #expect(only.beacon?.powerAtOneMeter == nil)
  }

  @Test("Fields of a wrong length make no frame")
  func wrongLengths() {
    #expect(EddystoneUID(namespace: [1], instance: [UInt8](repeating: 0, count: 6), powerAtZeroMeters: 0) == nil)
    #expect(EddystoneEID(identifier: [1], powerAtZeroMeters: 0) == nil)
    #expect(EddystoneEncryptedTelemetry(ciphertext: [], salt: 0, messageIntegrityCheck: 0) == nil)
  }
}
