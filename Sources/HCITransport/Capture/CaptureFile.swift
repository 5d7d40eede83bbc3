import BluetoothTypes
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// A btsnoop file that packets are added to as they pass. Wireshark, `btmon` and others read it.
///
/// Each packet is in the file when `add` returns, so that a program that is killed leaves a file that is whole.
///
/// It may also be a named pipe that another program reads, such as Wireshark. The radio never waits for that program: where
/// it does not keep up, and the pipe is full, or when it leaves, the capture ends and ``failure`` says why.
package final class CaptureFile: Sendable {
  private struct State {
    /// `nil` once it is closed.
    var descriptor: Int32?
    /// Whether it is anything but a file, and a reader may leave.
    var isPipe = false
    var packetCount = 0
    var failure: CaptureFileError?
  }

  package let path: String
  private let unixTimeOfStart: Duration
  private let state: Mutex<State>

  /// Makes the file, which only the user may read, as it holds what devices and programs tell each other; or empties the
  /// one that is there.
  ///
  /// - Parameter unixTimeOfStart: When the time line began that `add` is given times of, since 1970-01-01 00:00 UTC.
  /// - Throws: ``CaptureFileError`` if that is not possible.
  package init(path: String, unixTimeOfStart: Duration) throws(CaptureFileError) {
    // Not to wait: neither for somebody who reads a pipe, nor until its reader has made room.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw CaptureFileError(path: path, step: .open, code: errno) }
    let isPipe = Self.isPipe(descriptor)
    if isPipe { Self.widen(descriptor) }
    var header = ByteWriter()
    BtsnoopHeader(dataLink: .h4).write(to: &header)
    if let code = Self.write(header.bytes, to: descriptor, isPipe: isPipe) {
      _ = Self.closeDescriptor(descriptor)
      throw CaptureFileError(path: path, step: .write, code: code)
    }
    self.path = path
    self.unixTimeOfStart = unixTimeOfStart
    state = Mutex(State(descriptor: descriptor, isPipe: isPipe))
  }

  deinit { close() }

  /// Adds a packet; does nothing once the file is closed, or could not be written.
  ///
  /// - Parameter time: When it passed, since the time line began.
  package func add(_ packet: HCIPacket, _ direction: HCIPacket.Direction, time: Duration) {
    let microseconds = (unixTimeOfStart + time) / Duration.microseconds(1)
    var record = ByteWriter(capacity: packet.bytes.count + 24)
    BtsnoopRecord(
      packet,
      direction,
      unixMicroseconds: Int64(exactly: microseconds.rounded(.down)) ?? 0
    ).write(to: &record)
    state.withLock { state in
      guard let descriptor = state.descriptor else { return }
      if let code = Self.write(record.bytes, to: descriptor, isPipe: state.isPipe) {
        // The file ends inside of a record; what would follow could not be read.
        state.failure = CaptureFileError(path: path, step: .write, code: code)
        state.descriptor = nil
        _ = Self.closeDescriptor(descriptor)
      } else {
        state.packetCount += 1
      }
    }
  }

  /// How many packets the file holds.
  package var packetCount: Int { state.withLock { $0.packetCount } }

  /// Why nothing is added any more, if that was not asked for.
  package var failure: CaptureFileError? { state.withLock { $0.failure } }

  /// Closes the file. Doing so again does nothing.
  package func close() {
    state.withLock { state in
      guard let descriptor = state.descriptor else { return }
      state.descriptor = nil
      // Some systems tell only now that what was written is lost.
      if Self.closeDescriptor(descriptor) != 0, errno != EINTR {
        state.failure = CaptureFileError(path: path, step: .write, code: errno)
      }
    }
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    // The same number everywhere: the bits of the kind, and those of a regular file.
    return fstat(descriptor, &status) == 0 && UInt32(status.st_mode) & 0o170000 != 0o100000
  }

  /// Gives a reader more time where the system lets a pipe hold more.
  private static func widen(_ descriptor: Int32) {
    #if os(Linux)
      // F_SETPIPE_SZ, which is not in the headers without _GNU_SOURCE.
      _ = fcntl(descriptor, 1031, Int32(1 << 20))
    #endif
  }

  /// Writes all of it; gives the system's error number if that fails.
  private static func write(_ bytes: [UInt8], to descriptor: Int32, isPipe: Bool) -> Int32? {
    isPipe ? BrokenPipe.withoutSignal { write(bytes, to: descriptor) } : write(bytes, to: descriptor)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { writeBytes(descriptor, UnsafeRawBufferPointer(rebasing: $0[written...])) }
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      written += count
    }
    return nil
  }

  private static func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Android)
      Android.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  private static func closeDescriptor(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.close(descriptor)
    #elseif canImport(Musl)
      Musl.close(descriptor)
    #elseif canImport(Android)
      Android.close(descriptor)
    #else
      Glibc.close(descriptor)
    #endif
  }
}

/// Why packets can not be written to a file.
package struct CaptureFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried.
  package enum Step: Hashable, Sendable {
    case open, write
  }

  /// The file that it was tried on.
  package let path: String
  /// What was tried.
  package let step: Step
  /// The system's error number.
  package let code: Int32

  /// The system's words for ``code``.
  package var cause: String { String(cString: strerror(code)) }

  /// What was tried, on what, and why it failed.
  package var description: String {
    switch step {
    case .open where code == ENXIO:
      "The pipe “\(path)” can not be opened for writing: nobody reads it. Start its reader first."
    case .open: "The file “\(path)” can not be opened for writing: \(cause)."
    case .write where code == EPIPE: "The pipe “\(path)” can not be written any more: its reader is gone."
    case .write where code == EAGAIN:
      "The pipe “\(path)” can not be written any more: it is full, as its reader does not keep up with the radio."
    case .write: "The file “\(path)” can not be written: \(cause). What it holds up to there is good."
    }
  }
}
