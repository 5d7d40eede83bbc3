import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writes lines to a file descriptor, each at once and whole.
final class LineWriter: Sendable {
  /// Why a line was not written.
  struct Failure: Error, CustomStringConvertible {
    let code: CInt

    var description: String {
      let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
      return "The output can not be written: \(reason). Send it to where there is room and somebody reads it."
    }
  }

  private let descriptor: CInt
  /// Held while a line is written, so that those of several threads do not mix.
  private let turn = Mutex(())

  init(descriptor: CInt) { self.descriptor = descriptor }

  /// Writes a line, and waits where the descriptor has no room for the moment.
  func write(_ line: String) throws(Failure) {
    let bytes = Array((line + "\n").utf8)
    let failure = turn.withLock { _ in writeAll(bytes) }
    if let failure { throw failure }
  }

  private func writeAll(_ bytes: [UInt8]) -> Failure? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      guard count < 0 else {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Whoever started the program may have made its output one that does not wait.
        var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wish, 1, -1)
      case let code: return Failure(code: code)
      }
    }
    return nil
  }

  /// Takes the places of standard input, output and error where the program was started without them. A file or a socket
  /// would get them else, and with them what is meant for people.
  static func keepStandardDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // In the wrong direction, so that it still fails to write and read there. The lowest free number is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// A name for the system's function that the method does not hide.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
