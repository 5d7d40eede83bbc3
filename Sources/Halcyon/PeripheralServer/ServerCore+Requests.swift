import BluetoothTypes
import RadioPort

// Requests of centrals and the handlers that answer them.

extension ServerCore {
  /// How many requests of one central to one characteristic may wait for their handler.
  static let lineLimit = 256

  /// Requests in one line are handled one after the other.
  struct Line: Hashable {
    let link: LinkID
    let attribute: AttributeHandle
  }

  /// A request on its way through its handler.
  struct Job {
    let line: Line
    let name: CharacteristicName
    let wantsResponse: Bool
    let work: @Sendable () async throws -> [UInt8]
    var task: Task<Void, Never>?
    var timer: RadioTimer?
  }

  func read(_ request: ReadRequest) {
    guard let characteristic = characteristics[request.attribute], let handler = characteristic.read else {
      return access.respond(to: request.id, with: .failure(.readNotPermitted))
    }
    let told = CentralRequest(central: ConnectedCentral(link: request.central), offset: request.offset)
    enqueue(request.id, request.central, request.attribute, characteristic.name, wantsResponse: true) {
      let value = try await handler(told)
      guard told.offset <= value.count else { throw ATTErrorCode.invalidOffset }
      return Array(value.dropFirst(told.offset))
    }
  }

  func write(_ request: WriteRequest) {
    var steps: [@Sendable () async throws -> Void] = []
    for part in request.parts {
      guard let handler = characteristics[part.attribute]?.write else {
        return access.respond(to: request.id, with: .failure(.writeNotPermitted))
      }
      let told = CentralRequest(central: ConnectedCentral(link: request.central), offset: part.offset)
      do throws(ATTErrorCode) { steps.append(try handler(part.value, told)) } catch {
        return access.respond(to: request.id, with: .failure(error))
      }
    }
    guard let first = request.parts.first, let name = characteristics[first.attribute]?.name else {
      return access.respond(to: request.id, with: .failure(.unlikelyError))
    }
    enqueue(request.id, request.central, first.attribute, name, wantsResponse: request.wantsResponse) { [steps] in
      for step in steps { try await step() }
      return []
    }
  }

  private func enqueue(
    _ id: ServerRequestID,
    _ link: LinkID,
    _ attribute: AttributeHandle,
    _ name: CharacteristicName,
    wantsResponse: Bool,
    _ work: @escaping @Sendable () async throws -> [UInt8]
  ) {
    let line = Line(link: link, attribute: attribute)
    guard lines[line, default: []].count < Self.lineLimit else {
      log(
        .warning,
        .server,
        "too many requests of \(link.peer) for \(name.uuid) wait for their handler; one is refused",
        "\(link.peer) 对 \(name.uuid) 的请求过多，处理不及，已拒绝一个"
      )
      if !wantsResponse { events.send(.writeDropped(ConnectedCentral(link: link), Characteristic(name))) }
      return access.respond(to: id, with: .failure(.insufficientResources))
    }
    jobs[id] = Job(line: line, name: name, wantsResponse: wantsResponse, work: work)
    lines[line, default: []].append(id)
    // Who waits for an answer does not care what it waits behind; a write without response has the time for itself.
    if wantsResponse { limitTime(of: id) }
    if lines[line]?.first == id { run(id) }
  }

  private func limitTime(of id: ServerRequestID) {
    let deadline = executor.now.advanced(by: configuration.timeouts.handler)
    jobs[id]?.timer = executor.schedule(at: deadline) { [weak self] in
      self?.assumeIsolated { $0.handlerTimedOut(id) }
    }
  }

  private func run(_ id: ServerRequestID) {
    guard let job = jobs[id] else { return }
    if job.timer == nil { limitTime(of: id) }
    let work = job.work
    jobs[id]?.task = Self.launch(on: executor) { [weak self] in
      let result: Result<[UInt8], any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      await self?.finished(id, result)
    }
  }

  /// A task that stays on the executor and belongs to no actor, so that a handler does not hold the server.
  nonisolated static func launch(
    on executor: any RadioExecutor,
    _ work: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: executor) { await work() }
  }

  private func finished(_ id: ServerRequestID, _ result: Result<[UInt8], any Error>) {
    guard let job = remove(id) else { return }
    access.respond(
      to: id,
      with: result.mapError { error in
        if let code = error as? ATTErrorCode { return code }
        if let code = (error as? BluetoothError)?.attCode { return code }
        log(
          .warning,
          .server,
          "the handler of \(job.name.uuid) has failed: \(error)",
          "\(job.name.uuid) 的处理程序失败：\(error)"
        )
        events.send(.handlerFailed(ConnectedCentral(link: job.line.link), Characteristic(job.name), error))
        return .unlikelyError
      }
    )
  }

  private func handlerTimedOut(_ id: ServerRequestID) {
    guard let job = remove(id) else { return }
    job.task?.cancel()
    let limit = configuration.timeouts.handler
    let failure = error(.timedOut, .serve, on: job.line.link, of: job.name, detail: .time(limit))
    log(.warning, .server, failure.message(in: .english), failure.message(in: .simplifiedChinese))
    events.send(.handlerFailed(ConnectedCentral(link: job.line.link), Characteristic(job.name), failure))
    access.respond(to: id, with: .failure(.unlikelyError))
  }

  /// Takes a request out of its line, where the next one then goes on.
  private func remove(_ id: ServerRequestID) -> Job? {
    guard let job = jobs.removeValue(forKey: id) else { return nil }
    if let timer = job.timer { executor.cancel(timer) }
    let wasFirst = lines[job.line]?.first == id
    lines[job.line]?.removeAll { $0 == id }
    if let next = lines[job.line]?.first {
      if wasFirst { run(next) }
    } else {
      lines[job.line] = nil
    }
    return job
  }

  /// Nobody waits for the answer any more.
  func requestEnded(_ id: ServerRequestID) { remove(id)?.task?.cancel() }

  /// The central has left, so nobody waits for answers. Writes without response were complete when they came: they are
  /// carried out all the same.
  func endRequests(of link: LinkID) {
    let requests = jobs.filter { $0.value.line.link == link && $0.value.wantsResponse }
    // From behind, so that none begins that is about to end.
    for id in requests.keys.sorted(by: { $0.rawValue > $1.rawValue }) { requestEnded(id) }
  }

  func endAllJobs() {
    lines = [:]
    for id in jobs.keys.sorted(by: { $0.rawValue < $1.rawValue }) { requestEnded(id) }
  }
}
