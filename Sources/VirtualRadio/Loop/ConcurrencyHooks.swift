#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Sends what Swift's runtime would give to its pool or to the main thread to a simulated loop instead, if it is the
/// loop's own thread that gives it: `Task { }`, `Task.detached`, the producer task of a stream, `@MainActor` code.
/// All other threads see no difference.
enum ConcurrencyHooks {
  private typealias EnqueueGlobal = @convention(thin) (UnownedJob) -> Void
  private typealias EnqueueGlobalHook = @convention(thin) (UnownedJob, EnqueueGlobal) -> Void
  private typealias GetMainExecutor = @convention(thin) () -> UnownedSerialExecutor
  private typealias GetMainExecutorHook = @convention(thin) (GetMainExecutor) -> UnownedSerialExecutor

  /// Puts the hooks in place, once for the process; `false` if this runtime has none. Then tasks that prefer no
  /// executor escape, which a world reports.
  @discardableResult
  static func install() -> Bool { isInstalled }

  private static let isInstalled: Bool = {
    guard let enqueueGlobal = enqueueGlobalSlot, let getMainExecutor = getMainExecutorSlot else { return false }
    // Read what is chained to before it is replaced.
    _ = earlierEnqueueGlobal
    _ = earlierGetMainExecutor
    enqueueGlobal.pointee = { job, original in
      if let loop = LoopThread.current {
        loop.append(.job(job))
      } else if let earlier = ConcurrencyHooks.earlierEnqueueGlobal {
        earlier(job, original)
      } else {
        original(job)
      }
    }
    getMainExecutor.pointee = { original in
      if let loop = LoopThread.current { return loop.main.asUnownedSerialExecutor() }
      if let earlier = ConcurrencyHooks.earlierGetMainExecutor { return earlier(original) }
      return original()
    }
    return true
  }()

  private static var enqueueGlobalSlot: UnsafeMutablePointer<EnqueueGlobalHook?>? {
    symbol("swift_task_enqueueGlobal_hook")?.assumingMemoryBound(to: EnqueueGlobalHook?.self)
  }

  private static var getMainExecutorSlot: UnsafeMutablePointer<GetMainExecutorHook?>? {
    symbol("swift_task_getMainExecutor_hook")?.assumingMemoryBound(to: GetMainExecutorHook?.self)
  }

  private static let earlierEnqueueGlobal = enqueueGlobalSlot?.pointee
  private static let earlierGetMainExecutor = getMainExecutorSlot?.pointee

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    guard let program = dlopen(nil, RTLD_NOW) else { return nil }
    return dlsym(program, name)
  }
}
