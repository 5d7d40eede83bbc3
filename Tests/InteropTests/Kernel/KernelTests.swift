import Testing

/// The Linux kernel's host, bluetoothd and BlueZ's controllers, which we did not write, with our controllers and our host.
@Suite("The Linux kernel and BlueZ, in a virtual machine", VirtualMachine.trait, .timeLimit(.minutes(10)))
struct KernelTests {
  @Test(
    "as a central on our controller they find our devices, connect, read, write and listen, also to two at once",
    arguments: ["kernel-central", "kernel-central-legacy"]
  )
  func central(scenario: String) async throws {
    let report = try await VirtualMachine.report(on: scenario)
    #expect(report.status == 0, report.comment)

    let found = report.rests(behind: "found ").map { $0.split(separator: " ") }
    #expect(Set(found.map { $0[0] }) == ["Pulse", "Thermo", "Lamp"], report.comment)
    for device in found { #expect(Int(device[1]).map((-100..<0).contains) == true, report.comment) }
    #expect(
      Set(report.rests(behind: "services Pulse ")[0].split(separator: " ")).isSuperset(of: ["180d", "180f", "180a"])
    )

    #expect(report.rests(behind: "read 2a38 ") == ["01"], report.comment)
    #expect(report.rests(behind: "read 2a19 ") == ["64"], report.comment)
    #expect(report.rests(behind: "read 2a29 ") == ["48616c63796f6e"], report.comment)
    #expect(report.rests(behind: "wrote 2a39 ") == ["01"], report.comment)
    let beats = report.rests(behind: "value 2a37 ")
    #expect(beats.count == 8, report.comment)
    for beat in beats {
      // One byte of rate, behind the flags.
      let rate = UInt8(beat.dropFirst(2).prefix(2), radix: 16)
      #expect(rate.map { (40...220).contains($0) } == true, report.comment)
    }
    // Indications.
    #expect(report.rests(behind: "value 2a1c ").count == 2, report.comment)

    #expect(report.rests(behind: "read 48a10001 ") == ["00", "01"], report.comment)
    #expect(report.rests(behind: "value 48a10002 ") == ["2a"], report.comment)
    #expect(report.rests(behind: "read 48a10003 ") == ["010203"], report.comment)
    #expect(report.rests(behind: "refused 48a10002 ").first?.contains("Value Not Allowed") == true, report.comment)
    #expect(report.rests(behind: "mtu ").allSatisfy { $0 == "247" }, report.comment)
    #expect(report.rests(behind: "disconnected ").count == 4, report.comment)
  }

  @Test(
    "as a peripheral on our controller they serve our central, another program on the same air",
    arguments: ["kernel-peripheral", "kernel-peripheral-legacy"]
  )
  func peripheral(scenario: String) async throws {
    try Self.expectVisit(try await VirtualMachine.report(on: scenario))
  }

  @Test("on BlueZ's own controller our host reaches bluetoothd's server on another")
  func btvirt() async throws {
    try Self.expectVisit(try await VirtualMachine.report(on: "btvirt"))
  }

  @Test("a device of ours whose Database Hash is as it was is not discovered again by bluetoothd, packet by packet")
  func again() async throws {
    let report = try await VirtualMachine.report(on: "kernel-again")
    #expect(report.status == 0, report.comment)
    let links = report.attLinks
    let (first, last) = (try #require(links.first), try #require(links.last))
    #expect(links.count >= 2)
    #expect(first.sent.contains { ATTRecord.isDiscovery($0) }, report.comment)
    #expect(last.sent.filter { ATTRecord.isDiscovery($0) } == [], report.comment)
    // The MTU, the hash, and no more than a dozen for what bluetoothd and its user want of the values and descriptors.
    #expect(last.sent.filter { $0.hasPrefix("02") }.count == 1, report.comment)
    #expect(last.sent.contains { ATTRecord.isOfHash($0) }, report.comment)
    #expect(last.sent.count <= 15, report.comment)
    #expect(last.hashes == first.hashes && last.hashes.count == 1, report.comment)
    #expect(report.rests(behind: "read 2a38 ").suffix(2) == ["01", "01"], report.comment)
  }

  @Test(
    "back at bluetoothd's server, whose Database Hash is as it was, our host sends MTU, hash, and then the first read"
  )
  func againOurs() async throws {
    let report = try await VirtualMachine.report(on: "btvirt-again")
    #expect(report.status == 0, report.comment)
    let links = report.attLinks
    try #require(links.count == 2, report.comment)
    let (first, last) = (links[0].requestsReceived, links[1].requestsReceived)
    // Four services of one width, and that there are no more: all is discovered once.
    #expect(first.filter { $0.hasPrefix("10") }.count == 2, report.comment)
    #expect(last.filter { ATTRecord.isDiscovery($0) } == [], report.comment)
    try #require(last.count >= 3, report.comment)
    #expect(last[0].hasPrefix("02") && ATTRecord.isOfHash(last[1]) && last[2].hasPrefix("0a"), report.comment)
    // Once more behind the wish to be told of changes, if the link does not end before, and not each time.
    #expect(1...2 ~= last.filter { ATTRecord.isOfHash($0) }.count, report.comment)
    let text = report.lines.joined(separator: "\n")
    #expect(text.contains("connect     BlueZ Heart again"), report.comment)
    #expect(report.lines.filter { $0.contains("body sensor location: wrist") }.count == 2, report.comment)
  }

  @Test("on BlueZ's own controller our server is found, read, written and listened to by the kernel and bluetoothd")
  func btvirtCentral() async throws {
    let report = try await VirtualMachine.report(on: "btvirt-central")
    #expect(report.status == 0, report.comment)
    #expect(report.rests(behind: "found Belt ").count == 1, report.comment)
    #expect(report.rests(behind: "read 2a38 ") == ["01"], report.comment)
    #expect(report.rests(behind: "read 2a19 ") == ["64"], report.comment)
    #expect(report.rests(behind: "wrote 2a39 ") == ["01"], report.comment)
    // Flags, and the rate: counted, from 60 on.
    #expect(report.rests(behind: "value 2a37 ") == ["003c", "003d", "003e", "003f"], report.comment)
    #expect(report.rests(behind: "sensor: the energy is reset").count == 1, report.comment)
    #expect(report.rests(behind: "disconnected ") == ["Belt"], report.comment)
  }

  @Test(
    "an adapter in use can not be taken over, and the reason says what to do; once it is off our host does its work on it"
  )
  func userChannel() async throws {
    let report = try await VirtualMachine.report(on: "user-channel")
    let refusal = report.lines.first { $0.hasPrefix("halcyon: ") }
    #expect(refusal?.contains("The kernel's own host uses hci1: switch it off there first") == true, report.comment)
    try Self.expectVisit(report)
  }

  @Test("our host, the kernel's channel, our controller: packets go through the kernel both ways as they are")
  func between() async throws {
    let report = try await VirtualMachine.report(on: "kernel-between")
    #expect(report.status == 0, report.comment)
    let text = report.lines.joined(separator: "\n")
    for line in [
      "connected   Pulse", "read        manufacturer: Halcyon", "write       heart rate", "disconnect  Pulse",
    ] {
      #expect(text.contains(line), report.comment)
    }
    #expect(report.lines.compactMap { Self.beat(in: $0) }.count == 5, report.comment)
  }

  @Test(
    "the kernel has nothing to complain of in our controllers",
    arguments: [
      "kernel-central", "kernel-central-legacy", "kernel-again", "kernel-peripheral", "kernel-peripheral-legacy",
      "kernel-between",
    ]
  )
  func log(scenario: String) async throws {
    let report = try await VirtualMachine.report(on: scenario)
    #expect(report.rests(behind: "kernel ") == [], report.comment)
  }

  /// Our central has visited BlueZ's heart-rate sensor: `halcyon demo` has come to its end, and the sensor knows of it.
  private static func expectVisit(_ report: VirtualMachine.Report) throws {
    #expect(report.status == 0, report.comment)
    let text = report.lines.joined(separator: "\n")
    for line in [
      "connected   BlueZ Heart", "└─ 2A39 Heart Rate Control Point", "read        body sensor location: wrist",
      "write       heart rate control point: reset energy expended", "disconnect  BlueZ Heart",
    ] {
      #expect(text.contains(line), report.comment)
    }
    // The sensor counts, so no beat is lost and none comes twice.
    let beats = report.lines.compactMap { Self.beat(in: $0) }
    #expect(beats.count == 5, report.comment)
    for (beat, next) in zip(beats, beats.dropFirst()) { #expect(next == beat + 1 || next == 60, report.comment) }
    #expect(report.rests(behind: "written 2a39 ") == ["01"], report.comment)
  }

  /// The rate in a line of the demo, such as `00:03.839  beat        88 bpm`.
  private static func beat(in line: String) -> Int? {
    guard let mark = line.firstRange(of: "beat        ") else { return nil }
    return Int(line[mark.upperBound...].prefix { $0.isNumber })
  }
}
