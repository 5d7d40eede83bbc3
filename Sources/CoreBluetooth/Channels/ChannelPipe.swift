import Foundation
import RadioPort

/// What lies between the streams of a channel, which any thread may use, and the session on the radio's executor: the
/// bytes that have come and are not read yet, and those that are written and not sent yet.
// @unchecked: the state is touched only with the lock of the condition held.
final class ChannelPipe: @unchecked Sendable {
  /// Why a channel is over.
  enum Ending: Sendable {
    /// The peer has closed it.
    case byPeer
    /// This program has closed it or let it go.
    case here
    case failed(RadioFailure)

    fileprivate var event: Stream.Event { if case .failed = self { .errorOccurred } else { .endEncountered } }
  }

  /// What the session is to do.
  enum Wish: Sendable {
    case receive, send, close
  }

  private struct Face {
    var isOpen = false
    var isClosed = false
    /// Why nothing will come or go any more, once that was told.
    var ending: Ending?
    /// Whether the delegate is to be told when it can go on: it was told and has done something since.
    var mayTell = true

    var isUsable: Bool { isOpen && !isClosed }

    var status: Stream.Status {
      if isClosed { return .closed }
      guard isOpen else { return .notOpen }
      return switch ending {
      case nil: .open
      case .failed: .error
      case .byPeer, .here: .atEnd
      }
    }
  }

  private struct State {
    var input = Face()
    var output = Face()
    /// SDUs that have come, and where the unread part of the first begins.
    var received: [[UInt8]] = []
    var start = 0
    var receivedCount = 0
    /// Whether the session has stopped to receive for want of room.
    var isStopped = false
    /// Parts that are to be sent as SDUs.
    var toSend: [[UInt8]] = []
    var toSendCount = 0
    /// Whether the session knows that there is something to send.
    var isSending = false
    var sendLimit = 23
    /// Nothing comes any more, beside what is here.
    var receiveEnding: Ending?

    var hasSpace: Bool { toSendCount < ChannelPipe.room }
  }

  /// How many bytes may wait in each direction before more are refused.
  static let room = 8192

  let inputEvents: StreamEvents
  let outputEvents: StreamEvents
  private let executor: any RadioExecutor
  private let ask: @Sendable (Wish) -> Void
  private let condition = NSCondition()
  private var state = State()

  /// - Parameter ask: Called from any thread.
  init(_ delivery: Delivery, ask: @escaping @Sendable (Wish) -> Void) {
    executor = delivery.executor
    inputEvents = StreamEvents(delivery)
    outputEvents = StreamEvents(delivery)
    self.ask = ask
  }

  private func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body(&state)
  }

  // MARK: What the session does, on the radio's executor

  func opened(sendLimit: Int) { withLock { $0.sendLimit = max(1, sendLimit) } }

  /// Whether there is room for another SDU. If not, `.receive` will be asked for.
  var takesMore: Bool {
    withLock { state in
      let hasRoom = state.input.isUsable && state.receivedCount < Self.room
      state.isStopped = !hasRoom
      return hasRoom
    }
  }

  func received(_ sdu: [UInt8]) {
    guard !sdu.isEmpty else { return }
    let event: Stream.Event? = withLock { state in
      state.received.append(sdu)
      state.receivedCount += sdu.count
      condition.broadcast()
      guard state.input.isUsable, state.input.mayTell else { return nil }
      state.input.mayTell = false
      return .hasBytesAvailable
    }
    if let event { inputEvents.post(event) }
  }

  /// The next part that is to be sent; if there is none, `.send` will be asked for.
  var nextToSend: [UInt8]? {
    withLock { state in
      state.isSending = !state.toSend.isEmpty
      return state.toSend.first
    }
  }

  /// The next part is on its way.
  func sent() {
    let event: Stream.Event? = withLock { state in
      guard !state.toSend.isEmpty else { return nil }
      state.toSendCount -= state.toSend.removeFirst().count
      condition.broadcast()
      guard state.output.isUsable, state.output.mayTell, state.hasSpace, state.output.ending == nil else { return nil }
      state.output.mayTell = false
      return .hasSpaceAvailable
    }
    if let event { outputEvents.post(event) }
  }

  /// Nothing can be sent any more.
  func sendingEnded(_ ending: Ending) {
    let event: Stream.Event? = withLock { state in
      guard state.output.ending == nil else { return nil }
      state.output.ending = ending
      state.toSend = []
      state.toSendCount = 0
      condition.broadcast()
      return state.output.isUsable ? ending.event : nil
    }
    if let event { outputEvents.post(event) }
  }

  /// Nothing comes any more, beside what is here.
  func receivingEnded(_ ending: Ending) {
    let event: Stream.Event? = withLock { state in
      guard state.receiveEnding == nil else { return nil }
      state.receiveEnding = ending
      condition.broadcast()
      return Self.inputEnded(&state)
    }
    if let event { inputEvents.post(event) }
  }

  /// Notes the end of the input once all is read, to be told once.
  private static func inputEnded(_ state: inout State) -> Stream.Event? {
    guard state.receivedCount == 0, let ending = state.receiveEnding, state.input.ending == nil, state.input.isUsable
    else { return nil }
    state.input.ending = ending
    return ending.event
  }

  // MARK: What the input stream does

  var inputStatus: Stream.Status { withLock { $0.input.status } }
  var inputFailure: RadioFailure? { withLock { Self.failure($0.input) } }
  var hasBytes: Bool { withLock { $0.input.isUsable && $0.receivedCount > 0 } }

  private static func failure(_ face: Face) -> RadioFailure? {
    if case .failed(let failure)? = face.ending { failure } else { nil }
  }

  func openInput() {
    let (events, isFirst) = withLock { state -> ([Stream.Event], Bool) in
      guard !state.input.isOpen, !state.input.isClosed else { return ([], false) }
      state.input.isOpen = true
      var events: [Stream.Event] = [.openCompleted]
      if state.receivedCount > 0 {
        state.input.mayTell = false
        events.append(.hasBytesAvailable)
      } else if let end = Self.inputEnded(&state) {
        events.append(end)
      }
      return (events, true)
    }
    for event in events { inputEvents.post(event) }
    if isFirst { ask(.receive) }
  }

  func closeInput() {
    let isOver = withLock { state in
      state.input.isClosed = true
      state.received = []
      (state.start, state.receivedCount) = (0, 0)
      condition.broadcast()
      return state.output.isClosed
    }
    inputEvents.close()
    if isOver { ask(.close) }
  }

  /// Takes what is there, and waits if that is nothing; 0 at the end, -1 if the stream is not open or has failed.
  func read(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard !buffer.isEmpty else { return 0 }
    condition.lock()
    while state.input.isUsable, state.receivedCount == 0, state.receiveEnding == nil {
      guard mayWait("read") else { return -1 }
      condition.wait()
    }
    guard state.input.isUsable else {
      condition.unlock()
      return -1
    }
    var events: [Stream.Event] = []
    let count = take(buffer)
    state.input.mayTell = true
    if state.receivedCount > 0 {
      state.input.mayTell = false
      events.append(.hasBytesAvailable)
    } else if let end = Self.inputEnded(&state) {
      events.append(end)
    }
    let wantsMore = state.isStopped && state.receivedCount < Self.room
    if wantsMore { state.isStopped = false }
    let hasFailed = Self.failure(state.input) != nil
    condition.unlock()
    for event in events { inputEvents.post(event) }
    if wantsMore { ask(.receive) }
    return count == 0 && hasFailed ? -1 : count
  }

  private func take(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    while count < buffer.count, let first = state.received.first {
      let part = first[state.start...].prefix(buffer.count - count)
      _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: part)
      count += part.count
      state.start += part.count
      if state.start == first.count {
        state.received.removeFirst()
        state.start = 0
      }
    }
    state.receivedCount -= count
    return count
  }

  /// Whether a caller can wait here: not where the radio has to run meanwhile. Called with the lock held; without it if
  /// the answer is no.
  private func mayWait(_ what: String) -> Bool {
    guard executor.isCurrent else { return true }
    condition.unlock()
    Misuse.log("A \(what) that has to wait would stop the radio, on whose thread it was called: wait for the event")
    return false
  }

  // MARK: What the output stream does

  var outputStatus: Stream.Status { withLock { $0.output.status } }
  var outputFailure: RadioFailure? { withLock { Self.failure($0.output) } }
  var hasSpace: Bool { withLock { $0.output.isUsable && $0.hasSpace && $0.output.ending == nil } }

  func openOutput() {
    let events: [Stream.Event] = withLock { state in
      guard !state.output.isOpen, !state.output.isClosed else { return [] }
      state.output.isOpen = true
      if let ending = state.output.ending { return [.openCompleted, ending.event] }
      state.output.mayTell = false
      return [.openCompleted, .hasSpaceAvailable]
    }
    for event in events { outputEvents.post(event) }
  }

  func closeOutput() {
    let isOver = withLock { state in
      state.output.isClosed = true
      condition.broadcast()
      return state.input.isClosed
    }
    outputEvents.close()
    if isOver { ask(.close) }
  }

  /// Takes as much as there is room for, and waits if that is nothing; -1 if the stream is not open or over.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    condition.lock()
    while state.output.isUsable, state.output.ending == nil, !state.hasSpace {
      guard mayWait("write") else { return -1 }
      condition.wait()
    }
    guard state.output.isUsable, state.output.ending == nil else {
      condition.unlock()
      return -1
    }
    var count = 0
    while count < bytes.count, state.hasSpace {
      let part = Array(bytes[count...].prefix(state.sendLimit))
      state.toSend.append(part)
      state.toSendCount += part.count
      count += part.count
    }
    let isNew = count > 0 && !state.isSending
    if isNew { state.isSending = true }
    let hasSpace = state.hasSpace
    state.output.mayTell = !hasSpace
    condition.unlock()
    if hasSpace { outputEvents.post(.hasSpaceAvailable) }
    if isNew { ask(.send) }
    return count
  }
}
