import Testing

@testable import HCITransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite struct StreamSocketTests {
  @Test("a TCP socket holds no small packet back: TCP_NODELAY is on")
  func noDelay() throws {
    let server = try #require(LoopbackServer())
    defer { server.stop() }
    let address = try #require(
      try SocketAddress.resolve(host: "127.0.0.1", port: server.port, isNumeric: true).get().first
    )
    let (socket, _) = try StreamSocket.connect(to: address).get()
    defer { socket.shut() }
    var isOn: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    #expect(getsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, &size) == 0)
    #expect(isOn != 0)
  }
}
