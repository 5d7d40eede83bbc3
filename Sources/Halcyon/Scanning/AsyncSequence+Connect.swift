import RadioPort

extension AsyncSequence where Element == Discovery {
  /// Connects to the first device that comes; the scan stops before the connect begins.
  ///
  /// ```swift
  /// let peripheral = try await central.scan(for: [.heartRate])
  ///   .filter { $0.name == "Pulse" }
  ///   .connect()
  /// ```
  /// - Throws: ``BluetoothError`` of the kind `.notFound` if the scan ends without a device, what the scan throws, and
  ///   what ``Central/connect(to:timeout:options:)-(Discovery,_,_)`` throws; `CancellationError`.
  public nonisolated(nonsending) func connect(
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions()
  ) async throws -> Peripheral {
    guard let discovery = try await firstElement() else {
      throw BluetoothError(.notFound, .scan, language: .english)
    }
    try await discovery.peripheral.core.connect(options, timeout: timeout)
    return discovery.peripheral
  }

  /// The first element. The iterator goes with this call, and with it the scan.
  private nonisolated(nonsending) func firstElement() async throws -> Discovery? {
    var iterator = makeAsyncIterator()
    return try await iterator.next(isolation: #isolation)
  }
}
