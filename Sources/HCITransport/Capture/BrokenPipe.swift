#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Writing to a pipe whose reader is gone raises SIGPIPE, which ends a program that does not expect it.
enum BrokenPipe {
  /// Does work that may write to such a pipe, so that the write fails and no more. How the program deals with the signal
  /// stays as it is.
  static func withoutSignal<Result>(_ work: () -> Result) -> Result {
    var (pipeSignal, before, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    sigemptyset(&pending)
    sigpending(&pending)
    // One that waits already is somebody else's, and another one changes nothing.
    guard sigismember(&pending, SIGPIPE) == 0, pthread_sigmask(SIG_BLOCK, &pipeSignal, &before) == 0 else {
      return work()
    }
    let result = work()
    sigemptyset(&pending)
    sigpending(&pending)
    if sigismember(&pending, SIGPIPE) == 1 {
      // It was raised for this thread, and is there: this does not wait.
      var signal: Int32 = 0
      sigwait(&pipeSignal, &signal)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return result
  }
}
