// Combine's publishers over the streams and operations of the API. On Linux a test-only module of that name stands in for
// Apple's, and this file is compiled once more beside it: see Tests/CombineShapes. A module that merely has this name
// does not switch it on there.
#if canImport(Combine) && (canImport(Darwin) || HALCYON_COMBINE_SHAPES)
  public import Combine
  public import RadioPort
  import Synchronization
  #if HALCYON_COMBINE_SHAPES
    public import Halcyon
  #endif

  /// A stream or an operation of Halcyon as a Combine publisher.
  ///
  /// Each subscription is an iteration, or a call, of its own. It begins with the first demand and asks for no more than
  /// is demanded; what becomes of values that come meanwhile is the stream's own matter, as with ``Buffering``. To cancel
  /// the subscription cancels the iteration, or the call. It fails with ``BluetoothError``. Values come on the radio's
  /// executor; use `receive(on:)` for another.
  public struct HalcyonPublisher<Output: Sendable>: Publisher {
    /// ``BluetoothError``, or what a program's own part of a stream threw.
    public typealias Failure = any Error
    typealias Next = () async throws -> Output?

    let executor: any TaskExecutor
    /// Whether it ends with its first value.
    let isSingle: Bool
    let begin: @Sendable () -> Next

    init<Stream: AsyncSequence & Sendable>(_ stream: Stream, on executor: any TaskExecutor)
    where Stream.Element == Output {
      self.executor = executor
      isSingle = false
      begin = {
        var iterator = stream.makeAsyncIterator()
        return { try await iterator.next() }
      }
    }

    init(on executor: any TaskExecutor, _ operation: @escaping @Sendable () async throws -> Output) {
      self.executor = executor
      isSingle = true
      begin = { operation }
    }

    /// Begins a subscription.
    public func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Output, Target.Failure == any Error {
      subscriber.receive(subscription: StreamSubscription(self, subscriber))
    }
  }

  // The subscriber is called by the one task of the subscription only; all else is behind the mutex.
  private final class StreamSubscription<Target: Subscriber, Output: Sendable>: Subscription, @unchecked Sendable
  where Target.Input == Output, Target.Failure == any Error {
    private struct State {
      var demand = Subscribers.Demand.none
      var task: Task<Void, Never>?
      var waiter: CheckedContinuation<Void, Never>?
      var isOver = false
    }

    private let publisher: HalcyonPublisher<Output>
    private let subscriber: Target
    private let state = Mutex(State())

    init(_ publisher: HalcyonPublisher<Output>, _ subscriber: Target) {
      self.publisher = publisher
      self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > .none else { return }
      let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard !state.isOver else { return nil }
        state.demand += demand
        if state.task == nil { state.task = Task(executorPreference: publisher.executor) { await self.run() } }
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }

    func cancel() {
      let (task, waiter) = state.withLock { state in
        defer { (state.task, state.waiter) = (nil, nil) }
        state.isOver = true
        return (state.task, state.waiter)
      }
      task?.cancel()
      waiter?.resume()
    }

    private func run() async {
      let next = publisher.begin()
      do {
        while await isWanted() {
          guard let value = try await next() else { return complete(.finished) }
          deliver(value)
          if publisher.isSingle { return complete(.finished) }
        }
      } catch {
        complete(.failure(error))
      }
    }

    /// Waits for demand; `false` after the cancellation.
    private func isWanted() async -> Bool {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          guard state.demand == .none, !state.isOver else { return false }
          state.waiter = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
      return state.withLock { !$0.isOver }
    }

    private func deliver(_ value: Output) {
      let isWanted = state.withLock { state in
        guard !state.isOver else { return false }
        state.demand -= .max(1)
        return true
      }
      guard isWanted else { return }
      let more = subscriber.receive(value)
      state.withLock { $0.demand += more }
    }

    private func complete(_ completion: Subscribers.Completion<any Error>) {
      let isOver = state.withLock { state in
        defer { (state.isOver, state.task) = (true, nil) }
        return state.isOver
      }
      if !isOver { subscriber.receive(completion: completion) }
    }
  }

  extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// The sequence as a publisher; its values come on the executor of the central's radio.
    public func publisher(on central: Central) -> HalcyonPublisher<Element> {
      HalcyonPublisher(self, on: central.executor)
    }
  }

  extension Central {
    /// What the central does, as publishers.
    public var publishers: CentralPublishers { CentralPublishers(central: self) }

    /// Any call as a publisher of its one value: `central.publisher { try await $0.connect(to: id) }`.
    public func publisher<Value: Sendable>(
      of operation: @escaping @Sendable (Central) async throws -> Value
    ) -> HalcyonPublisher<Value> {
      HalcyonPublisher(on: executor) { try await operation(self) }
    }
  }

  /// What a central does, as publishers; each is like the member of ``Central`` of the same name.
  public struct CentralPublishers: Sendable {
    let central: Central

    /// See ``Central/states``.
    public var states: HalcyonPublisher<RadioState> { central.states.publisher(on: central) }
    /// See ``Central/connectionEvents``.
    public var connectionEvents: HalcyonPublisher<ConnectionEvent> { central.connectionEvents.publisher(on: central) }
    /// See ``Central/activities``.
    public var activities: HalcyonPublisher<Activity> { central.activities.publisher(on: central) }
    /// See ``Central/connectedUpdates``.
    public var connectedUpdates: HalcyonPublisher<[Peripheral]> { central.connectedUpdates.publisher(on: central) }

    /// See ``Central/receivedValues(buffering:)``.
    public func receivedValues(buffering: Buffering = .unbounded) -> HalcyonPublisher<ReceivedValue> {
      central.receivedValues(buffering: buffering).publisher(on: central)
    }

    /// See ``Central/scan(for:where:duplicates:duration:timeout:limit:)``.
    public func scan(
      for services: [ServiceID] = [],
      where filter: ScanFilter = .any,
      duplicates: Duplicates = .merge,
      duration: Duration? = nil,
      timeout: Timeout = .default,
      limit: Int? = nil
    ) -> HalcyonPublisher<Discovery> {
      central.scan(
        for: services,
        where: filter,
        duplicates: duplicates,
        duration: duration,
        timeout: timeout,
        limit: limit
      ).publisher(on: central)
    }

    /// See ``Central/ready(within:)``.
    public func ready(within timeout: Timeout = .default) -> HalcyonPublisher<Void> {
      central.publisher { try await $0.ready(within: timeout) }
    }

    /// See ``Central/stopScan()``.
    public func stopScan() -> HalcyonPublisher<Void> { central.publisher { await $0.stopScan() } }

    /// Connects to a known device; see ``Central/connect(to:timeout:options:reconnect:setUp:)-(Discovery,_,_,_,_)``.
    public func connect(
      to id: Peripheral.ID,
      timeout: Timeout = .default,
      options: LinkOptions = LinkOptions(),
      reconnect: Reconnect? = nil,
      setUp: ConnectionSetUp? = nil
    ) -> HalcyonPublisher<Peripheral> {
      central.publisher {
        try await $0.connect(to: id, timeout: timeout, options: options, reconnect: reconnect, setUp: setUp)
      }
    }

    /// See ``Central/connect(to:timeout:options:reconnect:setUp:)-(Discovery,_,_,_,_)``.
    public func connect(
      to discovery: Discovery,
      timeout: Timeout = .default,
      options: LinkOptions = LinkOptions(),
      reconnect: Reconnect? = nil,
      setUp: ConnectionSetUp? = nil
    ) -> HalcyonPublisher<Peripheral> {
      connect(to: discovery.id, timeout: timeout, options: options, reconnect: reconnect, setUp: setUp)
    }

    /// See ``ConnectedDevice``.
    public func connectToEverything(
      of id: Peripheral.ID,
      timeout: Timeout = .default,
      options: LinkOptions = LinkOptions(),
      reconnect: Reconnect? = nil,
      setUp: ConnectionSetUp? = nil,
      buffering: Buffering = .unbounded
    ) -> HalcyonPublisher<ConnectedDevice> {
      central.publisher {
        try await $0.connectToEverything(
          of: id,
          timeout: timeout,
          options: options,
          reconnect: reconnect,
          setUp: setUp,
          buffering: buffering
        )
      }
    }
  }

  extension Peripheral {
    /// What the peripheral does, as publishers.
    public var publishers: PeripheralPublishers { PeripheralPublishers(peripheral: self) }

    /// Any call as a publisher of its one value: `peripheral.publisher { try await $0.read(.batteryLevel) }`.
    public func publisher<Value: Sendable>(
      of operation: @escaping @Sendable (Peripheral) async throws -> Value
    ) -> HalcyonPublisher<Value> {
      HalcyonPublisher(on: executor) { try await operation(self) }
    }
  }

  /// What a peripheral does, as publishers; each is like the member of ``Peripheral`` of the same name.
  public struct PeripheralPublishers: Sendable {
    let peripheral: Peripheral

    private func stream<Stream: AsyncSequence & Sendable>(_ stream: Stream) -> HalcyonPublisher<Stream.Element>
    where Stream.Element: Sendable {
      HalcyonPublisher(stream, on: peripheral.executor)
    }

    /// See ``Peripheral/states``.
    public var states: HalcyonPublisher<ConnectionState> { stream(peripheral.states) }
    /// See ``Peripheral/names``.
    public var names: HalcyonPublisher<String?> { stream(peripheral.names) }
    /// See ``Peripheral/rssiReadings``.
    public var rssiReadings: HalcyonPublisher<Int> { stream(peripheral.rssiReadings) }
    /// See ``Peripheral/serviceChanges``.
    public var serviceChanges: HalcyonPublisher<ServiceChange> { stream(peripheral.serviceChanges) }

    /// See ``Peripheral/values(of:buffering:onReconnect:timeout:)``.
    public func values<Value: ByteReadable>(
      of characteristic: Characteristic<Value>,
      buffering: Buffering = .unbounded,
      onReconnect: OnReconnect = .resubscribe,
      timeout: Timeout = .default
    ) -> HalcyonPublisher<Value> {
      stream(
        peripheral.values(of: characteristic, buffering: buffering, onReconnect: onReconnect, timeout: timeout)
      )
    }

    /// See ``Peripheral/results(of:buffering:onReconnect:timeout:)``.
    public func results<Value: ByteReadable>(
      of characteristic: Characteristic<Value>,
      buffering: Buffering = .unbounded,
      onReconnect: OnReconnect = .resubscribe,
      timeout: Timeout = .default
    ) -> HalcyonPublisher<Result<Value, BluetoothError>> {
      stream(
        peripheral.results(of: characteristic, buffering: buffering, onReconnect: onReconnect, timeout: timeout)
      )
    }

    /// A listen that was made with ``Peripheral/shared(of:buffering:onReconnect:timeout:)``, for one more reader.
    public func shared<Value: ByteReadable>(_ values: SharedValues<Value>) -> HalcyonPublisher<Value> { stream(values) }

    /// See ``Peripheral/notifications(buffering:)``.
    public func notifications(buffering: Buffering = .unbounded) -> HalcyonPublisher<ReceivedValue> {
      stream(peripheral.notifications(buffering: buffering))
    }

    /// See ``Peripheral/receivedValues(buffering:)``.
    public func receivedValues(buffering: Buffering = .unbounded) -> HalcyonPublisher<ReceivedValue> {
      stream(peripheral.receivedValues(buffering: buffering))
    }

    /// See ``Peripheral/send(_:to:type:partLength:timeout:)``. Each part waits for demand.
    public func send<Value>(
      _ bytes: some Sequence<UInt8>,
      to characteristic: Characteristic<Value>,
      type: WriteType = .automatic,
      partLength: Int? = nil,
      timeout: Timeout = .default
    ) -> HalcyonPublisher<Transfer.Progress> {
      stream(peripheral.send(bytes, to: characteristic, type: type, partLength: partLength, timeout: timeout))
    }

    /// See ``Peripheral/services(_:timeout:)``.
    public func services(
      _ only: [ServiceID]? = nil,
      timeout: Timeout = .default
    ) -> HalcyonPublisher<[Peripheral.Service]> {
      peripheral.publisher { try await $0.services(only, timeout: timeout) }
    }

    /// See ``Peripheral/characteristic(_:timeout:)``.
    public func characteristic<Value>(
      _ name: Characteristic<Value>,
      timeout: Timeout = .default
    ) -> HalcyonPublisher<Characteristic<Value>> {
      peripheral.publisher { try await $0.characteristic(name, timeout: timeout) }
    }

    /// See ``Peripheral/read(_:timeout:)``.
    public func read<Value: ByteReadable>(
      _ characteristic: Characteristic<Value>,
      timeout: Timeout = .default
    ) -> HalcyonPublisher<Value> {
      peripheral.publisher { try await $0.read(characteristic, timeout: timeout) }
    }

    /// See ``Peripheral/readAll(in:timeout:)``.
    public func readAll(
      in service: ServiceID? = nil,
      timeout: Timeout = .default
    ) -> HalcyonPublisher<[CharacteristicReading]> {
      peripheral.publisher { try await $0.readAll(in: service, timeout: timeout) }
    }

    /// See ``Peripheral/write(_:to:type:timeout:)``.
    public func write<Value: ByteWritable>(
      _ value: Value,
      to characteristic: Characteristic<Value>,
      type: WriteType = .automatic,
      timeout: Timeout = .default
    ) -> HalcyonPublisher<Peripheral> {
      peripheral.publisher { try await $0.write(value, to: characteristic, type: type, timeout: timeout) }
    }

    /// Reads the value of a descriptor.
    public func read<Value: ByteReadable>(
      _ descriptor: Descriptor<Value>,
      timeout: Timeout = .default
    ) -> HalcyonPublisher<Value> {
      peripheral.publisher { try await $0.read(descriptor, timeout: timeout) }
    }

    /// Writes the value of a descriptor.
    public func write<Own, Value: ByteWritable>(
      _ value: Value,
      to descriptor: Descriptor<Own>,
      timeout: Timeout = .default
    ) -> HalcyonPublisher<Peripheral> {
      peripheral.publisher { try await $0.write(value, to: descriptor, timeout: timeout) }
    }

    /// See ``Peripheral/setNotifying(_:for:timeout:)``.
    public func setNotifying<Value>(
      _ isOn: Bool,
      for characteristic: Characteristic<Value>,
      timeout: Timeout = .default
    ) -> HalcyonPublisher<Peripheral> {
      peripheral.publisher { try await $0.setNotifying(isOn, for: characteristic, timeout: timeout) }
    }

    /// See ``Peripheral/request(_:on:answer:type:timeout:where:)``.
    public func request<Command: ByteWritable, Answer: ByteReadable>(
      _ command: Command,
      on characteristic: Characteristic<Command>,
      answer: Characteristic<Answer>,
      type: WriteType = .automatic,
      timeout: Timeout = .default,
      where isAnswer: @escaping @Sendable (Answer) -> Bool = { _ in true }
    ) -> HalcyonPublisher<Answer> {
      peripheral.publisher {
        try await $0.request(
          command,
          on: characteristic,
          answer: answer,
          type: type,
          timeout: timeout,
          where: isAnswer
        )
      }
    }

    /// See ``Peripheral/readRSSI(timeout:)``.
    public func readRSSI(timeout: Timeout = .default) -> HalcyonPublisher<Int> {
      peripheral.publisher { try await $0.readRSSI(timeout: timeout) }
    }

    /// See ``Peripheral/openChannel(psm:options:timeout:)``.
    public func openChannel(
      psm: L2CAPPSM,
      options: L2CAPChannel.Options = L2CAPChannel.Options(),
      timeout: Timeout = .default
    ) -> HalcyonPublisher<L2CAPChannel> {
      peripheral.publisher { try await $0.openChannel(psm: psm, options: options, timeout: timeout) }
    }

    /// See ``Peripheral/disconnect(timeout:)``.
    public func disconnect(timeout: Timeout = .never) -> HalcyonPublisher<Void> {
      peripheral.publisher { try await $0.disconnect(timeout: timeout) }
    }
  }

  extension L2CAPChannel {
    /// The messages that come on the channel.
    public func messages(on central: Central) -> HalcyonPublisher<[UInt8]> { publisher(on: central) }
  }

  extension PeripheralServer {
    /// Any call as a publisher of its one value: `server.publisher { try await $0.start() }`.
    public func publisher<Value: Sendable>(
      of operation: @escaping @Sendable (PeripheralServer) async throws -> Value
    ) -> HalcyonPublisher<Value> {
      HalcyonPublisher(on: executor) { try await operation(self) }
    }

    /// Any of the server's streams as a publisher: `server.publisher(for: \.centrals)`.
    public func publisher<Stream: AsyncSequence & Sendable>(
      for stream: KeyPath<PeripheralServer, Stream>
    ) -> HalcyonPublisher<Stream.Element> where Stream.Element: Sendable {
      HalcyonPublisher(self[keyPath: stream], on: executor)
    }
  }
#endif
