import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Encryption of links, at the host")
struct EncryptionTests {
  static let key = LongTermKey(0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10)
  private static let central = HostBench.peer(8)
  private static let peripheral = HostBench.peer(7)
  private static let psm: L2CAPPSM = 0x0080

  /// Two hosts with a link, of which the peripheral publishes a PSM and two values that need encryption.
  private func pair() throws -> HostPair {
    let service = ServiceDefinition(
      "FFE0",
      characteristics: [
        CharacteristicDefinition(
          "FFE1",
          properties: [.read, .write],
          permissions: [.read, .write, .encryptedRead, .encryptedWrite],
          source: .stored([1])
        ),
        CharacteristicDefinition(
          "FFE2",
          properties: .read,
          permissions: [.read, .authenticatedRead],
          source: .stored([2])
        ),
      ]
    )
    var pair = HostPair(HostConfiguration(services: [service]))
    _ = try pair.peripheral.act { host, _ in
      try host.publishChannel(ChannelPublication(psm: Self.psm, requiresEncryption: true))
    }
    return pair
  }

  /// How the wish for a channel ends: with nothing underneath if it is open.
  private func openChannel(_ pair: inout HostPair) throws -> L2CAPConnectionResult {
    pair.central.events = []
    _ = pair.act { host, link, now in host.openChannel(to: Self.psm, on: link, now: now) }
    for case .channelOpened(_, let result) in pair.central.events {
      switch result {
      case .success: return .success
      case .failure(let failure):
        guard case .channel(let result)? = failure.underlying else { throw failure }
        return result
      }
    }
    throw RadioFailure(.timedOut, reason: "the wish for a channel did not end")
  }

  /// Reads a value: its bytes, or the error.
  private func read(_ uuid: BluetoothUUID, _ pair: inout HostPair) throws -> [UInt8] {
    let handle = try #require(pair.peripheral.host.database.characteristic(uuid, in: "FFE0")?.value.rawValue)
    let reply = pair.request([0x0A, UInt8(handle & 0xFF), UInt8(handle >> 8)])
    let answer = try #require(reply)
    return answer[0] == 0x01 ? [0x01, answer[4]] : answer
  }

  private func change(_ bench: inout HostBench, _ status: HCIStatus = .success, isOn: Bool) {
    bench.receive(
      EncryptionChange(status: status, connectionHandle: HostPair.handle, encryptionEnabled: isOn ? 1 : 0)
    )
  }

  @Test(
    "who has no key has to pair, who has one has to encrypt, and an encrypted link is let in, by channels and values"
  )
  func permissions() throws {
    var pair = try pair()
    #expect(try openChannel(&pair) == .insufficientAuthentication)
    #expect(try read("FFE1", &pair) == [0x01, 0x05])
    #expect(try read("FFE2", &pair) == [0x01, 0x05])

    pair.peripheral.act { host, _ in host.setKeys([Self.central: Self.key]) }
    #expect(try openChannel(&pair) == .insufficientEncryption)
    #expect(try read("FFE1", &pair) == [0x01, 0x0F])
    #expect(try read("FFE2", &pair) == [0x01, 0x0F])

    change(&pair.peripheral, .pinOrKeyMissing, isOn: false)
    #expect(try openChannel(&pair) == .insufficientEncryption)
    change(&pair.peripheral, isOn: true)
    #expect(try openChannel(&pair) == .success)
    #expect(try read("FFE1", &pair) == [0x0B, 1])
    // The key was made without protection against a man in the middle.
    #expect(try read("FFE2", &pair) == [0x01, 0x05])

    change(&pair.peripheral, isOn: false)
    #expect(try openChannel(&pair) == .insufficientEncryption)
    #expect(try read("FFE1", &pair) == [0x01, 0x0F])
  }

  @Test("a key that was made with protection lets in where that is demanded; the next link begins in the open")
  func authenticated() throws {
    var pair = try pair()
    let key = LongTermKey(7, isAuthenticated: true)
    pair.peripheral.act { host, _ in host.setKeys([Self.central: key]) }
    pair.peripheral.receive(
      EncryptionChangeV2(connectionHandle: HostPair.handle, encryptionEnabled: 1, encryptionKeySize: 16)
    )
    #expect(try read("FFE2", &pair) == [0x0B, 2])
    pair.reconnect()
    #expect(try read("FFE2", &pair) == [0x01, 0x0F])
    #expect(try openChannel(&pair) == .insufficientEncryption)
  }

  @Test("the controller gets the key that it names, and else hears that there is none")
  func keyRequests() throws {
    var pair = try pair()
    let key = LongTermKey(Self.key.value, randomNumber: 5, encryptedDiversifier: 6)
    pair.peripheral.act { host, _ in host.setKeys([Self.central: key]) }
    pair.peripheral.commands = []
    for (handle, number, diversifier) in [(HostPair.handle, 5, 6), (HostPair.handle, 5, 7), (0x77, 5, 6)] {
      pair.peripheral.receive(
        LELongTermKeyRequest(
          connectionHandle: handle,
          randomNumber: UInt64(number),
          encryptedDiversifier: UInt16(diversifier)
        )
      )
    }
    let commands = pair.peripheral.takeCommands()
    guard commands.count == 3, case .leLongTermKeyRequestReply(let reply) = commands[0],
      case .leLongTermKeyRequestNegativeReply = commands[1], case .leLongTermKeyRequestNegativeReply = commands[2]
    else { return #expect(Bool(false), "\(commands)") }
    #expect(reply.longTermKey == (UInt8(1)...16).reversed())
  }

  private func encrypt(_ pair: inout HostPair) -> RequestID? {
    pair.act { host, link, now in host.encrypt(link, now: now) }
  }

  private func results(_ pair: inout HostPair) -> [(RequestID, Result<LinkSecurity, RadioFailure>)] {
    pair.central.takeEvents().compactMap { if case .encrypted(let id, let result) = $0 { (id, result) } else { nil } }
  }

  @Test("all who want a link encrypted wait for one procedure, and each hears once how it ended")
  func encrypting() throws {
    var pair = try pair()
    let early = encrypt(&pair)
    let refused = results(&pair)
    #expect(refused.map(\.0) == [early] && (try? refused[0].1.get()) == nil)

    pair.central.act { host, _ in host.setKeys([Self.peripheral: Self.key]) }
    pair.central.answers[.leEnableEncryption] = { _ in [CommandStatus(opcode: .leEnableEncryption).packet] }
    pair.central.commands = []
    let both = [encrypt(&pair), encrypt(&pair)]
    #expect(pair.central.takeNames() == ["LE Enable Encryption"])
    #expect(results(&pair).isEmpty)
    change(&pair.central, isOn: true)
    let ends = results(&pair)
    #expect(ends.map(\.0) == both && ends.allSatisfy { (try? $0.1.get()) == .encrypted })
    let late = encrypt(&pair)
    #expect(pair.central.takeNames().isEmpty)
    #expect(results(&pair).map(\.0) == [late])
  }

  @Test("a peer without the key, a controller that refuses and a link that goes end the wish, each in its way")
  func failures() throws {
    var pair = try pair()
    pair.central.act { host, _ in host.setKeys([Self.peripheral: Self.key]) }
    func failure(_ pair: inout HostPair) -> RadioFailure? {
      let all = results(&pair)
      guard all.count == 1, case .failure(let failure) = all[0].1 else { return nil }
      return failure
    }
    pair.central.answers[.leEnableEncryption] = { _ in [CommandStatus(opcode: .leEnableEncryption).packet] }
    _ = encrypt(&pair)
    change(&pair.central, .pinOrKeyMissing, isOn: false)
    #expect(failure(&pair)?.underlying == .hci(.pinOrKeyMissing))

    _ = encrypt(&pair)
    pair.central.disconnected(HostPair.handle)
    #expect(failure(&pair)?.kind == .disconnected)
    #expect(encrypt(&pair) != nil)
    #expect(failure(&pair)?.kind == .notConnected)

    pair.reconnect()
    _ = pair.central.takeEvents()
    pair.central.answers[.leEnableEncryption] = { _ in [HostBench.refuse(.leEnableEncryption, .commandDisallowed)] }
    _ = encrypt(&pair)
    #expect(failure(&pair)?.underlying == .hci(.commandDisallowed))
    #expect(pair.peripheral.act { host, now in host.encrypt(host.centrals[0], now: now) } != encrypt(&pair))
  }
}
