import BluetoothTypes
import RadioPort

extension PeripheralServer {
  /// Lets other devices open channels to this one.
  ///
  /// ```swift
  /// let psm = try await server.publishChannel { channel in
  ///   for try await message in channel { try await channel.send(message) }
  /// }
  /// ```
  /// The server must run. The PSM stays published, also while the radio is off, until ``unpublishChannel(_:)`` or the end
  /// of the server.
  ///
  /// - Parameters:
  ///   - psm: The number under which others find it, 0x0001 to 0x00FF; `nil` for a free one, 0x0080 to 0x00FF, that has to
  ///     be told to them, as with ``Characteristic/l2capPSM(in:)``. Apple's systems give a free one only.
  ///   - requiresEncryption: Whether the connection has to be encrypted. A device that has not paired is refused with
  ///     Insufficient Authentication.
  ///   - options: How much each channel is to hold at this end.
  ///   - handler: Called for each channel that is opened, for all of them at the same time. When it returns, the channel is
  ///     closed, after what was sent has gone; when it throws, at once, which ``Event/channelClosed(_:_:_:)`` tells. It is
  ///     cancelled when the server stops; when the channel ends in another way, its reads and sends tell it.
  /// - Returns: The PSM.
  /// - Throws: ``BluetoothError`` of the kinds `.stopped` if the server does not run; `.invalidArgument` for a PSM out of
  ///   range; `.busy` if it is published already, or all are; `.unsupported` if the radio has no channels, or chooses the PSM
  ///   itself; `.poweredOff`. `CancellationError`.
  @discardableResult
  public func publishChannel(
    psm: L2CAPPSM? = nil,
    requiresEncryption: Bool = false,
    options: L2CAPChannel.Options = L2CAPChannel.Options(),
    handler: @escaping @Sendable (L2CAPChannel) async throws -> Void
  ) async throws -> L2CAPPSM {
    let publication = ChannelPublication(psm: psm, requiresEncryption: requiresEncryption, options: options)
    return try await core.publishChannel(publication, handler)
  }

  /// Lets nobody open channels on a PSM any more. Those that are open stay. Does nothing if it is not published by this
  /// server.
  public func unpublishChannel(_ psm: L2CAPPSM) async { await core.unpublishChannel(psm) }
}
