import BluetoothTypes
import RadioPort
import Synchronization

/// What stands behind an ``L2CAPChannel``, on the radio's executor: who waits to send and to read, and the end.
actor ChannelCore {
  private struct Sender {
    let number: UInt64
    let message: [UInt8]
    let operation: PendingOperation<Void>
  }

  private struct Reader {
    let number: UInt64
    let operation: PendingOperation<[UInt8]?>
  }

  nonisolated let access: ChannelAccess
  nonisolated let executor: any RadioExecutor
  nonisolated let context: ChannelContext
  nonisolated let id: ChannelID
  nonisolated let info: ChannelInfo
  /// Who has opened it, at the end of a server.
  nonisolated let central: ConnectedCentral?
  private nonisolated let hasEnded = Atomic(false)

  /// What keeps the connection, for as long as the channel is open.
  private var keeper: (any Sendable)?
  private let ended: @Sendable (ChannelEnding) -> Void
  private var senders: [Sender] = []
  private var readers: [Reader] = []
  private var closers: [PendingOperation<Void>] = []
  /// What was taken from the radio and not read yet, oldest first.
  private var unread: [[UInt8]] = []
  private var ending: ChannelEnding?
  /// Whether the radio had no room.
  private var isFull = false
  /// Whether the radio still has the channel.
  private var isAtRadio = true
  private var count: UInt64 = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - keeper: Kept until the channel has ended.
  ///   - ended: Called once, on the executor, when it has ended or has been given up.
  init(
    _ access: ChannelAccess,
    _ id: ChannelID,
    _ info: ChannelInfo,
    _ context: ChannelContext,
    central: ConnectedCentral? = nil,
    keeper: (any Sendable)? = nil,
    ended: @escaping @Sendable (ChannelEnding) -> Void
  ) {
    self.access = access
    executor = access.executor
    self.id = id
    self.info = info
    self.context = context
    self.central = central
    self.keeper = keeper
    self.ended = ended
  }

  deinit {
    guard ending == nil else { return }
    let (access, id, ended, keeper) = (access, id, ended, keeper)
    // The connection goes behind the channel.
    executor.run {
      access.close(id, .now)
      ended(.closedHere)
      _ = keeper
    }
  }

  nonisolated var isOpen: Bool { !hasEnded.load(ordering: .relaxed) }

  private func nextNumber() -> UInt64 {
    count &+= 1
    return count
  }

  // MARK: Sending

  func send(_ message: [UInt8], timeout: Timeout) async throws {
    guard !message.isEmpty else { throw context.error(.empty, .sendOnChannel) }
    guard message.count <= info.sendLimit else {
      throw context.error(.tooLong, .sendOnChannel, detail: .length(message.count, maximum: info.sendLimit))
    }
    try Task.checkCancellation()
    if let ending { throw ending.error(.sendOnChannel, context) }
    // Most often there is room.
    if senders.isEmpty, !isFull, try trySend(message) { return }
    let limit = timeout.duration(standard: context.sendLimit)
    try await PendingOperation<Void>.run(
      on: executor,
      deadline: limit.map { executor.now.advanced(by: $0) },
      timeout: { [context] in context.timeOut(.sendOnChannel, limit) }
    ) { operation in
      let number = nextNumber()
      senders.append(Sender(number: number, message: message, operation: operation))
      operation.onEnd { [weak self] _ in self?.assumeIsolated { core in core.forgetSender(number) } }
      pump()
    }
  }

  func send(inParts bytes: some Collection<UInt8> & Sendable, timeout: Timeout) async throws {
    guard !bytes.isEmpty else { throw context.error(.empty, .sendOnChannel) }
    var rest = bytes[...]
    while !rest.isEmpty {
      try await send(Array(rest.prefix(info.sendLimit)), timeout: timeout)
      rest = rest.dropFirst(info.sendLimit)
    }
  }

  /// Gives a message to the radio; `false` if that has no room.
  private func trySend(_ message: [UInt8]) throws(BluetoothError) -> Bool {
    do throws(RadioFailure) {
      switch try access.send(message, on: id) {
      case .taken: return true
      case .full:
        isFull = true
        return false
      }
    } catch {
      if [.notConnected, .disconnected, .poweredOff].contains(error.kind) {
        // The channel is gone, and its end is on its way here with the cause.
        isFull = true
        return false
      }
      throw context.error(BluetoothError.kind(of: error), .sendOnChannel, underlying: error)
    }
  }

  private func pump() {
    while !senders.isEmpty, !isFull, ending == nil {
      // Taken out first: the radio may tell something before it returns, which comes back here.
      let sender = senders.removeFirst()
      do throws(BluetoothError) {
        if try trySend(sender.message) {
          sender.operation.finish(.success(()))
        } else if let ending {
          sender.operation.finish(.failure(ending.error(.sendOnChannel, context)))
        } else {
          senders.insert(sender, at: 0)
        }
      } catch {
        sender.operation.finish(.failure(error))
      }
    }
  }

  private func forgetSender(_ number: UInt64) { senders.removeAll { $0.number == number } }

  // MARK: Receiving

  func receive(timeout: Timeout) async throws -> [UInt8]? {
    try Task.checkCancellation()
    if readers.isEmpty, let message = takeMessage() { return message }
    let limit = timeout.duration(standard: nil)
    return try await PendingOperation<[UInt8]?>.run(
      on: executor,
      deadline: limit.map { executor.now.advanced(by: $0) },
      timeout: { [context] in context.timeOut(.receiveOnChannel, limit) }
    ) { operation in
      let number = nextNumber()
      readers.append(Reader(number: number, operation: operation))
      operation.onEnd { [weak self] _ in self?.assumeIsolated { core in core.forgetReader(number) } }
      feed()
    }
  }

  private func takeMessage() -> [UInt8]? {
    if !unread.isEmpty { return unread.removeFirst() }
    return isAtRadio && ending == nil ? access.receive(on: id) : nil
  }

  /// Gives the readers what there is.
  private func feed() {
    while !readers.isEmpty {
      // Taken out first, for the same reason.
      let reader = readers.removeFirst()
      guard let message = takeMessage() else {
        readers.insert(reader, at: 0)
        break
      }
      if let tell = reader.operation.settle(.success(message)) {
        tell()
      } else {
        // The reader has given up on another thread: the message is for the next one.
        unread.insert(message, at: 0)
      }
    }
    guard let ending, !readers.isEmpty else { return }
    let left = readers
    readers = []
    for reader in left {
      reader.operation.finish(
        ending.isClosed ? .success(nil) : .failure(ending.error(.receiveOnChannel, context))
      )
    }
  }

  private func forgetReader(_ number: UInt64) { readers.removeAll { $0.number == number } }

  // MARK: The end

  /// Something has happened at the radio.
  func take(_ event: ChannelEvent) {
    switch event {
    case .readyToReceive: feed()
    case .readyToSend:
      isFull = false
      pump()
    case .ended(nil): end(.closedThere)
    case .ended(let failure?): end(.failed(failure))
    }
  }

  /// The channel has ended, and not by ``close(timeout:)``. What came before can still be read.
  func end(_ ending: ChannelEnding) {
    guard self.ending == nil else { return }
    // No more than the credits allow.
    while let message = access.receive(on: id) { unread.append(message) }
    settle(ending)
    leaveRadio()
  }

  private func settle(_ ending: ChannelEnding) {
    self.ending = ending
    hasEnded.store(true, ordering: .relaxed)
    let waiting = senders
    senders = []
    for sender in waiting { sender.operation.finish(.failure(ending.error(.sendOnChannel, context))) }
    feed()
  }

  private func leaveRadio() {
    guard isAtRadio else { return }
    isAtRadio = false
    access.close(id, .now)
    released()
  }

  /// The connection need not be held any more.
  private func released() {
    isAtRadio = false
    keeper = nil
    if let ending { ended(ending) }
  }

  // MARK: Closing

  func close(timeout: Timeout) async throws {
    let limit = timeout.duration(standard: context.sendLimit)
    let isFirst = ending == nil
    if isFirst {
      unread = []
      settle(.closedHere)
    }
    guard isAtRadio else { return }
    do {
      try await PendingOperation<Void>.run(
        on: executor,
        deadline: limit.map { executor.now.advanced(by: $0) },
        timeout: { [context] in context.timeOut(.closeChannel, limit) }
      ) { operation in
        guard isAtRadio else { return operation.finish(.success(())) }
        closers.append(operation)
        guard isFirst else { return }
        access.close(id, .afterSending) { [weak self] in self?.assumeIsolated { core in core.closed() } }
      }
    } catch {
      // Who has waited enough ends it for all.
      closeNow()
      throw error
    }
  }

  /// Closes the channel at once; what has not gone yet is dropped.
  func closeNow() {
    if ending == nil {
      unread = []
      settle(.closedHere)
    }
    leaveRadio()
    closed()
  }

  private func closed() {
    if isAtRadio { released() }
    let waiting = closers
    closers = []
    for closer in waiting { closer.finish(.success(())) }
  }
}
