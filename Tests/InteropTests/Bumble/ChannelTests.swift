import Halcyon
import Testing

/// L2CAP channels on real input: our host and API at one end, Bumble's controllers and host at the other.
@Suite("Bumble's L2CAP channels", Bumble.trait, .timeLimit(.minutes(5)))
struct ChannelTests {
  private static let name = "Halcyon Echo"
  private static let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 256) }

  @Test("what goes over a channel to Bumble comes back, whole and in order; either end closes it, and it opens again")
  func echo() async throws {
    try await Bumble.withPeer("channel_echo.py") { peer, port in
      let psm = L2CAPPSM(rawValue: try #require(UInt16(try await peer.line("psm "))))
      try await withCentral(port: port) { central, _ in
        try await central.ready(within: .seconds(60))
        let device = try await central.scan(where: .named("Bumble Echo"), timeout: .seconds(60)).connect()
        let refusal = await #expect(throws: BluetoothError.self) { try await device.openChannel(psm: 0x00FE) }
        #expect(refusal?.channelResult == .spsmNotSupported)
        for round in 1...2 {
          let options = L2CAPChannel.Options(mtu: 300, mps: 50, credits: 5)
          let channel = try await device.openChannel(psm: psm, options: options, timeout: .seconds(60))
          #expect(channel.maximumSendLength == 200 && channel.maximumReceiveLength == 300)
          #expect(try await peer.line("opened ", count: round) == "300 50")
          async let sent: Void = channel.send(inParts: Self.bytes, timeout: .seconds(60))
          var received: [UInt8] = []
          while received.count < Self.bytes.count, let message = try await channel.receive(timeout: .seconds(60)) {
            received += message
          }
          try await sent
          #expect(received == Self.bytes)
          if round == 1 {
            try await channel.close(timeout: .seconds(60))
          } else {
            try peer.tell("close")
            #expect(try await channel.receive(timeout: .seconds(60)) == nil)
          }
          _ = try await peer.line("closed", count: round)
        }
        await device.disconnect()
      }
    }
  }

  @Test(
    "Bumble opens channels to our server, which echoes; either end closes them, and what it may not have is refused"
  )
  func served() async throws {
    let options = ["--name", Self.name, "--psm", "128", "--refused", "129", "130"]
    try await Bumble.withPeer("channel_client.py", options) { peer, port in
      try await withServer(port: port, advertising: .init(name: Self.name, services: [])) {
        Service("A0030000-0000-4000-8000-00805F9B34FB") {}
      } _: { server in
        try await server.start(timeout: .seconds(60))
        try await server.publishChannel(psm: 130, requiresEncryption: true) { _ in }
        try await server.publishChannel(psm: 128, options: .init(mtu: 400, mps: 70, credits: 6)) { channel in
          for try await message in channel {
            // With the end of the handler the channel is closed.
            if message == Array("bye".utf8) { return }
            try await channel.send(inParts: message, timeout: .seconds(60))
          }
        }
        #expect(try await peer.line("refused 129 ") == "\(L2CAPConnectionResult.spsmNotSupported.rawValue)")
        #expect(try await peer.line("refused 130 ") == "\(L2CAPConnectionResult.insufficientAuthentication.rawValue)")
        for round in 1...2 {
          #expect(try await peer.line("opened ", count: round) == "400 70")
          #expect(try await peer.line("echoed ", count: round) == "20000")
          _ = try await peer.line("closed", count: round)
        }
        #expect(!peer.lines.contains { $0.hasPrefix("wrong") }, "\(peer.lines)")
        await server.stop()
      }
    }
  }
}
