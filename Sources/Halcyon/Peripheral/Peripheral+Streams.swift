import BluetoothTypes

extension Peripheral {
  /// What the device calls itself: the current name first, `nil` if it is not known, then each change. A slow reader gets
  /// the newest only. Names come with advertisements and with a read of the device's own name. Ends with the peripheral.
  public var names: Updates<String?> { Updates(hub: core.names) }

  /// How strongly the device is heard, in dBm: the latest reading first, if there is one, then each that comes, from scans
  /// and from ``readRSSI(timeout:)``. A slow reader gets the newest only. Ends with the peripheral.
  public var rssiReadings: Updates<Int> { Updates(hub: core.rssiReadings) }

  /// Changes of the device's services, from the moment of the iteration on and without loss. Ends with the peripheral.
  public var serviceChanges: Updates<ServiceChange> { Updates(hub: core.serviceChanges) }

  /// The values of a characteristic as the device sends them, each as a result, so that one which can not be decoded does
  /// not end the stream. Else like ``values(of:buffering:onReconnect:timeout:)``.
  public func results<Value: ByteReadable>(
    of characteristic: Characteristic<Value>,
    buffering: Buffering = .unbounded,
    onReconnect: OnReconnect = .resubscribe,
    timeout: Timeout = .default
  ) -> ValueResults<Value> {
    ValueResults(core: core, plan: plan(characteristic, buffering, onReconnect, timeout))
  }

  /// The values of a characteristic for several parts of the program, which begin when ``SharedValues/start()`` is called
  /// and end with ``SharedValues/stop()``. May be made and started before there is a connection.
  public func shared<Value: ByteReadable>(
    of characteristic: Characteristic<Value>,
    buffering: Buffering = .unbounded,
    onReconnect: OnReconnect = .resubscribe,
    timeout: Timeout = .default
  ) -> SharedValues<Value> {
    var plan = plan(characteristic, buffering, onReconnect, timeout)
    plan.awaitsConnection = true
    return SharedValues(core: core, plan: plan)
  }

  /// All that the device sends by itself, in one place: the values of every characteristic that somebody has subscribed
  /// to, undecoded, each once.
  public func notifications(buffering: Buffering = .unbounded) -> ReceivedValues {
    ReceivedValues(
      hub: core.central.received,
      filter: .init(peripheral: id, includesReads: false),
      buffering: buffering
    )
  }

  /// All that comes from the device, in one place: what it sends by itself, as in ``notifications(buffering:)``, and the
  /// answers to reads.
  public func receivedValues(buffering: Buffering = .unbounded) -> ReceivedValues {
    ReceivedValues(hub: core.central.received, filter: .init(peripheral: id, includesReads: true), buffering: buffering)
  }

  /// Switches the notifications, or indications, of a characteristic on or off, for those who read
  /// ``notifications(buffering:)``, ``receivedValues(buffering:)`` or ``Central/receivedValues(buffering:)``. Returns when
  /// the device has agreed.
  ///
  /// What is on stays on across a loss of the connection, until it is switched off or the program disconnects. It goes
  /// beside the readers of ``values(of:buffering:onReconnect:timeout:)``: off takes back only what was switched on here,
  /// and the device is told to stop when nobody is left.
  ///
  /// - Throws: ``BluetoothError`` as for ``Values``; `CancellationError`.
  /// - Returns: The peripheral, for the next step.
  @discardableResult
  public func setNotifying<Value>(
    _ isOn: Bool,
    for characteristic: Characteristic<Value>,
    timeout: Timeout = .default
  ) async throws -> Peripheral {
    try await core.setNotifying(isOn, characteristic.name, timeout: timeout)
    return self
  }

  /// Whether the device sends values of a characteristic to this central now, for whatever reader.
  public func isNotifying<Value>(_ characteristic: Characteristic<Value>) async -> Bool {
    await core.isNotifying(characteristic.name)
  }

  /// Writes a command and waits for its answer, which the device notifies or indicates on another characteristic or the
  /// same: it subscribes to the answers, writes, and returns the first that comes after the write has begun.
  ///
  /// ```swift
  /// let status = try await peripheral.request(.start, on: .controlPoint, answer: .controlPoint)
  /// ```
  /// Requests with one answering characteristic go one after the other. The subscription ends with the request; where many
  /// follow each other, ``setNotifying(_:for:timeout:)`` keeps it.
  ///
  /// - Parameters:
  ///   - isAnswer: Which values are the answer; others are left to other readers. All by default.
  ///   - timeout: For all of it.
  /// - Throws: ``BluetoothError`` as for a write and a subscription; `.undecodable` if the answer is not of its type;
  ///   `CancellationError`.
  public func request<Command: ByteWritable, Answer: ByteReadable>(
    _ command: Command,
    on characteristic: Characteristic<Command>,
    answer: Characteristic<Answer>,
    type: WriteType = .automatic,
    timeout: Timeout = .default,
    where isAnswer: @escaping @Sendable (Answer) -> Bool = { _ in true }
  ) async throws -> Answer {
    let bytes = try await core.exchange(
      command.bytes,
      on: characteristic.name,
      answer: answer.name,
      type: type,
      timeout: timeout
    ) { bytes in
      // What can not be decoded is nobody's answer, but must not be waited for in vain either.
      (try? Answer(bytes: bytes)).map(isAnswer) ?? true
    }
    return try core.decode(bytes, of: answer.name, for: .request)
  }

  /// Sends bytes in as many parts as it takes, each as long as the connection allows, and tells the progress. Nothing
  /// happens before it is iterated, or ``Transfer/finish()`` is called.
  ///
  /// - Parameters:
  ///   - type: `.automatic` is without response where the characteristic allows it: fast, and nothing is lost on the way
  ///     as the radio's flow control holds it back.
  ///   - partLength: The most that the device takes at a time, where that is less than the connection allows.
  ///   - timeout: For each part.
  public func send<Value>(
    _ bytes: some Sequence<UInt8>,
    to characteristic: Characteristic<Value>,
    type: WriteType = .automatic,
    partLength: Int? = nil,
    timeout: Timeout = .default
  ) -> Transfer {
    Transfer(
      core: core,
      plan: TransferPlan(
        bytes: Array(bytes),
        name: characteristic.name,
        type: type,
        partLength: partLength,
        limit: timeout.duration(standard: core.central.configuration.timeouts.write)
      )
    )
  }

  func plan<Value>(
    _ characteristic: Characteristic<Value>,
    _ buffering: Buffering,
    _ onReconnect: OnReconnect,
    _ timeout: Timeout
  ) -> ValuePlan {
    ValuePlan(
      name: characteristic.name,
      buffering: buffering,
      onReconnect: onReconnect,
      limit: timeout.duration(standard: core.central.configuration.timeouts.subscribe)
    )
  }
}

extension Central {
  /// All that comes from all devices of this central, in one place: what they send by themselves and the answers to reads.
  public func receivedValues(buffering: Buffering = .unbounded) -> ReceivedValues {
    ReceivedValues(hub: core.received, filter: .init(includesReads: true), buffering: buffering)
  }
}
