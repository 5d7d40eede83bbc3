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
/// What is sent while the connection is made waits for it. Packets sent in one step of the radio go out in one write.
// Invariant of the unchecked conformance: after `init`, the state is touched only on the watcher's thread.
package final class TCPChannel: HCIChannel, @unchecked Sendable {
  private enum Phase {
    case closed
    case resolving
    case connecting(StreamSocket, others: [SocketAddress])
    case open(StreamSocket)
  }

  private let host: String
  private let port: UInt16
  private let timeLimit: Duration
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
  private var framer = H4Framer(side: .host)
  private var outgoing: [UInt8] = []
  private var outgoingStart = 0
  private var isFlushPlanned = false
  private var isWaitingForRoom = false
  private var input: [UInt8] = []

  /// How much may wait for a controller that takes nothing; far more than its credits allow to send.
  private static let outgoingLimit = 1 << 20
  private static let inputSize = 64 << 10

  /// Enough for a lost SYN or two on any network that Bluetooth makes sense over.
  package static let standardTimeLimit = Duration.seconds(4)

  /// - Parameters:
  ///   - host: A name or an address.
  ///   - watcher: The loop of the radio that uses the channel.
  ///   - timeLimit: How long it may take until the connection is there, looking up the name included. It should be less
  ///     than a host waits for an answer, as what the host sends waits for the connection.
  package init(
    host: String,
    port: UInt16,
    watcher: any FileDescriptorWatcher,
    timeLimit: Duration = TCPChannel.standardTimeLimit
  ) {
    self.host = host
    self.port = port
    self.watcher = watcher
    self.timeLimit = timeLimit
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
    framer = H4Framer(side: .host)
    if input.isEmpty { input = Array(repeating: 0, count: Self.inputSize) }
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
    if case .closed = phase { return }
    outgoing.append(contentsOf: packet.bytes)
    if outgoing.count &- outgoingStart > Self.outgoingLimit {
      return fail(.closed, "The HCI controller at \(endpoint) takes no more data. Restart it.")
    }
    guard case .open = phase, !isFlushPlanned, !isWaitingForRoom else { return }
    planFlush()
  }

  package func close() {
    switch phase {
    case .closed, .resolving: break
    case .connecting(let socket, _), .open(let socket):
      watcher.unwatch(socket.descriptor)
      socket.shut()
    }
    phase = .closed
    generation &+= 1
    outgoing = []
    outgoingStart = 0
    isFlushPlanned = false
    isWaitingForRoom = false
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
      case .success((let socket, .connected)):
        watch(socket)
        return connected(socket)
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
    watcher.watch(socket.descriptor, for: .readable) { [weak self] events in
      guard let self, self.generation == opening else { return }
      self.isReady(events)
    }
  }

  private func isReady(_ events: FileDescriptorEvents) {
    switch phase {
    case .closed, .resolving: break
    case .connecting(let socket, let others):
      switch socket.finishConnecting() {
      case .success: connected(socket)
      case .failure(let error): tryOthers(others, insteadOf: socket, error)
      }
    case .open(let socket):
      let opening = generation
      if events.contains(.writable), isWaitingForRoom { flush() }
      if events.contains(.readable), generation == opening { read(from: socket) }
    }
  }

  private func connected(_ socket: StreamSocket) {
    phase = .open(socket)
    watcher.setInterest(of: socket.descriptor, to: .readable)
    if !outgoing.isEmpty { flush() }
  }

  // MARK: Data

  private func read(from socket: StreamSocket) {
    switch socket.readAvailable(into: &input) {
    case .success(.nothing): break
    case .success(.count(let count)):
      framer.append(input[..<count])
      deliver()
    case .success(.end):
      let rest = framer.pendingCount
      let middle = rest == 0 ? "" : " in the middle of a packet, of which \(rest) bytes had come"
      fail(.closed, "The HCI controller at \(endpoint) closed the connection\(middle).")
    case .failure(let error):
      fail(.closed, "The connection to the HCI controller at \(endpoint) broke: \(error).")
    }
  }

  private func deliver() {
    let opening = generation
    let receive = receive
    do throws(H4Error) {
      // Who receives a packet may close the channel, or open it anew.
      while generation == opening, let packet = try framer.next() { receive(packet) }
    } catch {
      fail(
        .garbled,
        "What comes from \(endpoint) is not HCI: \(error). Check that an HCI controller with H4 framing listens there."
      )
    }
  }

  private func planFlush() {
    isFlushPlanned = true
    let opening = generation
    watcher.submit {
      guard self.generation == opening else { return }
      self.isFlushPlanned = false
      self.flush()
    }
  }

  private func flush() {
    guard case .open(let socket) = phase else { return }
    while outgoingStart < outgoing.count {
      let result = outgoing.withUnsafeBytes { socket.write(UnsafeRawBufferPointer(rebasing: $0[outgoingStart...])) }
      switch result {
      case .success(0): return waitForRoom(true, socket)
      case .success(let count): outgoingStart &+= count
      case .failure(let error):
        return fail(.closed, "The connection to the HCI controller at \(endpoint) broke: \(error).")
      }
    }
    outgoing.removeAll(keepingCapacity: true)
    outgoingStart = 0
    waitForRoom(false, socket)
  }

  private func waitForRoom(_ isWaiting: Bool, _ socket: StreamSocket) {
    if isWaiting, outgoingStart > Self.inputSize {
      outgoing.removeSubrange(..<outgoingStart)
      outgoingStart = 0
    }
    guard isWaiting != isWaitingForRoom else { return }
    isWaitingForRoom = isWaiting
    watcher.setInterest(of: socket.descriptor, to: isWaiting ? [.readable, .writable] : .readable)
  }
}

extension StreamSocket {
  fileprivate func readAvailable(into buffer: inout [UInt8]) -> Result<Reading, SystemError> {
    buffer.withUnsafeMutableBytes { read(into: $0) }
  }
}
