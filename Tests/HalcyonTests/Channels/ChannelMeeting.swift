import BluetoothTypes
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio

/// A server that publishes a channel, and a central that is connected to it.
struct ChannelMeeting: Sendable {
  static let psm: L2CAPPSM = 0x0081

  let meeting: Meeting
  let peripheral: Peripheral

  var world: World { meeting.world }
  var server: PeripheralServer { meeting.server }

  static func run(
    publishing options: L2CAPChannel.Options? = L2CAPChannel.Options(),
    handler: @escaping @Sendable (L2CAPChannel) async throws -> Void,
    _ body: @escaping @Sendable (ChannelMeeting) async throws -> Void
  ) async throws {
    try await Meeting.run { _ in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      if let options {
        #expect(try await meeting.server.publishChannel(psm: psm, options: options, handler: handler) == psm)
      }
      try await body(ChannelMeeting(meeting: meeting, peripheral: peripheral))
    }
  }

  func open(_ options: L2CAPChannel.Options = L2CAPChannel.Options()) async throws -> L2CAPChannel {
    try await peripheral.openChannel(psm: Self.psm, options: options)
  }

  /// Lets happen what happens soon.
  func settle() async throws { try await world.run(for: .seconds(1)) }

  /// What gives back each message.
  static let echo: @Sendable (L2CAPChannel) async throws -> Void = { channel in
    for try await message in channel { try await channel.send(message) }
  }
}

/// Hands channels from their handlers to the test.
final class ChannelBox: Sendable {
  private let channels = Mutex<[(channel: L2CAPChannel, end: AsyncStream<Never>.Continuation)]>([])

  /// Keeps the channel until the test has let it go.
  func keep(_ channel: L2CAPChannel) async throws {
    let (stream, end) = AsyncStream.makeStream(of: Never.self)
    channels.withLock { $0.append((channel, end)) }
    for await _ in stream {}
    try Task.checkCancellation()
  }

  func last() throws -> L2CAPChannel { try #require(channels.withLock { $0.last?.channel }) }

  func letGo() {
    let kept = channels.withLock { channels in
      defer { channels = [] }
      return channels
    }
    for entry in kept { entry.end.finish() }
  }
}

/// Bytes of which each can be told by its place.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }
