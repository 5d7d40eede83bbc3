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

/// The threads that simulated loops run on, and whose thread the current one is.
///
/// A loop has a thread of its own: on the cooperative pool it would starve what escapes from it, and a blocked pool
/// would stop all worlds.
enum LoopThread {
  /// Holds an unretained pointer to the loop, which outlives its time on the thread.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// The loop that runs on the current thread.
  static var current: SimulatedLoop? {
    guard let key, let pointer = pthread_getspecific(key) else { return nil }
    return Unmanaged<SimulatedLoop>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Whether `loop` runs on the current thread.
  static func isCurrent(_ loop: SimulatedLoop) -> Bool {
    guard let key, let pointer = pthread_getspecific(key) else { return false }
    return UnsafeRawPointer(pointer) == UnsafeRawPointer(Unmanaged.passUnretained(loop).toOpaque())
  }

  /// Runs `body` as a part of `loop`; the caller sees to it that nothing else does at the same time.
  static func enter(_ loop: SimulatedLoop, _ body: () -> Void) {
    guard let key else { return body() }
    let before = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(loop).toOpaque())
    body()
    pthread_setspecific(key, before)
    // What `body` leaves behind must not go before the thread has left the loop.
    withExtendedLifetime(loop) {}
  }

  /// Starts a thread that runs `body` and ends; `false` if the system has none left.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard key != nil else { return false }
    return SystemThread.start(name: "halcyon-world", body)
  }

  /// The name of the current thread, for messages.
  static var name: String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      buffer.initialize(repeating: 0)
      #if canImport(Darwin)
        pthread_getname_np(pthread_self(), buffer.baseAddress, buffer.count - 1)
      #else
        let file = open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "unnamed" }
        _ = read(file, buffer.baseAddress, buffer.count - 1)
        close(file)
      #endif
      let name = String(decoding: buffer.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      return name.isEmpty ? "unnamed" : name
    }
  }

  /// Nanoseconds of the system's steady clock: only for the grace that a world without work is given.
  static var steadyNanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Gives other threads a millisecond.
  static func pause() {
    var time = timespec(tv_sec: 0, tv_nsec: 1_000_000)
    nanosleep(&time, nil)
  }
}
