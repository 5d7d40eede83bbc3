import BluetoothTypes
import CoreBluetooth
import RadioPort

/// A channel that is open, over the framework's two streams. It belongs to the radio and is used on its executor only.
///
/// A stream tells that it goes on by events, and its end only to who has read all before. So when the channel has ended,
/// what is still in the stream is read and kept here, and then the end is told.
final class FrameworkChannel {
  /// The longest piece that is given to the framework, or taken from it, at once. The framework cuts the stream into SDUs
  /// as it likes.
  static let pieceLimit = 2048
  /// After the end of the link, or of one of the streams, how long the rest of the streams may take to end.
  private static let patience = Duration.milliseconds(500)

  let id: ChannelID
  let info: ChannelInfo
  private let executor: any RadioExecutor
  /// Set before the channel begins.
  var events: @Sendable (ChannelEvent) -> Void = { _ in }
  /// The framework closes a channel that nobody keeps.
  private let channel: CBL2CAPChannel
  private let delegate: ChannelStreamEvents
  /// What is left of an SDU that the stream has taken a part of.
  private var unsent: ArraySlice<UInt8> = []
  /// Pieces that were read when the channel had ended.
  private var received: ArraySlice<[UInt8]> = []
  private var waitsForRoom = false
  private var waitsForBytes = true
  /// Why the channel ends, as the radio knows it.
  private var cause: RadioFailure?
  private var isEnding = false
  private(set) var hasEnded = false
  private var isClosed = false
  private var bound: RadioTimer?
  /// Who waits until all is sent, to close the channel then.
  private var finish: (@Sendable () -> Void)?

  init(
    _ id: ChannelID,
    _ info: ChannelInfo,
    _ channel: CBL2CAPChannel,
    _ delegate: ChannelStreamEvents,
    executor: any RadioExecutor
  ) {
    self.id = id
    self.info = info
    self.channel = channel
    self.delegate = delegate
    self.executor = executor
  }

  /// Begins to use the streams.
  func begin(on queue: DispatchQueue?) {
    guard !isClosed else { return }
    channel.inputStream?.delegate = delegate
    channel.outputStream?.delegate = delegate
    channel.schedule(on: queue)
    channel.inputStream?.open()
    channel.outputStream?.open()
  }

  private var hasSpace: Bool { channel.outputStream?.hasSpaceAvailable ?? false }
  private var hasBytes: Bool { channel.inputStream?.hasBytesAvailable ?? false }

  // MARK: What the owner does

  func send(_ sdu: [UInt8]) throws(RadioFailure) -> ChannelSendOutcome {
    guard !isEnding, finish == nil else { throw Self.gone }
    guard sdu.count <= Self.pieceLimit else {
      throw RadioFailure(.tooLong, reason: "\(counted(sdu.count, "byte")): an SDU has \(Self.pieceLimit) at most here")
    }
    guard unsent.isEmpty, hasSpace else {
      waitsForRoom = true
      return .full
    }
    unsent = sdu[...]
    flush()
    return .taken
  }

  static let gone = RadioFailure(.notConnected, reason: "the channel is not open: open another")

  func receive() -> [UInt8]? {
    guard finish == nil else { return nil }
    if let piece = received.popFirst() ?? (hasEnded ? nil : read()) { return piece }
    waitsForBytes = true
    return nil
  }

  /// - Parameter completion: Called when it is closed.
  func close(_ closing: ChannelClosing, _ completion: @escaping @Sendable () -> Void) {
    let earlier = finish
    finish = { [earlier] in
      earlier?()
      completion()
    }
    if closing == .now || isEnding || unsent.isEmpty { closeNow() }
  }

  private func closeNow() {
    guard !isClosed else { return }
    isClosed = true
    isEnding = true
    hasEnded = true
    if let bound { executor.cancel(bound) }
    bound = nil
    unsent = []
    received = []
    channel.closeStreams()
    finish?()
    finish = nil
  }

  // MARK: What the streams tell

  func happened(_ event: Stream.Event, isInput: Bool) {
    guard !isClosed else { return }
    switch event {
    case .hasSpaceAvailable: flush()
    case .hasBytesAvailable: if isEnding { drain() } else { tellBytes() }
    case .endEncountered, .errorOccurred:
      let error = isInput ? channel.inputStream?.streamError : channel.outputStream?.streamError
      if let error, cause == nil { cause = RadioFailure(error, otherwise: .disconnected, "the channel has ended") }
      beginEnding()
      if isInput { end() }
    default: break
    }
  }

  private func flush() {
    while !unsent.isEmpty, hasSpace {
      let count = unsent.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map { channel.outputStream?.write($0, maxLength: bytes.count) ?? -1 } ?? 0
      }
      // Its end comes as an event.
      guard count > 0 else { return }
      unsent = unsent.dropFirst(count)
    }
    guard unsent.isEmpty else { return }
    if finish != nil { return closeNow() }
    guard waitsForRoom, hasSpace, !isEnding else { return }
    waitsForRoom = false
    events(.readyToSend)
  }

  private func read() -> [UInt8]? {
    guard hasBytes, let stream = channel.inputStream else { return nil }
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceLimit) { bytes, count in
      count = bytes.baseAddress.map { max(0, stream.read($0, maxLength: bytes.count)) } ?? 0
    }
    return piece.isEmpty ? nil : piece
  }

  private func tellBytes() {
    guard waitsForBytes, finish == nil else { return }
    waitsForBytes = false
    events(.readyToReceive)
  }

  // MARK: The end

  /// The link has ended, or the radio is off. The streams end with it.
  func linkEnded(_ failure: RadioFailure) {
    guard !hasEnded else { return }
    cause = failure
    beginEnding()
  }

  /// Nothing can be sent any more; what has come is taken in until the input ends too, or nothing more is to be expected.
  private func beginEnding() {
    guard !isEnding else { return }
    isEnding = true
    unsent = []
    if finish != nil { return closeNow() }
    drain()
    let id = id
    let delegate = delegate
    bound = executor.schedule(at: executor.now.advanced(by: Self.patience)) { delegate.timeIsUp(id) }
  }

  private func drain() {
    while let piece = read() { received.append(piece) }
    if !received.isEmpty { tellBytes() }
  }

  /// Everything is here that has come.
  func end() {
    guard !hasEnded else { return }
    if let bound { executor.cancel(bound) }
    bound = nil
    drain()
    hasEnded = true
    events(.ended(cause))
  }
}

/// Takes the events of a channel's streams to the radio.
// @unchecked: the reference to the radio is set once.
final class ChannelStreamEvents: NSObject, StreamDelegate, @unchecked Sendable {
  private weak var radio: CoreBluetoothRadio?
  private let id: ChannelID

  init(_ radio: CoreBluetoothRadio, _ id: ChannelID) {
    self.radio = radio
    self.id = id
  }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    guard let radio else { return }
    let (id, isInput, event) = (id, aStream is InputStream, eventCode.rawValue)
    let tell: @Sendable () -> Void = {
      radio.assumeIsolated { $0.streamHappened(Stream.Event(rawValue: event), isInput: isInput, on: id) }
    }
    // Where streams have no queues they call on the main one.
    if radio.executor.isCurrent { tell() } else { radio.executor.submit(tell) }
  }

  func timeIsUp(_ id: ChannelID) { radio?.assumeIsolated { $0.channelEnded(id) } }
}

extension CBL2CAPChannel {
  /// Has the streams call on the queue. Where Foundation has streams without queues they call on the main run loop.
  fileprivate func schedule(on queue: DispatchQueue?) {
    #if canImport(Darwin)
      if let stream = inputStream { CFReadStreamSetDispatchQueue(stream as CFReadStream, queue ?? .main) }
      if let stream = outputStream { CFWriteStreamSetDispatchQueue(stream as CFWriteStream, queue ?? .main) }
    #else
      for stream in [inputStream, outputStream] as [Stream?] { stream?.schedule(in: .main, forMode: .common) }
    #endif
  }

  /// Closes it, whether it was used or not.
  func closeStreams() {
    for stream in [inputStream, outputStream] as [Stream?] {
      stream?.delegate = nil
      stream?.close()
    }
  }
}
