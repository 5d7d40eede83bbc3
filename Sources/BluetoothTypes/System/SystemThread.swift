#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Threads of our own, for what may block and for loops that must not share a pool.
package enum SystemThread {
  /// Starts a thread that runs `body` and ends; `false` if the system has none left.
  ///
  /// - Parameter name: What tools show; at most 15 bytes, as Linux takes no more.
  package static func start(name: StaticString, _ body: @escaping @Sendable () -> Void) -> Bool {
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    let isStarted = create(start.toOpaque())
    if !isStarted { start.release() }
    return isStarted
  }

  /// Tells the current thread from all others that live; never 0.
  package static var currentIdentity: UInt {
    #if os(Linux) && canImport(Glibc)
      pthread_self()
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }

  private static func create(_ argument: UnsafeMutableRawPointer) -> Bool {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    guard pthread_attr_init(attributes) == 0 else { return false }
    pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
    // App code runs on such threads, and not every system gives threads as much by itself.
    pthread_attr_setstacksize(attributes, 8 << 20)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(&thread, attributes, entry, argument)
    pthread_attr_destroy(attributes)
    return status == 0
  }

  private final class Start: Sendable {
    let name: StaticString
    let body: @Sendable () -> Void

    init(name: StaticString, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }

    func run() {
      name.withUTF8Buffer { name in
        #if canImport(Darwin)
          name.withMemoryRebound(to: CChar.self) { text in
            if let text = text.baseAddress { pthread_setname_np(text) }
          }
        #else
          // The function that glibc has for it is not visible from Swift.
          let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
          guard file >= 0 else { return }
          _ = write(file, name.baseAddress, name.count)
          close(file)
        #endif
      }
      body()
    }
  }

  #if canImport(Darwin)
    private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { argument in
      Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }
  #else
    private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
      if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run() }
      return nil
    }
  #endif
}
