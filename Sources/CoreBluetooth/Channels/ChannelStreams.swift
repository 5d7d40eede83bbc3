import Foundation

/// What comes on an L2CAP channel.
final class ChannelInputStream: InputStream {
  private let pipe: ChannelPipe

  init(_ pipe: ChannelPipe) {
    self.pipe = pipe
    super.init(data: Data())
    pipe.inputEvents.setStream(self)
  }

  override var delegate: (any StreamDelegate)? {
    get { pipe.inputEvents.delegate }
    set { pipe.inputEvents.delegate = newValue }
  }

  override func open() { pipe.openInput() }

  override func close() { pipe.closeInput() }

  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    pipe.inputEvents.schedule(in: aRunLoop, mode: mode)
  }

  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    pipe.inputEvents.remove(from: aRunLoop, mode: mode)
  }

  override var streamStatus: Stream.Status { pipe.inputStatus }

  override var streamError: (any Error)? { pipe.inputFailure?.error }

  override var hasBytesAvailable: Bool { pipe.hasBytes }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    pipe.read(UnsafeMutableBufferPointer(start: buffer, count: max(0, len)))
  }

  override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    length len: UnsafeMutablePointer<Int>
  ) -> Bool { false }

  override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }

  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
}

/// What goes on an L2CAP channel.
final class ChannelOutputStream: OutputStream {
  private let pipe: ChannelPipe?

  init(_ pipe: ChannelPipe) {
    self.pipe = pipe
    super.init(toMemory: ())
    pipe.outputEvents.setStream(self)
  }

  /// Of the base class; a stream without a channel, which can not be opened.
  required init(toMemory: ()) {
    pipe = nil
    super.init(toMemory: ())
  }

  override var delegate: (any StreamDelegate)? {
    get { pipe?.outputEvents.delegate }
    set { pipe?.outputEvents.delegate = newValue }
  }

  override func open() { pipe?.openOutput() }

  override func close() { pipe?.closeOutput() }

  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    pipe?.outputEvents.schedule(in: aRunLoop, mode: mode)
  }

  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    pipe?.outputEvents.remove(from: aRunLoop, mode: mode)
  }

  override var streamStatus: Stream.Status { pipe?.outputStatus ?? .notOpen }

  override var streamError: (any Error)? { pipe?.outputFailure?.error }

  override var hasSpaceAvailable: Bool { pipe?.hasSpace ?? false }

  override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
    pipe?.write(UnsafeBufferPointer(start: buffer, count: max(0, len))) ?? -1
  }

  override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }

  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
}
