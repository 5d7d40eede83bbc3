import BluetoothTypes
import HostStack
import Testing

/// Laws that hold for every PDU of HCI; a new one is covered as soon as it is in the lists of types.
@Suite struct HCIPDUTests {
  /// A PDU of any kind, reduced to what the laws need.
  private struct Specimen {
    let name: String
    /// Reads the bytes; writes what was read, and says how many bytes it read.
    let rewrite: ([UInt8]) throws -> (written: [UInt8], consumed: Int)
    /// Reads, writes, reads again: whether both values are equal.
    let survivesRoundTrip: ([UInt8]) throws -> Bool
    /// Whether it takes all that is left, so that no length is too short.
    let isOpenEnded: Bool
    /// Whether a failure status may stand alone.
    let mayStopAtStatus: Bool
  }

  private static func specimen<PDU: ByteReadable & ByteWritable & Equatable>(
    _ type: PDU.Type,
    name: String,
    isOpenEnded: Bool = false,
    mayStopAtStatus: Bool
  ) -> Specimen {
    Specimen(
      name: name,
      rewrite: { bytes in
        var reader = ByteReader(bytes)
        let value = try PDU(reading: &reader)
        return (value.bytes, reader.offset)
      },
      survivesRoundTrip: { bytes in
        let first = try PDU(bytes: bytes)
        return try PDU(bytes: first.bytes) == first
      },
      isOpenEnded: isOpenEnded,
      mayStopAtStatus: mayStopAtStatus
    )
  }

  private static func returned<Command: HCICommand>(by command: Command.Type) -> Specimen {
    specimen(Command.Return.self, name: "\(Command.name) return", mayStopAtStatus: true)
  }

  private static var specimens: [Specimen] {
    AnyHCICommand.types.map { specimen($0, name: $0.name, mayStopAtStatus: false) }
      + AnyHCICommand.types.map { returned(by: $0) }
      + AnyHCIEvent.types.map {
        specimen(
          $0,
          name: $0.name,
          isOpenEnded: $0 == CommandComplete.self || $0 == VendorSpecific.self,
          mayStopAtStatus: true
        )
      }
  }

  /// Values that can be read from random bytes, as they are written.
  private static func samples(of specimen: Specimen, count: Int, seed: UInt64) -> [[UInt8]] {
    var random = SeededBytes(seed: seed)
    var samples: [[UInt8]] = []
    for _ in 0..<(count * 200) where samples.count < count {
      if let (written, _) = try? specimen.rewrite(random.bytes(600)) { samples.append(written) }
    }
    return samples
  }

  @Test("every PDU can be read from some random bytes, and what was written reads back equal")
  func roundTrip() throws {
    for specimen in Self.specimens {
      let samples = Self.samples(of: specimen, count: 20, seed: 1)
      #expect(samples.count >= 5, "\(specimen.name)")
      for sample in samples {
        #expect(try specimen.survivesRoundTrip(sample), "\(specimen.name)")
        let (written, consumed) = try specimen.rewrite(sample)
        #expect(written == sample, "\(specimen.name)")
        #expect(consumed >= sample.count, "\(specimen.name)")
      }
    }
  }

  @Test("every PDU that is cut short at any byte throws an error that points into it")
  func truncation() throws {
    for specimen in Self.specimens where !specimen.isOpenEnded {
      for sample in Self.samples(of: specimen, count: 10, seed: 2) {
        for length in 0..<sample.count {
          let cut = Array(sample[..<length])
          // Behind a failure status, fields may be missing.
          if specimen.mayStopAtStatus, length > 0, sample[0] != 0 {
            _ = try? specimen.rewrite(cut)
            continue
          }
          do {
            _ = try specimen.rewrite(cut)
            Issue.record("\(specimen.name) was read from \(length) of \(sample.count) bytes")
          } catch let error as ByteError {
            #expect(error.offset <= length, "\(specimen.name)")
          }
        }
      }
    }
  }

  @Test("no PDU traps on random bytes of any length")
  func randomBytes() {
    var random = SeededBytes(seed: 3)
    for specimen in Self.specimens {
      for _ in 0..<200 {
        let bytes = random.bytes(Int(random.next() % 80))
        _ = try? specimen.rewrite(bytes)
      }
    }
  }

  @Test("no packet traps on random bytes, whatever its kind")
  func randomPackets() {
    var random = SeededBytes(seed: 4)
    for _ in 0..<20_000 {
      let payload = random.bytes(Int(random.next() % 40))
      _ = try? AnyHCICommand(HCIPacket(.command, payload: payload))
      _ = try? AnyHCIEvent(HCIPacket(.event, payload: payload))
      _ = try? ACLPacket(HCIPacket(.acl, payload: payload))
    }
  }

  @Test("return parameters of a command that failed may be the status alone")
  func failureAlone() throws {
    func check<Command: HCICommand>(_ command: Command.Type) throws {
      let returned = try Command.Return(bytes: [0x0C])
      #expect(returned.status == HCIStatus(rawValue: 0x0C), "\(Command.name)")
    }
    for type in AnyHCICommand.types { try check(type) }
  }

  @Test("a failed LE Connection Complete is read, whatever stands behind its status")
  func failedConnectionComplete() throws {
    for tail in [[], [0x40, 0x00, 0x00, 0xFF], [UInt8](repeating: 0xFF, count: 17)] as [[UInt8]] {
      let packet = HCIPacket(.event, payload: [0x3E, UInt8(2 + tail.count), 0x01, 0x3C] + tail)
      guard case .leConnectionComplete(let event) = try AnyHCIEvent(packet) else {
        Issue.record("not a connection complete event")
        continue
      }
      #expect(event.status == HCIStatus(rawValue: 0x3C))
    }
  }

  @Test("no two commands share an opcode and no two events a code, and each is told from the others by it")
  func registry() throws {
    #expect(Set(AnyHCICommand.types.map { $0.opcode }).count == AnyHCICommand.types.count)
    #expect(
      Set(AnyHCIEvent.types.map { [$0.code.rawValue, $0.subevent?.rawValue ?? 0] }).count == AnyHCIEvent.types.count
    )

    func check<Command: HCICommand>(_ type: Command.Type) throws {
      var random = SeededBytes(seed: 5)
      for _ in 0..<400 {
        guard let command = try? Command(bytes: random.bytes(250)) else { continue }
        #expect(try AnyHCICommand(command.packet).command as? Command == command, "\(Command.name)")
      }
    }
    for type in AnyHCICommand.types { try check(type) }

    func checkEvent<Event: HCIEvent>(_ type: Event.Type) throws {
      var random = SeededBytes(seed: 6)
      for _ in 0..<400 {
        guard let event = try? Event(bytes: random.bytes(40)) else { continue }
        #expect(try AnyHCIEvent(event.packet).event as? Event == event, "\(Event.name)")
      }
    }
    for type in AnyHCIEvent.types { try checkEvent(type) }
  }

  @Test("a command or an event that is not known keeps its bytes")
  func unknown() throws {
    let command = HCIPacket(.command, payload: [0x01, 0xFC, 0x02, 0xAA, 0xBB])
    #expect(try AnyHCICommand(command) == .unknown(HCIOpcode(rawValue: 0xFC01), parameters: [0xAA, 0xBB]))
    let event = HCIPacket(.event, payload: [0x3E, 0x03, 0x77, 0x01, 0x02])
    #expect(
      try AnyHCIEvent(event) == .unknown(.leMeta, subevent: LESubevent(rawValue: 0x77), parameters: [1, 2])
    )
  }

  @Test("a length that does not fit the packet is an error at the place where it shows")
  func lengths() {
    #expect(throws: ByteError(offset: 4, problem: .truncated(needed: 2, available: 1))) {
      try AnyHCICommand(HCIPacket(.command, payload: [0x0C, 0x20, 0x02, 0x01]))
    }
    #expect(throws: ByteError(offset: 6, problem: .trailing(1))) {
      try AnyHCICommand(HCIPacket(.command, payload: [0x0C, 0x20, 0x02, 0x01, 0x00, 0x00]))
    }
    #expect(throws: ByteError(offset: 4, problem: .trailing(1))) {
      try AnyHCICommand(HCIPacket(.command, payload: [0x03, 0x0C, 0x01, 0x00]))
    }
    #expect(throws: ByteError(offset: 3, problem: .trailing(1))) {
      try AnyHCIEvent(HCIPacket(.event, payload: [0x10, 0x00, 0x05]))
    }
  }
}
