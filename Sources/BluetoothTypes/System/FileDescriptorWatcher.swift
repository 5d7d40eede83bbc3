/// Tells when file descriptors can be read or written: what a transport needs of the loop that a live radio runs on.
///
/// All handlers are called on the watcher's own thread, and its methods except the two `submit` are called there too.
package protocol FileDescriptorWatcher: AnyObject, Sendable {
  /// Calls `handler` whenever `descriptor` is ready for something of `interest`, or has failed, which shows as ready for
  /// everything: the next call on the descriptor then tells the error.
  /// A descriptor is watched once; a second call takes the place of the first.
  func watch(
    _ descriptor: Int32,
    for interest: FileDescriptorEvents,
    _ handler: @escaping @Sendable (FileDescriptorEvents) -> Void
  )

  /// Changes what the handler of `descriptor` is called for; does nothing for one that is not watched.
  func setInterest(of descriptor: Int32, to interest: FileDescriptorEvents)

  /// Ends the watch; the handler is not called any more. To be called before the descriptor is closed.
  func unwatch(_ descriptor: Int32)

  /// Runs `work` on the watcher's thread, after all that was submitted before. May be called from anywhere.
  func submit(_ work: @escaping @Sendable () -> Void)

  /// Runs `work` on the watcher's thread once `delay` has passed; never if the watcher ends before. May be called from
  /// anywhere.
  func submit(after delay: Duration, _ work: @escaping @Sendable () -> Void)
}

/// What a file descriptor is ready for.
package struct FileDescriptorEvents: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A read returns at once, with bytes, the end or an error.
  package static let readable = FileDescriptorEvents(rawValue: 1)
  /// A write returns at once.
  package static let writable = FileDescriptorEvents(rawValue: 2)
}
