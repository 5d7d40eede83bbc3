import BluetoothTypes
import HostStack
import RadioPort

extension VirtualDevice {
  /// A PSM on which a device takes L2CAP channels, and what it does with them.
  ///
  /// ```swift
  /// world.add(
  ///   .custom(name: "Logger") { device in
  ///     device.channels = [.echo(0x0080), .init(0x0081) { message, channel in channel.send(message.reversed()) }]
  ///   }
  /// )
  /// ```
  /// While something that the device sends waits for room, it takes no message, so that a client that sends without
  /// reading is held back, as by a real device. The handlers run in the world.
  public struct Channel: Sendable {
    /// Hears of a channel that a client has opened.
    public typealias OpenHandler = @Sendable (OpenChannel) -> Void
    /// Takes a message.
    public typealias MessageHandler = @Sendable ([UInt8], OpenChannel) -> Void
    /// Hears of the end of a channel that the device has not closed itself: `nil` if the client has closed it.
    public typealias EndHandler = @Sendable (RadioFailure?, OpenChannel) -> Void
    /// Gives the next message to send; `nil` to leave it out this time.
    public typealias NextMessage = @Sendable (OpenChannel) -> [UInt8]?

    /// Under which number clients find it, 0x0001 to 0x00FF.
    public var psm: L2CAPPSM
    /// Whether only clients on an encrypted link are let in.
    public var requiresEncryption: Bool
    /// How long messages may be, in what parts they come, and how many parts may be under way.
    public var options: ChannelOptions
    /// Whether the device takes messages: if not, clients can send only as much as it has given credits for at first.
    public var isReading: Bool
    /// Hears of new channels.
    public var onOpen: OpenHandler?
    /// Takes messages; without it they are dropped.
    public var onMessage: MessageHandler?
    /// Hears of ends.
    public var onEnd: EndHandler?
    /// How often a message is sent while a channel is open; `nil` if none is sent by itself. One for which there is no
    /// room is left out.
    public var interval: Duration?
    /// Gives the messages that are sent by themselves.
    public var next: NextMessage?

    /// Makes a PSM on which `onMessage` gets each message.
    public init(
      _ psm: L2CAPPSM,
      requiresEncryption: Bool = false,
      options: ChannelOptions = ChannelOptions(),
      isReading: Bool = true,
      onMessage: MessageHandler? = nil,
      onOpen: OpenHandler? = nil
    ) {
      self.psm = psm
      self.requiresEncryption = requiresEncryption
      self.options = options
      self.isReading = isReading
      self.onOpen = onOpen
      self.onMessage = onMessage
    }

    /// Gives back each message as it came; one that is longer than the client takes comes back in parts.
    public static func echo(_ psm: L2CAPPSM, options: ChannelOptions = ChannelOptions()) -> Self {
      Self(psm, options: options) { message, channel in channel.send(inParts: message) }
    }

    /// Takes all and does nothing with it.
    public static func discard(_ psm: L2CAPPSM, options: ChannelOptions = ChannelOptions()) -> Self {
      Self(psm, options: options)
    }

    /// Takes nothing.
    public static func ignore(_ psm: L2CAPPSM, options: ChannelOptions = ChannelOptions()) -> Self {
      Self(psm, options: options, isReading: false)
    }
  }

  /// A channel that a client has opened to a device.
  public struct OpenChannel: Sendable, Hashable {
    let id: ChannelID
    /// The device.
    public let device: VirtualDevice
    /// What the channel is for.
    public let psm: L2CAPPSM
    /// The client.
    public let client: PeerID
    /// The longest message that the client takes, in bytes.
    public let maximumSendLength: Int

    /// Sends a message; if there is no room it waits. One that is too long is not sent, which the device's `problems`
    /// tell.
    public func send(_ message: [UInt8]) { device.perform { [id] in $0.send([message], on: id) } }

    /// Sends bytes in as many messages as it takes.
    public func send(inParts bytes: [UInt8]) {
      let limit = max(1, maximumSendLength)
      let parts = stride(from: 0, to: bytes.count, by: limit).map { Array(bytes[$0..<min(bytes.count, $0 + limit)]) }
      device.perform { [id] in $0.send(parts.isEmpty ? [[]] : parts, on: id) }
    }

    /// Closes the channel when all that was sent has gone.
    public func close() { device.perform { [id] in $0.closeChannel(id, .afterSending) } }

    /// Takes no message from now on, or goes on: what comes meanwhile waits, and then the client has to.
    public func setReading(_ isReading: Bool) { device.perform { [id] in $0.setReading(isReading, on: id) } }

    /// Whether both are the same channel.
    public static func == (left: Self, right: Self) -> Bool { left.device === right.device && left.id == right.id }

    /// Hashes the channel.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }
}

extension DeviceHandle {
  /// The channels that clients have open now, oldest first.
  public var openChannels: [VirtualDevice.OpenChannel] { device.board.withLock { $0.openChannels } }

  /// The messages that have come on channels to a PSM and that the device has taken, in order: the last 10,000.
  public func messages(on psm: L2CAPPSM) -> [[UInt8]] { device.board.withLock { $0.messages[psm]?.elements ?? [] } }
}
