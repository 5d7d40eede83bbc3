import BluetoothTypes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// HCI with a controller of this machine, to which the way is open at once or not at all.
// Invariant of the unchecked conformance: after `init`, the state is touched only on the watcher's thread.
package final class LocalChannel: HCIChannel, @unchecked Sendable {
  /// Where the controller is.
  package enum Place: Hashable, Sendable {
    /// Behind a socket in the file system, with H4 framing.
    case unix(path: String)
    /// An adapter of the Linux kernel, `hciN`, taken over from the kernel's own host.
    case user(index: UInt16)
  }

  private let place: Place
  private let watcher: any FileDescriptorWatcher
  private var stream: H4Stream?
  /// Tells one opening from the next: what was begun for an older one has no effect.
  private var generation: UInt64 = 0
  private var closed: @Sendable (HCIChannelFailure) -> Void = { _ in }

  /// A host is to read whatever comes: its own credits bound what it sends.
  private static let limits = H4Stream.Limits(congestion: .max)

  /// - Parameter watcher: The loop of the radio that uses the channel.
  package init(_ place: Place, watcher: any FileDescriptorWatcher) {
    self.place = place
    self.watcher = watcher
  }

  // MARK: HCIChannel

  package func open(
    receive: @escaping @Sendable (HCIPacket) -> Void,
    closed: @escaping @Sendable (HCIChannelFailure) -> Void
  ) {
    close()
    self.closed = closed
    switch connect() {
    case .failure(let failure): fail(failure)
    case .success(let socket):
      let stream = H4Stream(socket, side: .host, watcher: watcher, limits: Self.limits)
      self.stream = stream
      let opening = generation
      stream.start(receive: receive) { [weak self] end in
        guard let self, self.generation == opening else { return }
        self.fail(self.failure(of: end))
      }
    }
  }

  package func send(_ packet: HCIPacket) { stream?.send(packet) }

  package func close() {
    stream?.close()
    stream = nil
    generation &+= 1
    closed = { _ in }
  }

  /// Ends the channel. `closed` comes in a turn of its own, so that it never interrupts who calls `open` or `send`.
  private func fail(_ failure: HCIChannelFailure) {
    let closed = closed
    close()
    let ended = generation
    watcher.submit { if self.generation == ended { closed(failure) } }
  }

  // MARK: Connecting

  private func connect() -> Result<StreamSocket, HCIChannelFailure> {
    switch place {
    case .user(let index):
      UserChannel.open(index: index).mapError { unreachable($0, UserChannel.advice(on: $0.code, index: index)) }
    case .unix(let path): connect(path)
    }
  }

  private func connect(_ path: String) -> Result<StreamSocket, HCIChannelFailure> {
    guard let address = SocketAddress.unix(path: path) else {
      return .failure(HCIChannelFailure(.unreachable, reason: "“\(path)” is too long for a socket, or empty."))
    }
    return StreamSocket.connect(to: address).map { socket, _ in socket }.mapError { error in
      let advice =
        error.code == EACCES
        ? "Give the user access to it." : "Start a controller that listens there, or check the path."
      return unreachable(error, advice)
    }
  }

  private func unreachable(_ error: StreamSocket.SystemError, _ advice: String) -> HCIChannelFailure {
    HCIChannelFailure(.unreachable, reason: "No HCI controller at \(name): \(error). \(advice)")
  }

  private var name: String {
    switch place {
    case .unix(let path): path
    case .user(let index): "hci\(index)"
    }
  }

  private func failure(of end: H4Stream.End) -> HCIChannelFailure {
    switch end {
    case .closed: HCIChannelFailure(.closed, reason: "The HCI controller at \(name) is gone: \(end).")
    case .broken, .unfinished:
      HCIChannelFailure(.closed, reason: "The way to the HCI controller at \(name) ended: \(end).")
    case .notTaken:
      HCIChannelFailure(.closed, reason: "The HCI controller at \(name) takes no more data. Restart it.")
    case .garbled(let error):
      HCIChannelFailure(
        .garbled,
        reason: "What comes from \(name) is not HCI: \(error). Check that an HCI controller with H4 framing is there."
      )
    }
  }
}
