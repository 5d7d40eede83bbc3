import RadioPort

extension PeripheralCore {
  func disconnect() async { try? await disconnect(timeout: .never) }

  func disconnect(timeout: Timeout) async throws {
    guard let number = beginDisconnect() else { return }
    let limit = timeout.duration(standard: nil)
    let attempt = attempt(.endConnection, limit: limit)
    // The disconnect goes on whatever becomes of the caller.
    try await PendingOperation<Void>.run(
      on: executor,
      deadline: central.deadline(after: limit),
      timeout: { attempt.timedOut }
    ) { operation in
      guard releases[number] != nil else { return operation.finish(.success(())) }
      releases[number]?.append(operation)
    }
  }

  /// Returns the release to wait for, if there is one.
  private func beginDisconnect() -> UInt64? {
    let loss = LinkLoss()
    guard let claim, let claimID = claim.id else {
      if reconnecting != nil || powerWait != nil { stopComingBack(loss) }
      failWaiting(loss)
      return releases.keys.max()
    }
    self.claim = nil
    endReconnecting()
    let number = claim.number
    releases[number] = []
    central.log(.info, .connection, "disconnecting from \(id)", "正在断开与 \(id) 的连接")
    setState(.disconnecting)
    failConnectWaiters(attempt(.connect).error(loss))
    if claim.link != nil {
      owesDisconnectEvent = true
      endLinkWork(loss)
    } else {
      // Streams and operations that waited for the connection to come back.
      linkLostForFeeds(loss)
      failWaiting(loss)
    }
    access.release(claimID) { [weak self] in self?.assumeIsolated { $0.released(number) } }
    return number
  }

  /// Ends a connection between two attempts to make it.
  private func stopComingBack(_ loss: LinkLoss) {
    endReconnecting()
    endPowerWait()
    central.log(.info, .connection, "no longer reconnecting to \(id)", "不再重新连接 \(id)")
    setState(.disconnected(nil))
    failConnectWaiters(attempt(.connect).error(loss))
    linkLostForFeeds(loss)
  }

  private func released(_ number: UInt64) {
    guard let waiters = releases.removeValue(forKey: number) else { return }
    if claim == nil, releases.isEmpty {
      // A later connect may have failed meanwhile; its reason stays.
      if case .disconnecting = states.current { setState(.disconnected(nil)) }
      tellOfDisconnect()
    }
    for waiter in waiters { waiter.finish(.success(())) }
  }

  /// Tells of a disconnect by the program when it is done, or before a new connection begins.
  func tellOfDisconnect() {
    guard owesDisconnectEvent else { return }
    owesDisconnectEvent = false
    central.connectionEvents.send(.disconnected(handle, nil))
  }
}
