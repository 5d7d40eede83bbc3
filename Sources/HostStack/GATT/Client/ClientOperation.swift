import BluetoothTypes
import RadioPort

/// A procedure in the client's queue, and who waits for it.
struct ClientOperation: Sendable {
  enum Owner: Hashable, Sendable {
    case request(RequestID)
    /// The exchange of the MTU, for all who wait for it.
    case mtu
    /// The discovery, or the reading of the hash that may spare it, for all who wait for it.
    case discovery
    /// What the client does on its own, to notice when the peer's services change.
    case housekeeping
    /// The write that switches the values of this characteristic on or off.
    case subscription(AttributeHandle)
  }

  enum Procedure: Sendable {
    case exchangeMTU
    case read(ReadProcedure)
    case write(WriteProcedure)
    case readHash
    case readMultiple(ReadMultipleProcedure)
    /// Indirect, so that the small operations are cheap to move.
    indirect case discover(DiscoveryProcedure)
  }

  var owner: Owner
  var procedure: Procedure
  /// Nobody waits any more; it only keeps the slot until the reply comes.
  var isAbandoned = false

  init(_ owner: Owner, _ procedure: Procedure) {
    self.owner = owner
    self.procedure = procedure
  }

  /// Whether it is somebody's wish to read or write an attribute with one of these handles.
  func concerns(_ range: ClosedRange<UInt16>) -> Bool {
    switch owner {
    case .mtu, .discovery, .housekeeping: return false
    case .request, .subscription: break
    }
    return switch procedure {
    case .read(let read): range.contains(read.handle.rawValue)
    case .write(let write): range.contains(write.handle.rawValue)
    case .readMultiple(let read): read.handles.contains { range.contains($0.rawValue) }
    case .exchangeMTU, .readHash, .discover: false
    }
  }

  mutating func start(mtu: Int, ownMTU: Int) -> ClientStep {
    switch procedure {
    case .exchangeMTU:
      return .send(ATTExchangeMTURequest(mtu: UInt16(truncatingIfNeeded: ownMTU)))
    case .readHash: return HashReading.start
    case .read(var read):
      let step = read.start(mtu: mtu)
      procedure = .read(read)
      return step
    case .readMultiple(var read):
      let step = read.start(mtu: mtu)
      procedure = .readMultiple(read)
      return step
    case .write(var write):
      let step = write.start(mtu: mtu)
      procedure = .write(write)
      return step
    case .discover(var discovery):
      let step = discovery.start()
      procedure = .discover(discovery)
      return step
    }
  }

  /// The reply to an exchange of the MTU is the client's to handle.
  mutating func receive(_ reply: ClientReply, mtu: Int) -> ClientStep {
    switch procedure {
    case .exchangeMTU: return .finish(.done)
    case .readHash: return HashReading.receive(reply)
    case .read(var read):
      let step = read.receive(reply, mtu: mtu)
      procedure = .read(read)
      return step
    case .readMultiple(var read):
      let step = read.receive(reply, mtu: mtu)
      procedure = .readMultiple(read)
      return step
    case .write(var write):
      let step = write.receive(reply, mtu: mtu)
      procedure = .write(write)
      return step
    case .discover(var discovery):
      // Emptied first, so that the lists inside are changed in place and not copied.
      procedure = .exchangeMTU
      let step = discovery.receive(reply)
      procedure = .discover(discovery)
      return step
    }
  }

  /// What is still to be sent of an abandoned operation after the reply to what was sent: of a long write, that the
  /// parts are to be thrown away.
  mutating func afterAbandon() -> ClientStep? {
    guard case .write(var write) = procedure else { return nil }
    let step = write.abandon()
    procedure = .write(write)
    return step
  }

  /// What is still to be sent after a reply that could not be used: of a long write, that the parts are to be thrown
  /// away; then the operation fails.
  mutating func afterUnusableReply(_ failure: RadioFailure) -> ClientStep? {
    guard case .write(var write) = procedure else { return nil }
    let step = write.giveUp(failure)
    procedure = .write(write)
    return step
  }
}
