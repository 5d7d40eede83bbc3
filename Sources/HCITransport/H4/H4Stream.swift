import BluetoothTypes

/// H4 on a connected stream socket: whole packets in both directions, for the host's end and for the controller's. Also on
/// a descriptor that carries one packet a call, as those that lead to the kernel do.
///
/// Packets sent in one turn of the loop go out in one write, where that is possible. What the other end does not take waits here, up to a limit;
/// long before that ``isCongested`` says so, and nothing more is read, so that who asks without taking the answers
/// gets no further.
// Invariant of the unchecked conformance: after `init`, the state is touched only on the watcher's thread.
package final class H4Stream: @unchecked Sendable {
  /// Why the stream ended.
  package enum End: Error, Hashable, Sendable, CustomStringConvertible {
    /// The other end closed the connection; so many bytes of an unfinished packet had come.
    case closed(pending: Int)
    /// The system's words for a connection that broke.
    case broken(String)
    /// What came is not HCI.
    case garbled(H4Error)
    /// More waits for the other end than may.
    case notTaken(waiting: Int)
    /// A packet has begun, of which so many bytes have come, and then nothing any more.
    case unfinished(pending: Int, after: Duration)

    /// In words, as a continuation of “the connection ended: ”.
    package var description: String {
      switch self {
      case .closed(0): "it was closed by the other end"
      case .closed(let pending):
        "it was closed by the other end in the middle of a packet, of which \(counted(pending, "byte")) had come"
      case .broken(let reason): "it broke: \(reason)"
      case .garbled(let error): "what comes is not HCI: \(error)"
      case .notTaken(let waiting): "the other end takes no more data; \(counted(waiting, "byte")) could not be sent"
      case .unfinished(let pending, let time):
        "the other end began a packet, of which \(counted(pending, "byte")) came, and then nothing for \(time)"
      }
    }
  }

  /// How much may wait for the other end.
  package struct Limits: Hashable, Sendable {
    /// From so many bytes on the stream is congested.
    package var congestion: Int
    /// With more than so many bytes it ends.
    package var end: Int
    /// How long nothing may come of a packet that has begun. H4 can not go on without the rest, so an end that is only
    /// half there would else be waited for for ever.
    package var patience: Duration

    package init(congestion: Int = 64 << 10, end: Int = 1 << 20, patience: Duration = .seconds(10)) {
      self.congestion = congestion
      self.end = end
      self.patience = patience
    }
  }

  private let socket: StreamSocket
  private let watcher: any FileDescriptorWatcher
  private let limits: Limits
  private var isOpen = false
  private var receive: @Sendable (HCIPacket) -> Void = { _ in }
  private var congestionChanged: @Sendable (Bool) -> Void = { _ in }
  private var ended: @Sendable (End) -> Void = { _ in }

  private var framer: H4Framer
  private var input: [UInt8] = []
  private var outgoing: [UInt8] = []
  private var outgoingStart = 0
  private var isFlushPlanned = false
  private var isWaitingForRoom = false
  /// Counts what has come, and the times when nothing could, for the watch over a packet that has begun.
  private var movements: UInt64 = 0
  private var isWatchingPacket = false
  /// More packets have come than one turn delivers.
  private var isDeliveryPlanned = false
  private var interest: FileDescriptorEvents = .readable
  /// So much waits for the other end that it should be spared what can be left out.
  package private(set) var isCongested = false

  private static let inputSize = 64 << 10
  /// How many packets are delivered before others get their turn, and the answers to them their way out.
  private static let packetsPerTurn = 64

  /// - Parameter begun: What was read from the descriptor already.
  init(
    _ socket: StreamSocket,
    side: H4Framer.Side,
    watcher: any FileDescriptorWatcher,
    limits: Limits = Limits(),
    begun: [UInt8] = []
  ) {
    self.socket = socket
    self.watcher = watcher
    self.limits = limits
    framer = H4Framer(side: side)
    framer.append(begun)
  }

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - receive: Gets each packet, in order.
  ///   - congestionChanged: Gets each change of ``isCongested``, within the call or turn that brings it about.
  ///   - ended: Called once, in a turn of its own, unless the stream is closed here before; nothing is received after it.
  package func start(
    receive: @escaping @Sendable (HCIPacket) -> Void,
    congestionChanged: @escaping @Sendable (Bool) -> Void = { _ in },
    ended: @escaping @Sendable (End) -> Void
  ) {
    isOpen = true
    self.receive = receive
    self.congestionChanged = congestionChanged
    self.ended = ended
    input = Array(repeating: 0, count: Self.inputSize)
    watcher.watch(socket.descriptor, for: .readable) { [weak self] events in self?.isReady(events) }
    if framer.pendingCount > 0 { planDelivery() }
  }

  /// Sends a packet; dropped if the stream is closed.
  package func send(_ packet: HCIPacket) { send(bytes: packet.bytes) }

  /// Sends whole packets.
  func send(bytes: [UInt8]) {
    guard isOpen, !bytes.isEmpty else { return }
    outgoing.append(contentsOf: bytes)
    let waiting = outgoing.count &- outgoingStart
    if waiting > limits.end { return end(.notTaken(waiting: waiting)) }
    if waiting >= limits.congestion { setCongested(true) }
    guard isOpen, !isFlushPlanned, !isWaitingForRoom else { return }
    isFlushPlanned = true
    watcher.submit {
      self.isFlushPlanned = false
      self.flush()
    }
  }

  /// Closes the connection; `ended` is not called.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    // What was sent before goes out as far as the socket takes it: often it is a reset, without which a controller would
    // keep its links.
    writeRest()
    watcher.unwatch(socket.descriptor)
    socket.shut()
    outgoing = []
    outgoingStart = 0
    receive = { _ in }
    congestionChanged = { _ in }
    ended = { _ in }
  }

  private func end(_ end: End) {
    let ended = ended
    close()
    watcher.submit { ended(end) }
  }

  // MARK: Reading

  private func isReady(_ events: FileDescriptorEvents) {
    if events.contains(.writable), isWaitingForRoom { flush() }
    if events.contains(.readable), isOpen, !isCongested, !isDeliveryPlanned { read() }
  }

  private func read() {
    let socket = socket
    switch input.withUnsafeMutableBytes({ socket.read(into: $0) }) {
    case .success(.nothing): break
    case .success(.count(let count)):
      movements &+= 1
      framer.append(input[..<count])
      deliver()
      watchPacket()
    case .success(.end): end(.closed(pending: framer.pendingCount))
    case .failure(let error): end(.broken(error.description))
    }
  }

  private func deliver() {
    let receive = receive
    var left = Self.packetsPerTurn
    do throws(H4Error) {
      // Who receives a packet may close the stream, or fill it.
      while isOpen, !isCongested {
        guard left > 0 else { return planDelivery() }
        guard let packet = try framer.next() else { return }
        receive(packet)
        left -= 1
      }
    } catch {
      end(.garbled(error))
    }
  }

  /// Gives a packet that has begun its time to be finished.
  private func watchPacket() {
    guard isOpen, !isWatchingPacket, framer.pendingCount > 0 else { return }
    isWatchingPacket = true
    let seen = movements
    watcher.submit(after: limits.patience) { [weak self] in
      guard let self, self.isOpen else { return }
      self.isWatchingPacket = false
      let pending = self.framer.pendingCount
      guard pending > 0, self.movements == seen, !self.isCongested, !self.isDeliveryPlanned else {
        return self.watchPacket()
      }
      self.end(.unfinished(pending: pending, after: self.limits.patience))
    }
  }

  /// Goes on with what was read, behind what it has caused so far.
  private func planDelivery() {
    guard isOpen, !isDeliveryPlanned else { return }
    isDeliveryPlanned = true
    updateInterest()
    watcher.submit {
      self.isDeliveryPlanned = false
      self.updateInterest()
      self.deliver()
    }
  }

  // MARK: Writing

  private func flush() {
    guard isOpen else { return }
    while outgoingStart < outgoing.count {
      switch writeSome() {
      case .success(0): return wroteSome(isWaiting: true)
      case .success(let count): outgoingStart &+= count
      // Who writes hears of it first where both are under way.
      case .failure(let error) where error.isOfClosedEnd: return end(.closed(pending: framer.pendingCount))
      case .failure(let error): return end(.broken(error.description))
      }
    }
    outgoing.removeAll(keepingCapacity: true)
    outgoingStart = 0
    wroteSome(isWaiting: false)
  }

  /// Writes once, from where the waiting bytes begin.
  private func writeSome() -> Result<Int, StreamSocket.SystemError> {
    let end = writeEnd
    return outgoing.withUnsafeBytes { socket.write(UnsafeRawBufferPointer(rebasing: $0[outgoingStart..<end])) }
  }

  /// How far one write may go: over all that waits, or over one packet where each call carries one.
  private var writeEnd: Int {
    guard
      socket.kind != .stream, let kind = HCIPacket.Kind(rawValue: outgoing[outgoingStart]),
      let length = H4Framer.packetLength(kind, in: outgoing, at: outgoingStart)
    else { return outgoing.count }
    return min(outgoing.count, outgoingStart &+ length)
  }

  private func writeRest() {
    guard outgoingStart < outgoing.count else { return }
    while outgoingStart < outgoing.count {
      guard case .success(let count) = writeSome(), count > 0 else { return }
      outgoingStart &+= count
    }
    guard socket.kind == .stream else { return }
    // Closing with something unread would throw away what is still on its way.
    socket.finishWriting()
    var rest = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<64 {
      guard case .success(.count) = rest.withUnsafeMutableBytes({ socket.read(into: $0) }) else { return }
    }
  }

  private func wroteSome(isWaiting: Bool) {
    if isWaiting, outgoingStart > Self.inputSize {
      outgoing.removeSubrange(..<outgoingStart)
      outgoingStart = 0
    }
    isWaitingForRoom = isWaiting
    // Half of the room, so that the state does not change with every packet.
    if isCongested, outgoing.count &- outgoingStart <= limits.congestion / 2 { setCongested(false) }
    updateInterest()
  }

  private func setCongested(_ isCongested: Bool) {
    guard isCongested != self.isCongested else { return }
    self.isCongested = isCongested
    movements &+= 1
    updateInterest()
    congestionChanged(isCongested)
    if !isCongested { planDelivery() }
  }

  private func updateInterest() {
    guard isOpen else { return }
    var wanted: FileDescriptorEvents = []
    if !isCongested, !isDeliveryPlanned { wanted.insert(.readable) }
    if isWaitingForRoom { wanted.insert(.writable) }
    guard wanted != interest else { return }
    interest = wanted
    watcher.setInterest(of: socket.descriptor, to: wanted)
  }
}
