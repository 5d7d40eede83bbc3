import BluetoothTypes
import HostStack
import RadioPort

// What the device's host tells, and what the device does on its own.

extension VirtualDevice {
  func handle(_ event: HostEvent) {
    switch event {
    case .centralConnected(let link):
      board.withLock { $0.links.append(link) }
      if description.requestsMTU { host.exchangeMTU(on: link, now: executor.now) }
    case .centralDisconnected(let link, _):
      waiting[link] = nil
      board.withLock { board in
        board.links.removeAll { $0 == link }
        board.mtu[link] = nil
      }
    case .centralMTU(let link, let mtu): board.withLock { $0.mtu[link] = mtu }
    case .intercepted(let id, let link, let pdu): intercepted(id, link, pdu)
    case .ownerRequest(_, let id, let request): asked(id, request)
    case .serverNotice(let link, let notice): noticed(notice, link)
    case .roomToNotify(let link): flush(link)
    case .state(let state): if state.power == .poweredOn { publishChannels() }
    case .channelWished(let id, let link, let psm): channelWished(id, link, psm)
    case .channelArrived(let id, let listener, let info): channelArrived(id, listener, info)
    case .channelReceived(let id, let message): channelReceived(id, message)
    case .channelRoom(let id): channelRoom(id)
    case .channelEnded(let id, let failure): channelEnded(id, failure)
    case .parametersAnswered(_, .failure(let failure)) where failure.kind == .refused:
      problem("a central did not take the connection parameters that the device asked for")
    case .advertisingStopped(_, let failure?) where isOpen: problem("advertising ended: \(failure.reason)")
    case .report(let report): problem(report.description)
    default: break
    }
  }

  private func noticed(_ notice: ServerNotice, _ link: LinkID) {
    switch notice {
    case .stored(let handle, let value): stored(value, handle)
    case .command(let handle, let value): take(value, 0, handle, withResponse: false)
    case .subscription(let handle, _): subscriptionChanged(handle)
    case .confirmed: flush(link)
    case .ended: break
    }
  }

  func problem(_ text: String) {
    board.withLock { $0.problems.append("\(executor.now.sinceStart): \(text)") }
  }

  // MARK: Values that are sent

  private func subscriptionChanged(_ handle: AttributeHandle) {
    let count = host.subscribers(of: handle).count
    let before = board.withLock { board in
      defer { board.subscribers[handle] = count }
      return board.subscribers[handle, default: 0]
    }
    if count == 0 {
      stopSending(handle)
    } else if sendings[handle] == nil, let interval = intervals[handle] {
      scheduleSending(handle, at: executor.now.advanced(by: interval))
    }
    if count != before { layout[value: handle]?.characteristic.onSubscription?(count, self) }
  }

  /// Sends a value at other intervals from now on; `nil`: not by itself.
  func changeInterval(_ interval: Duration?, _ handle: AttributeHandle) {
    intervals[handle] = interval
    stopSending(handle)
    guard let interval, !host.subscribers(of: handle).isEmpty else { return }
    scheduleSending(handle, at: executor.now.advanced(by: interval))
  }

  func stopSending(_ handle: AttributeHandle) {
    guard let sending = sendings.removeValue(forKey: handle) else { return }
    executor.cancel(sending.timer)
  }

  private func scheduleSending(_ handle: AttributeHandle, at due: RadioInstant) {
    let timer = executor.schedule(at: due) { [weak self] in self?.assumeIsolated { $0.sendDue(handle, due) } }
    sendings[handle] = Sending(timer: timer, due: due)
  }

  private func sendDue(_ handle: AttributeHandle, _ due: RadioInstant) {
    guard sendings[handle]?.due == due, let entry = layout[value: handle] else { return }
    sendings[handle] = nil
    let value: [UInt8]?
    let life = life
    if let next = entry.characteristic.next {
      value = next(self)
    } else {
      value = board.withLock { $0.values[handle] }
    }
    // Who gives the values may have changed the database: the handle is that of something else then.
    guard life == self.life, holds(entry) else { return }
    if let value { publish(value, handle, isTimed: true) }
    // Unless it was given another interval by now. One of no length would never let time go on.
    guard sendings[handle] == nil, let interval = intervals[handle], !host.subscribers(of: handle).isEmpty else {
      return
    }
    scheduleSending(handle, at: due.advanced(by: max(interval, .microseconds(100))))
  }

  /// Replaces a value.
  func keep(_ value: [UInt8], _ handle: AttributeHandle) {
    board.withLock { $0.values[handle] = value }
    host.setValue(value, of: handle)
  }

  /// Whether a characteristic still stands where it stood.
  func holds(_ entry: DeviceLayout.Entry) -> Bool {
    layout[value: entry.value]?.characteristic.identity === entry.characteristic.identity
  }

  /// Replaces a value and sends it to all who have subscribed.
  ///
  /// - Parameter isTimed: Whether it is sent by itself, because its time has come.
  func publish(_ value: [UInt8], _ handle: AttributeHandle, isTimed: Bool = false) {
    keep(value, handle)
    let item = WaitingValues.Item(handle: handle, value: value, isTimed: isTimed)
    for link in host.subscribers(of: handle) {
      if waiting[link]?.isEmpty ?? true, trySend(value, handle, link) { continue }
      guard waiting[link, default: WaitingValues()].append(item) else { continue }
      board.withLock { $0.droppedValues &+= 1 }
    }
    deliver()
  }

  /// Sends a value in the way that the client has asked for; `false` if there is no room for it now.
  private func trySend(_ value: [UInt8], _ handle: AttributeHandle, _ link: LinkID) -> Bool {
    do throws(NotifyRefusal) {
      do throws(NotifyRefusal) {
        try host.notify(value, of: handle, to: link, now: executor.now)
      } catch .notSubscribed {
        try host.indicate(value, of: handle, to: link, now: executor.now)
      }
    } catch {
      switch error {
      case .busy: return false
      case .tooLong(let limit):
        problem("a value of \(counted(value.count, "byte")) was not sent: the link takes \(limit)")
      case .notSubscribed, .unknown: break
      }
    }
    return true
  }

  private func flush(_ link: LinkID) {
    guard var values = waiting.removeValue(forKey: link) else { return }
    while let item = values.first, trySend(item.value, item.handle, link) { values.removeFirst() }
    if !values.isEmpty { waiting[link] = values }
  }

  // MARK: What a handle asks for

  func endLinks() {
    for link in host.centrals { host.disconnect(link, now: executor.now) }
    deliver()
  }

  func exchangeMTU() {
    for link in host.centrals { host.exchangeMTU(on: link, now: executor.now) }
    deliver()
  }

  func sendToAll(_ pdu: [UInt8]) {
    for link in host.centrals { host.send(pdu, on: link, now: executor.now) }
    deliver()
  }

  func requestParameters(_ interval: ClosedRange<Duration>, _ latency: UInt16, _ timeout: Duration) {
    let options = LinkOptions(interval: interval, latency: latency, supervisionTimeout: timeout)
    for link in host.centrals {
      do throws(RadioFailure) {
        try host.updateParameters(of: link, to: options, now: executor.now)
      } catch {
        problem("the connection parameters were not asked for: \(error.reason)")
      }
    }
    deliver()
  }

  func setReachable(_ isReachable: Bool, backAfter duration: Duration?) {
    if let comeback { executor.cancel(comeback) }
    comeback = nil
    let controller = channel.controller
    channel.space.changeAir { air, now in air.setReachable(isReachable, controller, now: now) }
    guard let duration else { return }
    comeback = executor.schedule(at: executor.now.advanced(by: duration)) { [weak self] in
      self?.assumeIsolated { $0.setReachable(true, backAfter: nil) }
    }
  }
}
