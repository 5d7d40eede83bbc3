import CoreFoundation
import Dispatch
import Foundation
import RadioPort

/// Takes the events of one stream to its delegate, on a run loop that the stream is scheduled in.
///
/// In a simulated world, where nobody runs a run loop, the delegate is called from the world's loop as that of a manager
/// is, once the stream is scheduled anywhere.
// @unchecked: the state is behind a lock, and the stream and its delegate are handed over as the app does it, which
// schedules them where it wants them to be used.
final class StreamEvents: @unchecked Sendable {
  private struct State {
    weak var stream: Stream?
    weak var delegate: (any StreamDelegate)?
    /// What is to be told, in order; each once.
    var pending: [Stream.Event] = []
    var places: [RunLoopPlace] = []
    var isClosed = false
  }

  private let delivery: Delivery
  private let guarded = Guarded(State())

  init(_ delivery: Delivery) { self.delivery = delivery }

  func setStream(_ stream: Stream) { guarded.withLock { $0.stream = stream } }

  var delegate: (any StreamDelegate)? {
    get { guarded.withLock { $0.delegate } }
    set {
      guarded.withLock { $0.delegate = newValue }
      ring()
    }
  }

  func post(_ event: Stream.Event) {
    guarded.withLock { state in
      if !state.isClosed, !state.pending.contains(event) { state.pending.append(event) }
    }
    ring()
  }

  func schedule(in loop: RunLoop, mode: RunLoop.Mode) {
    let isNew = guarded.withLock { state in
      !state.isClosed && !state.places.contains { $0.isAt(loop, mode) }
    }
    guard isNew else { return }
    // In a simulated world nobody runs it.
    let place = RunLoopPlace(loop, mode, isUsed: !delivery.executor.runsAppCode) { [weak self] in self?.tell() }
    guarded.withLock { $0.places.append(place) }
    ring()
  }

  func remove(from loop: RunLoop, mode: RunLoop.Mode) {
    let gone = guarded.withLock { state in
      let gone = state.places.filter { $0.isAt(loop, mode) }
      state.places.removeAll { $0.isAt(loop, mode) }
      return gone
    }
    for place in gone { place.invalidate() }
  }

  /// Nothing is told any more.
  func close() {
    let gone = guarded.withLock { state in
      state.isClosed = true
      state.pending = []
      defer { state.places = [] }
      return state.places
    }
    for place in gone { place.invalidate() }
  }

  /// Has what is pending told soon.
  private func ring() {
    let places = guarded.withLock { $0.pending.isEmpty || $0.delegate == nil ? [] : $0.places }
    guard !places.isEmpty else { return }
    guard delivery.executor.runsAppCode else { return places.forEach { $0.signal() } }
    let delivery = delivery
    delivery.executor.submit { delivery.deliver { [weak self] in self?.tell() } }
  }

  /// Calls the delegate, where the app wants it.
  private func tell() {
    while true {
      let (event, stream, delegate) = guarded.withLock { state -> (Stream.Event?, Stream?, (any StreamDelegate)?) in
        guard let stream = state.stream, let delegate = state.delegate, !state.pending.isEmpty else {
          return (nil, nil, nil)
        }
        return (state.pending.removeFirst(), stream, delegate)
      }
      guard let event, let stream, let delegate else { return }
      delegate.stream(stream, handle: event)
    }
  }
}

/// One run loop and mode that a stream is scheduled in.
// @unchecked: nothing of it changes but the loop's name in Core Foundation, which is behind a lock; run loops and sources
// of Core Foundation may be told from any thread.
final class RunLoopPlace: @unchecked Sendable {
  private let loop: RunLoop
  private let mode: RunLoop.Mode
  private let isMain: Bool
  private let work: @Sendable () -> Void
  private let source = Guarded<CFRunLoopSource?>(nil)
  private let foundation = Guarded<CFRunLoop?>(nil)

  init(_ loop: RunLoop, _ mode: RunLoop.Mode, isUsed: Bool, _ work: @escaping @Sendable () -> Void) {
    self.loop = loop
    self.mode = mode
    self.work = work
    // Under `dispatchMain()` and an asynchronous `main` nobody runs the main run loop, but its queue is served.
    isMain = loop === RunLoop.main || (loop === RunLoop.current && MainQueue.isCurrent)
    guard isUsed else { return }
    makeSource()
    if loop === RunLoop.current {
      install(CFRunLoopGetCurrent())
    } else if loop === RunLoop.main {
      install(CFRunLoopGetMain())
    } else {
      // That of another thread is to be had only there.
      let timer = Timer(timeInterval: 0, repeats: false) { [weak self] _ in self?.install(CFRunLoopGetCurrent()) }
      loop.add(timer, forMode: mode)
    }
  }

  deinit { invalidate() }

  func isAt(_ loop: RunLoop, _ mode: RunLoop.Mode) -> Bool { self.loop === loop && self.mode == mode }

  private func makeSource() {
    let place = WeakPlace(self)
    var context = CFRunLoopSourceContext()
    context.info = Unmanaged.passUnretained(place).toOpaque()
    context.retain = { info in
      guard let info else { return nil }
      return UnsafeRawPointer(Unmanaged<WeakPlace>.fromOpaque(info).retain().toOpaque())
    }
    context.release = { info in if let info { Unmanaged<WeakPlace>.fromOpaque(info).release() } }
    context.perform = { info in
      if let info { Unmanaged<WeakPlace>.fromOpaque(info).takeUnretainedValue().place?.work() }
    }
    let made = withExtendedLifetime(place) { CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context) }
    source.withLock { $0 = made }
  }

  private func install(_ loop: CFRunLoop?) {
    guard let loop, let source = source.withLock({ $0 }) else { return }
    CFRunLoopAddSource(loop, source, mode.foundation)
    foundation.withLock { $0 = loop }
    // What was told meanwhile.
    signal()
  }

  func signal() {
    guard let source = source.withLock({ $0 }) else { return }
    CFRunLoopSourceSignal(source)
    if let loop = foundation.withLock({ $0 }) { CFRunLoopWakeUp(loop) }
    if isMain { DispatchQueue.main.async(execute: work) }
  }

  func invalidate() {
    let source = source.withLock { source in
      defer { source = nil }
      return source
    }
    if let source { CFRunLoopSourceInvalidate(source) }
  }
}

/// What a source of Core Foundation keeps.
private final class WeakPlace {
  weak var place: RunLoopPlace?

  init(_ place: RunLoopPlace) { self.place = place }
}

extension RunLoop.Mode {
  fileprivate var foundation: CFString? {
    switch self {
    case .default: kCFRunLoopDefaultMode
    case .common: kCFRunLoopCommonModes
    default: CFStringCreateWithCString(kCFAllocatorDefault, rawValue, CFStringBuiltInEncodings.UTF8.rawValue)
    }
  }
}

/// Whether code runs on the main queue, on whatever thread that is.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
