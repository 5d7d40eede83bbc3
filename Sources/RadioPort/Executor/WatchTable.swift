import BluetoothTypes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// The file descriptors that a loop watches.
struct WatchTable: Sendable {
  /// One descriptor and who wants to know.
  struct Watch: Sendable {
    var interest: FileDescriptorEvents
    let handler: @Sendable (FileDescriptorEvents) -> Void
    /// Tells this watch from a later one of a descriptor with the same number.
    let generation: UInt64
  }

  private var watches: [Int32: Watch] = [:]
  private var lastGeneration: UInt64 = 0
  /// Grows with every change, so that the loop knows when its list for `poll` is old.
  private(set) var version: UInt64 = 0

  var isEmpty: Bool { watches.isEmpty }

  mutating func insert(
    _ descriptor: Int32,
    _ interest: FileDescriptorEvents,
    _ handler: @escaping @Sendable (FileDescriptorEvents) -> Void
  ) -> Watch? {
    lastGeneration &+= 1
    version &+= 1
    let watch = Watch(interest: interest, handler: handler, generation: lastGeneration)
    return watches.updateValue(watch, forKey: descriptor)
  }

  mutating func setInterest(of descriptor: Int32, to interest: FileDescriptorEvents) {
    guard watches[descriptor]?.interest != interest else { return }
    watches[descriptor]?.interest = interest
    version &+= 1
  }

  /// Takes a watch out; it is returned so that its handler goes after the caller's lock.
  mutating func remove(_ descriptor: Int32) -> Watch? {
    version &+= 1
    return watches.removeValue(forKey: descriptor)
  }

  /// Takes all out.
  mutating func removeAll() -> [Watch] {
    version &+= 1
    defer { watches = [:] }
    return Array(watches.values)
  }

  /// The handler, if the watch is still the one that was polled.
  func handler(of descriptor: Int32, generation: UInt64) -> (@Sendable (FileDescriptorEvents) -> Void)? {
    guard let watch = watches[descriptor], watch.generation == generation else { return nil }
    return watch.handler
  }

  /// The list for `poll`, with the generation of each entry.
  var polled: [(entry: pollfd, generation: UInt64)] {
    watches.map { descriptor, watch in
      var events: Int16 = 0
      if watch.interest.contains(.readable) { events |= Int16(POLLIN) }
      if watch.interest.contains(.writable) { events |= Int16(POLLOUT) }
      return (pollfd(fd: descriptor, events: events, revents: 0), watch.generation)
    }
  }
}

extension FileDescriptorEvents {
  /// What `poll` says, where a failure is readiness for everything.
  init(polled events: Int16) {
    var result: FileDescriptorEvents = []
    if events & Int16(POLLIN) != 0 { result.insert(.readable) }
    if events & Int16(POLLOUT) != 0 { result.insert(.writable) }
    if events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { result = [.readable, .writable] }
    self = result
  }
}
