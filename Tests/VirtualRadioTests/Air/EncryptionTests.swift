import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Encryption of links, at the controllers")
struct EncryptionTests {
  static let key = (UInt8(1)...16).map { $0 }

  private func enable(_ bench: inout AirBench, _ link: AirBench.Pair, key: [UInt8] = key) {
    bench.send(
      LEEnableEncryption(
        connectionHandle: link.centralHandle,
        randomNumber: 0x0123_4567_89AB_CDEF,
        encryptedDiversifier: 0x2474,
        longTermKey: key
      ),
      to: link.central
    )
  }

  private func reply(_ bench: inout AirBench, _ link: AirBench.Pair, key: [UInt8]?) {
    if let key {
      bench.send(
        LELongTermKeyRequestReply(connectionHandle: link.peripheralHandle, longTermKey: key),
        to: link.peripheral
      )
    } else {
      bench.send(LELongTermKeyRequestNegativeReply(connectionHandle: link.peripheralHandle), to: link.peripheral)
    }
  }

  @Test("a block is encrypted as in the specification's sample (FIPS 197, C.1)")
  func block() throws {
    var bench = AirBench()
    let id = bench.add()
    let key = (UInt8(0)..<16).reversed().map { $0 }
    let plain = (UInt8(0)..<16).reversed().map { $0 * 0x11 }
    bench.send(LEEncrypt(key: key, plaintextData: plain), to: id)
    let cipher: [UInt8] = [
      0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30, 0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4, 0xC5, 0x5A,
    ]
    #expect(bench.answer(LEEncrypt.self, from: id)?.encryptedData == cipher.reversed())
  }

  @Test("with the same key both hosts hear that the link is encrypted; data waits meanwhile and comes through after")
  func success() throws {
    var bench = AirBench()
    let link = try bench.link()
    enable(&bench, link)
    #expect(bench.status(.leEnableEncryption, from: link.central) == .success)
    for number in UInt8(0)..<3 {
      bench.send([number], on: link.centralHandle, to: link.central)
      bench.send([number + 100], on: link.peripheralHandle, to: link.peripheral)
    }
    bench.run(for: .seconds(1))
    let request = try bench.takeFirst(LELongTermKeyRequest.self, from: link.peripheral)
    #expect(request.randomNumber == 0x0123_4567_89AB_CDEF && request.encryptedDiversifier == 0x2474)
    #expect(bench.received(by: link.peripheral).isEmpty)
    enable(&bench, link)
    #expect(bench.status(.leEnableEncryption, from: link.central) == .commandDisallowed)
    reply(&bench, link, key: Self.key)
    bench.run(for: .seconds(1))
    for id in [link.central, link.peripheral] {
      let change = try bench.takeFirst(EncryptionChange.self, from: id)
      #expect(change.status == .success && change.encryptionEnabled == 1)
    }
    #expect(bench.received(by: link.peripheral) == [[0], [1], [2]])
    #expect(bench.received(by: link.central) == [[100], [101], [102]])

    enable(&bench, link)
    bench.run(for: .seconds(1))
    reply(&bench, link, key: Self.key)
    bench.run(for: .seconds(1))
    for id in [link.central, link.peripheral] {
      #expect(bench.take(EncryptionKeyRefreshComplete.self, from: id).map(\.status) == [.success])
      #expect(bench.count(EncryptionChange.self, from: id) == 0)
    }
    bench.send([9], on: link.centralHandle, to: link.central)
    bench.run(for: .seconds(1))
    #expect(bench.received(by: link.peripheral).last == [9])
  }

  @Test("without a key at the peripheral the central's host hears that it is missing, and the link goes on in the open")
  func missing() throws {
    var bench = AirBench()
    let link = try bench.link()
    reply(&bench, link, key: nil)
    #expect(
      bench.answer(LELongTermKeyRequestNegativeReply.self, from: link.peripheral)?.status == .commandDisallowed
    )
    enable(&bench, link)
    bench.run(for: .seconds(1))
    reply(&bench, link, key: nil)
    bench.send([1], on: link.centralHandle, to: link.central)
    bench.send([2], on: link.peripheralHandle, to: link.peripheral)
    bench.run(for: .seconds(1))
    let change = try bench.takeFirst(EncryptionChange.self, from: link.central)
    #expect(change.status == .pinOrKeyMissing && change.encryptionEnabled == 0)
    #expect(bench.count(EncryptionChange.self, from: link.peripheral) == 0)
    #expect(bench.received(by: link.peripheral) == [[1]] && bench.received(by: link.central) == [[2]])
  }

  @Test("a peripheral without encryption says that it has none, and the link goes on in the open")
  func unsupported() throws {
    var bench = AirBench()
    let link = try bench.link { $0.features.remove(.encryption) }
    enable(&bench, link)
    bench.run(for: .seconds(1))
    let change = try bench.takeFirst(EncryptionChange.self, from: link.central)
    #expect(change.status == .unsupportedRemoteFeature && change.encryptionEnabled == 0)
    #expect(bench.count(LELongTermKeyRequest.self, from: link.peripheral) == 0)
    bench.send([1], on: link.centralHandle, to: link.central)
    bench.run(for: .seconds(1))
    #expect(bench.received(by: link.peripheral) == [[1]])
  }

  @Test("a key that is missing when it is to be renewed ends the link, so that nothing goes on in the open")
  func missingAtRefresh() throws {
    var bench = AirBench()
    let link = try bench.link()
    for key in [Self.key, nil] {
      enable(&bench, link)
      bench.run(for: .seconds(1))
      reply(&bench, link, key: key)
      bench.run(for: .seconds(1))
    }
    #expect(bench.take(DisconnectionComplete.self, from: link.central).map(\.reason) == [.pinOrKeyMissing])
    #expect(
      bench.take(DisconnectionComplete.self, from: link.peripheral).map(\.reason)
        == [.connectionTerminatedByLocalHost]
    )
  }

  @Test("with different keys the peripheral leaves with a MIC failure, and the central finds out by its timeout")
  func micFailure() throws {
    var bench = AirBench()
    let link = try bench.link()
    enable(&bench, link)
    bench.run(for: .seconds(1))
    reply(&bench, link, key: Self.key.reversed())
    bench.run(for: .seconds(5))
    #expect(
      bench.take(DisconnectionComplete.self, from: link.peripheral).map(\.reason)
        == [.connectionTerminatedDueToMICFailure]
    )
    #expect(bench.take(DisconnectionComplete.self, from: link.central).map(\.reason) == [.connectionTimeout])
    #expect(bench.count(EncryptionChange.self, from: link.peripheral) == 0)
  }

  @Test("a host that never gives the key costs the link after 40 s; only the central may ask; unknown links are told")
  func refusals() throws {
    var bench = AirBench()
    let link = try bench.link()
    bench.send(LEEnableEncryption(connectionHandle: link.peripheralHandle, longTermKey: Self.key), to: link.peripheral)
    #expect(bench.status(.leEnableEncryption, from: link.peripheral) == .commandDisallowed)
    bench.send(LEEnableEncryption(connectionHandle: 0x0999, longTermKey: Self.key), to: link.central)
    #expect(bench.status(.leEnableEncryption, from: link.central) == .unknownConnectionIdentifier)
    enable(&bench, link)
    bench.run(for: .seconds(39))
    #expect(bench.count(DisconnectionComplete.self, from: link.central) == 0)
    bench.run(for: .seconds(5))
    #expect(bench.take(DisconnectionComplete.self, from: link.central).map(\.reason) == [.llResponseTimeout])
  }

  @Test("it comes to its end over a bad link too", arguments: 1...5)
  func lossy(seed: Int) throws {
    var bench = AirBench(seed: UInt64(seed))
    let link = try bench.link(timeout: 1000)
    var trouble = LinkTrouble()
    trouble.sendingLoss = 0.4
    bench.air.setTrouble(trouble, of: link.central, now: bench.now)
    enable(&bench, link)
    bench.run(for: .seconds(3))
    reply(&bench, link, key: Self.key)
    bench.send([1], on: link.centralHandle, to: link.central)
    bench.run(for: .seconds(3))
    #expect(bench.take(EncryptionChange.self, from: link.central).map(\.encryptionEnabled) == [1])
    #expect(bench.take(EncryptionChange.self, from: link.peripheral).map(\.encryptionEnabled) == [1])
    #expect(bench.received(by: link.peripheral) == [[1]])
  }
}
