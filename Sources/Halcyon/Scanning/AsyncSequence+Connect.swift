import RadioPort

extension AsyncSequence where Element == Discovery {
  /// Connects to the first device that comes; the scan stops before the connect begins.
  ///
  /// ```swift
  /// let peripheral = try await central.scan(for: [.heartRate])
  ///   .filter { $0.name == "Pulse" }
  ///   .connect()
  /// ```
  /// The parameters are those of ``Central/connect(to:timeout:options:reconnect:setUp:)-(Discovery,_,_,_,_)``.
  ///
  /// - Throws: ``BluetoothError`` of the kind `.notFound` if the scan ends without a device, what the scan throws, and
  ///   what the connect throws; `CancellationError`.
  public nonisolated(nonsending) func connect(
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions(),
    reconnect: Reconnect? = nil,
    setUp: ConnectionSetUp? = nil
  ) async throws -> Peripheral {
    // What ends without a device has none to tell the central's language by, so the scan takes it down.
    let note = ChainNote()
    let first = try await ChainNote.$current.withValue(note) { try await firstElement() }
    guard let discovery = first else {
      throw BluetoothError(.notFound, .scan, language: note.core?.configuration.language ?? .english)
    }
    let wish = ConnectionWish(options: options, reconnect: reconnect, setUp: setUp)
    try await discovery.peripheral.core.connect(wish, timeout: timeout)
    return discovery.peripheral
  }

  /// The first `count` discoveries; the scan stops then. Fewer if it ends before.
  ///
  /// ```swift
  /// let found = try await central.scan(limit: 10).collect(10)
  /// ```
  /// - Throws: What the scan throws; `CancellationError`.
  public nonisolated(nonsending) func collect(_ count: Int) async throws -> [Discovery] {
    guard count > 0 else { return [] }
    var found: [Discovery] = []
    var iterator = makeAsyncIterator()
    while found.count < count, let discovery = try await iterator.next(isolation: #isolation) {
      found.append(discovery)
    }
    return found
  }

  /// The first element. The iterator goes with this call, and with it the scan.
  private nonisolated(nonsending) func firstElement() async throws -> Discovery? {
    var iterator = makeAsyncIterator()
    return try await iterator.next(isolation: #isolation)
  }
}
