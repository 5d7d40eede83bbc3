import BluetoothTypes
import RadioPort

/// One reader of values as its peripheral sees it.
struct ActiveFeed {
  enum Stage {
    /// The connection was lost; it goes on with the next.
    case waitingForLink
    case discovering(DiscoveryTicket?)
    /// Asked for or agreed to; without a number until the radio has given one.
    case subscribed(SubscriptionID?)
  }

  weak var reader: (any FeedReader)?
  let plan: ValuePlan
  let attempt: Attempt
  var stage = Stage.waitingForLink
  /// The value that it has subscribed to last.
  var handle: AttributeHandle?
  /// Whether the device has agreed to the subscription.
  var isAgreed = false
  /// Counts the subscriptions of this reader; what comes for an earlier one is dropped.
  var round: UInt64 = 0
  /// Bounds the time until the device agrees.
  var timer: RadioTimer?
}

extension PeripheralCore {
  /// Begins to feed a reader, unless it has begun.
  func begin(_ reader: any FeedReader) {
    guard reader.feedNumber == nil else { return }
    let number = nextNumber()
    reader.feedNumber = number
    let attempt = attempt(.subscribe, reader.plan.name, limit: reader.plan.limit)
    switch admission {
    case .granted:
      feeds[number] = ActiveFeed(reader: reader, plan: reader.plan, attempt: attempt)
      arm(number)
    case .waits(let bound):
      feeds[number] = ActiveFeed(reader: reader, plan: reader.plan, attempt: attempt)
      if !reader.plan.awaitsConnection { boundWait(of: number, by: bound) }
    case .refused:
      guard reader.plan.awaitsConnection else { return reader.end(attempt.error(.notConnected)) }
      feeds[number] = ActiveFeed(reader: reader, plan: reader.plan, attempt: attempt)
    }
  }

  /// Bounds how long a reader waits for its first connection.
  private func boundWait(of number: UInt64, by bound: Duration?) {
    guard let feed = feeds[number] else { return }
    let isBoundFirst = bound.map { bound in feed.plan.limit.map { bound < $0 } ?? true } ?? false
    guard let limit = isBoundFirst ? bound : feed.plan.limit else { return }
    let error = isBoundFirst ? feed.attempt.error(.notConnected) : feed.attempt.timedOut
    feeds[number]?.timer = executor.schedule(at: executor.now.advanced(by: limit)) { [weak self] in
      self?.assumeIsolated { $0.failFeed(number, error) }
    }
  }

  /// A reader has gone.
  func endFeed(_ number: UInt64) {
    guard let feed = feeds.removeValue(forKey: number) else { return }
    heldReaders[number] = nil
    if let timer = feed.timer { executor.cancel(timer) }
    switch feed.stage {
    case .waitingForLink: break
    case .discovering(let ticket): if let ticket { leaveDiscovery(ticket) }
    case .subscribed(let subscription): if let subscription { access.unsubscribe(subscription) }
    }
  }

  private func failFeed(_ number: UInt64, _ error: BluetoothError) {
    let reader = feeds[number]?.reader
    if error.detail != .releasedLocally {
      central.log(.warning, .attributes, error.message(in: .english), error.message(in: .simplifiedChinese))
    }
    endFeed(number)
    reader?.end(error)
  }

  // MARK: With the connection

  func rearmFeeds() {
    guard claim?.isReady == true else { return }
    for number in feeds.keys.sorted() {
      guard case .waitingForLink = feeds[number]?.stage else { continue }
      arm(number)
    }
  }

  func linkLostForFeeds(_ loss: LinkLoss) {
    defer { if loss.isLocal { endUses(nil) } }
    for number in feeds.keys.sorted() {
      guard let feed = feeds[number] else { continue }
      if case .waitingForLink = feed.stage, !loss.isLocal, feed.plan.onReconnect == .resubscribe { continue }
      // With a lost link the radio forgets the subscription; a link that others still use keeps it until told.
      if loss.isReleased, case .subscribed(let subscription?) = feed.stage { access.unsubscribe(subscription) }
      suspend(number)
      if loss.isLocal || feed.plan.onReconnect == .end { failFeed(number, feed.attempt.error(loss)) }
    }
  }

  /// The connection will not come back by itself, as it was to: nobody waits for it any more.
  func endFeedsWithoutLink(_ error: BluetoothError) {
    for number in feeds.keys.sorted() {
      guard let feed = feeds[number], case .waitingForLink = feed.stage else { continue }
      failFeed(number, feed.attempt.error(error.kind, underlying: error.underlying))
    }
    endUses(error)
  }

  /// The program has ended the connection, or it will not come back: what was to go on for as long as that ends.
  private func endUses(_ error: BluetoothError?) {
    let ended = uses.sorted { $0.key < $1.key }
    uses = [:]
    for (_, end) in ended { end(error) }
  }

  /// The device's attributes in `range` are not what they were: who has subscribed there looks anew, and fails if what
  /// it wants is gone. The others go on; who discovers still finds out that its discovery is outdated.
  func renewFeeds(in range: ClosedRange<AttributeHandle>) {
    var concerned: [UInt64] = []
    for number in feeds.keys.sorted() {
      guard let feed = feeds[number], case .subscribed(let subscription) = feed.stage,
        let handle = feed.handle, range.contains(handle)
      else { continue }
      if let subscription { access.unsubscribe(subscription) }
      suspend(number)
      concerned.append(number)
    }
    for number in concerned {
      if case .waitingForLink = feeds[number]?.stage { arm(number) }
    }
  }

  /// Drops what comes for the subscription so far, and waits for the next link.
  private func suspend(_ number: UInt64) {
    if let timer = feeds[number]?.timer { executor.cancel(timer) }
    feeds[number]?.timer = nil
    feeds[number]?.round &+= 1
    feeds[number]?.isAgreed = false
    feeds[number]?.stage = .waitingForLink
  }

  // MARK: Subscribing

  private func arm(_ number: UInt64) {
    if let timer = feeds[number]?.timer { executor.cancel(timer) }
    feeds[number]?.timer = nil
    feeds[number]?.round &+= 1
    feeds[number]?.stage = .discovering(nil)
    if let limit = feeds[number]?.plan.limit {
      feeds[number]?.timer = executor.schedule(at: executor.now.advanced(by: limit)) { [weak self] in
        self?.assumeIsolated { core in
          guard let feed = core.feeds[number] else { return }
          core.failFeed(number, feed.attempt.timedOut)
        }
      }
    }
    discoverOrSubscribe(number)
  }

  private func discoverOrSubscribe(_ number: UInt64) {
    guard let feed = feeds[number], let link else { return }
    guard let missing = database.missing(.services([feed.plan.name.service.uuid])) else {
      do throws(BluetoothError) {
        let target = try lookUp(feed.plan.name, for: feed.attempt)
        try require([.notify, .indicate], of: target, for: feed.attempt)
        subscribe(number, to: target)
      } catch {
        failFeed(number, error)
      }
      return
    }
    let round = feed.round
    let ticket = discover(missing, on: link) { [weak self] failure in
      self?.assumeIsolated { core in
        guard core.feeds[number]?.round == round else { return }
        core.feeds[number]?.stage = .discovering(nil)
        if let failure {
          core.armingFailed(number, failure)
        } else {
          core.discoverOrSubscribe(number)
        }
      }
    }
    // The discovery may have ended before it returned.
    if feeds[number]?.round == round, case .discovering(nil) = feeds[number]?.stage,
      discoveries[ticket.discovery] != nil
    {
      feeds[number]?.stage = .discovering(ticket)
    }
  }

  private func subscribe(_ number: UInt64, to target: CharacteristicName.Instance) {
    guard let round = feeds[number]?.round else { return }
    feeds[number]?.stage = .subscribed(nil)
    feeds[number]?.handle = target.characteristic.handle
    let subscription = access.subscribe(to: target.characteristic, on: target.link) { [weak self] bytes in
      self?.assumeIsolated { $0.received(bytes, by: number, in: round) }
    } completion: { [weak self] result in
      self?.assumeIsolated { $0.subscribeEnded(number, in: round, result) }
    }
    // The reader may have been refused, or have had too much, before the radio returned.
    if feeds[number]?.round == round, case .subscribed(nil) = feeds[number]?.stage {
      feeds[number]?.stage = .subscribed(subscription)
    } else {
      access.unsubscribe(subscription)
    }
  }

  private func subscribeEnded(_ number: UInt64, in round: UInt64, _ result: Result<Void, RadioFailure>) {
    guard feeds[number]?.round == round else { return }
    switch result {
    case .success:
      if let timer = feeds[number]?.timer { executor.cancel(timer) }
      feeds[number]?.timer = nil
      feeds[number]?.isAgreed = true
      if let name = feeds[number]?.plan.name {
        central.log(.info, .attributes, "\(id) sends the values of \(name.uuid)", "\(id) 开始发送 \(name.uuid) 的值")
      }
      feeds[number]?.reader?.subscribed()
    case .failure(let failure): armingFailed(number, failure)
    }
  }

  /// A reader could not be armed. If that is for the link's sake it waits for the next link, unless it is to end.
  private func armingFailed(_ number: UInt64, _ failure: RadioFailure) {
    guard let feed = feeds[number] else { return }
    suspend(number)
    let isLinkLost = [.disconnected, .notConnected, .poweredOff].contains(failure.kind)
    if feed.plan.onReconnect == .end || !isLinkLost { failFeed(number, feed.attempt.error(failure)) }
  }

  private func received(_ bytes: [UInt8], by number: UInt64, in round: UInt64) {
    guard let feed = feeds[number], feed.round == round else { return }
    if central.received.hasReaders, let handle = feed.handle, isFirst(number, of: handle) {
      tell(of: bytes, at: handle, .notification)
    }
    guard let reader = feed.reader, reader.receive(bytes) == .overflowed else { return }
    guard case .failing(let limit) = feed.plan.buffering else { return }
    failFeed(number, feed.attempt.error(.overflow, detail: .count(max(limit, 1))))
  }

  /// Whether nobody subscribed to the value earlier, so that what several readers get is told once.
  private func isFirst(_ number: UInt64, of handle: AttributeHandle) -> Bool {
    !feeds.contains { other in
      guard other.key < number, other.value.handle == handle, case .subscribed = other.value.stage else { return false }
      return true
    }
  }

  /// Puts a value into the channel of everything.
  func tell(of bytes: [UInt8], at value: AttributeHandle, _ origin: ReceivedValue.Origin) {
    guard let link else { return }
    for service in database.services {
      guard let found = service.characteristics.first(where: { $0.handle == value }) else { continue }
      let name = CharacteristicName(found, in: service, on: link)
      return central.received.send(ReceivedValue(handle, Characteristic(name), bytes, origin, executor.now))
    }
  }
}
