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

/// HCI over TCP: connects to a controller that listens, and speaks H4 with it.
///
/// What is sent while the connection is made waits for it.
// Invariant of the unchecked conformance: after `init`, the state is touched only on the watcher's thread.
package final class TCPChannel: HCIChannel, @unchecked Sendable {
  private enum Phase {
    case closed
    case resolving
    case connecting(StreamSocket, others: [SocketAddress])
    case open(H4Stream)
  }

  private let host: String
  private let port: UInt16
  private let timeLimit: Duration
  private let limits: H4Stream.Limits
  private let watcher: any FileDescriptorWatcher

  private var phase = Phase.closed
  /// Tells one opening from the next: what was begun for an older one has no effect.
  private var generation: UInt64 = 0
  /// Tells one attempt to connect from the next.
  private var attempt: UInt64 = 0
  /// How long each of several addresses may take, so that all get their turn.
  private var share = Duration.zero
  private var receive: @Sendable (HCIPacket) -> Void = { _ in }
  private var closed: @Sendable (HCIChannelFailure) -> Void = { _ in }
  /// What was sent before the connection was there.
  private var early: [UInt8] = []

  /// Enough for a lost SYN or two on any network that Bluetooth makes sense over.
  package static let standardTimeLimit = Duration.seconds(4)

  /// - Parameters:
  ///   - host: A name or an address.
  ///   - watcher: The loop of the radio that uses the channel.
  ///   - timeLimit: How long it may take until the connection is there, looking up the name included. It should be less
  ///     than a host waits for an answer, as what the host sends waits for the connection.
  ///   - patience: How long nothing may come of a packet that has begun.
  package init(
    host: String,
    port: UInt16,
    watcher: any FileDescriptorWatcher,
    timeLimit: Duration = TCPChannel.standardTimeLimit,
    patience: Duration = H4Stream.Limits().patience
  ) {
    self.host = host
    self.port = port
    self.watcher = watcher
    self.timeLimit = timeLimit
    // A host is to read whatever comes: its own credits bound what it sends.
    limits = H4Stream.Limits(congestion: .max, patience: patience)
  }

  private var endpoint: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  // MARK: HCIChannel

  package func open(
    receive: @escaping @Sendable (HCIPacket) -> Void,
    closed: @escaping @Sendable (HCIChannelFailure) -> Void
  ) {
    close()
    self.receive = receive
    self.closed = closed
    phase = .resolving
    let opening = generation
    // A host that swallows packets would else be waited for as long as the system likes: minutes.
    watcher.submit(after: timeLimit) { [weak self] in self?.isLate(opening) }
    // Nothing is told before `open` has returned, so each outcome takes its turn.
    if case .success(let addresses) = SocketAddress.resolve(host: host, port: port, isNumeric: true) {
      return watcher.submit { self.resolved(.success(addresses), opening) }
    }
    let (host, port, watcher) = (host, port, watcher)
    let started = SystemThread.start(name: "halcyon-lookup") {
      let result = SocketAddress.resolve(host: host, port: port, isNumeric: false)
      watcher.submit { self.resolved(result, opening) }
    }
    if !started {
      let failure = SocketAddress.ResolutionFailure(reason: "the system has no thread left to look it up")
      watcher.submit { self.resolved(.failure(failure), opening) }
    }
  }

  package func send(_ packet: HCIPacket) {
    switch phase {
    case .closed: break
    case .resolving, .connecting:
      early.append(contentsOf: packet.bytes)
      if early.count > limits.end { ended(.notTaken(waiting: early.count)) }
    case .open(let stream): stream.send(packet)
    }
  }

  package func close() {
    switch phase {
    case .closed, .resolving: break
    case .connecting(let socket, _):
      watcher.unwatch(socket.descriptor)
      socket.shut()
    case .open(let stream): stream.close()
    }
    phase = .closed
    generation &+= 1
    early = []
    receive = { _ in }
    closed = { _ in }
  }

  /// Ends the channel with a reason. `closed` comes in a turn of its own, so that it never interrupts who calls `send`.
  private func fail(_ kind: HCIChannelFailure.Kind, _ reason: String) {
    let closed = closed
    close()
    let ended = generation
    watcher.submit { if self.generation == ended { closed(HCIChannelFailure(kind, reason: reason)) } }
  }

  // MARK: Connecting

  private func resolved(
    _ result: Result<[SocketAddress], SocketAddress.ResolutionFailure>,
    _ opening: UInt64
  ) {
    guard opening == generation, case .resolving = phase else { return }
    switch result {
    case .success(let addresses):
      share = timeLimit / max(1, addresses.count)
      connect(to: addresses, last: nil)
    case .failure(let failure):
      fail(.unreachable, "The host “\(host)” of an HCI controller has no address: \(failure.reason). Check its name.")
    }
  }

  private func connect(to addresses: [SocketAddress], last: StreamSocket.SystemError?) {
    var last = last
    for (index, address) in addresses.enumerated() {
      switch StreamSocket.connect(to: address) {
      case .failure(let error): last = error
      case .success((let socket, .connected)): return connected(socket)
      case .success((let socket, .underWay)):
        let others = Array(addresses[(index + 1)...])
        phase = .connecting(socket, others: others)
        watch(socket)
        if !others.isEmpty { limitAttempt() }
        return watcher.setInterest(of: socket.descriptor, to: .writable)
      }
    }
    isUnreachable(last.map(\.description) ?? "it has no address")
  }

  private func isUnreachable(_ why: String) {
    fail(
      .unreachable,
      "No HCI controller at \(endpoint): \(why). Start a controller there, or check host and port."
    )
  }

  /// The time for the whole opening is over.
  private func isLate(_ opening: UInt64) {
    guard opening == generation else { return }
    switch phase {
    case .closed, .open: break
    case .connecting: isUnreachable("it did not answer within \(timeLimit)")
    case .resolving:
      fail(
        .unreachable,
        "The host “\(host)” of an HCI controller was not found within \(timeLimit). Check its name and the network."
      )
    }
  }

  /// Gives up the present address after its share of the time, for the sake of the others.
  private func limitAttempt() {
    attempt &+= 1
    let (opening, attempt) = (generation, attempt)
    watcher.submit(after: share) { [weak self] in
      guard let self, self.generation == opening, self.attempt == attempt else { return }
      guard case .connecting(let socket, let others) = self.phase else { return }
      self.tryOthers(others, insteadOf: socket, StreamSocket.SystemError(code: ETIMEDOUT))
    }
  }

  private func tryOthers(
    _ others: [SocketAddress],
    insteadOf socket: StreamSocket,
    _ error: StreamSocket.SystemError
  ) {
    attempt &+= 1
    watcher.unwatch(socket.descriptor)
    socket.shut()
    phase = .resolving
    connect(to: others, last: error)
  }

  private func watch(_ socket: StreamSocket) {
    let opening = generation
    watcher.watch(socket.descriptor, for: .readable) { [weak self] _ in
      guard let self, self.generation == opening else { return }
      self.isReady()
    }
  }

  private func isReady() {
    guard case .connecting(let socket, let others) = phase else { return }
    switch socket.finishConnecting() {
    case .success: connected(socket)
    case .failure(let error): tryOthers(others, insteadOf: socket, error)
    }
  }

  private func connected(_ socket: StreamSocket) {
    let stream = H4Stream(socket, side: .host, watcher: watcher, limits: limits)
    phase = .open(stream)
    let opening = generation
    stream.start(receive: receive) { [weak self] end in
      guard let self, self.generation == opening else { return }
      self.ended(end)
    }
    stream.send(bytes: early)
    early = []
  }

  private func ended(_ end: H4Stream.End) {
    switch end {
    case .closed(0): fail(.closed, "The HCI controller at \(endpoint) closed the connection.")
    case .closed(let pending):
      fail(
        .closed,
        """
        The HCI controller at \(endpoint) closed the connection in the middle of a packet, of which \(counted(pending, "byte")) \
        had come.
        """
      )
    case .broken(let reason): fail(.closed, "The connection to the HCI controller at \(endpoint) broke: \(reason).")
    case .notTaken: fail(.closed, "The HCI controller at \(endpoint) takes no more data. Restart it.")
    case .unfinished(let pending, let time):
      fail(
        .closed,
        """
        The HCI controller at \(endpoint) began a packet, of which \(counted(pending, "byte")) came, and then nothing for \
        \(time). Restart it.
        """
      )
    case .garbled(let error):
      fail(
        .garbled,
        "What comes from \(endpoint) is not HCI: \(error). Check that an HCI controller with H4 framing listens there."
      )
    }
  }
}
