import Foundation
import Synchronization

/// A program that a test starts, with its lines of output as they come. ``end()`` must follow.
final class ChildProcess: Sendable {
  private struct State {
    var lines: [String] = []
    var isAtEnd = false
    var waiters: [(id: UInt64, look: @Sendable ([String], _ isAtEnd: Bool) -> Bool)] = []
    var waiterCount: UInt64 = 0
  }

  /// How a program ended.
  struct Ending: Sendable {
    let status: Int32
    let lines: [String]
    let complaints: String
  }

  // Set up in `init`; what is called later may be called from any thread.
  private static let starting = Mutex<Void>(())
  private let process: Mutex<Process>
  private let input: FileHandle
  private let complaints = Mutex<String>("")
  private let state = Mutex(State())
  /// Ends when the program has ended, with its status.
  private let status: AsyncStream<Int32>

  init(_ program: URL, _ arguments: [String]) throws {
    let process = Process()
    let (output, errors, input) = (Pipe(), Pipe(), Pipe())
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = input
    let (status, source) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { process in
      source.yield(process.terminationStatus)
      source.finish()
    }
    try Self.starting.withLock { _ in
      // What the child keeps of it must not be kept by the next child too: it would never see the end of its input.
      for pipe in [output, errors, input] {
        for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
          _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
      }
      try process.run()
    }
    self.status = status
    self.input = input.fileHandleForWriting
    self.process = Mutex(process)
    let (lines, words) = (output.fileHandleForReading, errors.fileHandleForReading)
    Thread.detachNewThread { [weak self] in
      var rest = Data()
      while case let chunk = Self.chunk(of: lines), !chunk.isEmpty {
        rest.append(chunk)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          self?.take(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      self?.take(nil)
    }
    Thread.detachNewThread { [weak self] in
      while case let chunk = Self.chunk(of: words), !chunk.isEmpty {
        self?.complaints.withLock { $0 += String(decoding: chunk, as: UTF8.self) }
      }
    }
  }

  /// What comes next; empty at the end. `availableData` ends the whole process where a signal interrupts it.
  private static func chunk(of handle: FileHandle) -> Data {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(handle.fileDescriptor, &buffer, buffer.count)
      if count >= 0 { return Data(buffer.prefix(count)) }
      guard errno == EINTR else { return Data() }
    }
  }

  private func take(_ line: String?) {
    state.withLock { state in
      if let line { state.lines.append(line) } else { state.isAtEnd = true }
      let (lines, isAtEnd) = (state.lines, state.isAtEnd)
      state.waiters.removeAll { $0.look(lines, isAtEnd) }
    }
  }

  /// What the program has said so far.
  var lines: [String] { state.withLock { $0.lines } }

  /// What it has complained of so far.
  var errors: String { complaints.withLock { $0 } }

  /// Waits for the `count`th line that begins with `start`, and gives what follows there.
  func line(_ start: String, count: Int = 1, within limit: Duration = .seconds(60)) async throws -> String {
    let found = try await bounded("waiting for “\(start)” from a child process", limit) {
      let (stream, source) = AsyncStream.makeStream(of: String?.self)
      self.look { lines, isAtEnd in
        let fitting = lines.filter { $0.hasPrefix(start) }
        if fitting.count >= count {
          source.yield(String(fitting[count - 1].dropFirst(start.count)))
        } else if isAtEnd {
          source.yield(nil)
        } else {
          return false
        }
        return true
      }
      return await stream.first { _ in true } ?? nil
    }
    guard let found else {
      throw TookTooLong(what: "“\(start)”: the child process has ended without it (\(errors)); waiting for it")
    }
    return found
  }

  private func look(_ look: @escaping @Sendable ([String], Bool) -> Bool) {
    state.withLock { state in
      guard !look(state.lines, state.isAtEnd) else { return }
      state.waiterCount += 1
      state.waiters.append((state.waiterCount, look))
    }
  }

  /// Gives the program a line to read.
  func tell(_ line: String) throws { try input.write(contentsOf: Data("\(line)\n".utf8)) }

  /// Waits until the program has ended by itself.
  func ending(within limit: Duration) async throws -> Ending {
    let status = try await bounded("the end of a child process", limit) {
      let status = await self.status.first { _ in true }
      _ = await self.outputEnd()
      return status
    }
    return Ending(status: status ?? -1, lines: lines, complaints: errors)
  }

  private func outputEnd() async -> Bool {
    let (stream, source) = AsyncStream.makeStream(of: Bool.self)
    look { _, isAtEnd in
      if isAtEnd { source.yield(true) }
      return isAtEnd
    }
    return await stream.first { _ in true } ?? true
  }

  /// Ends the program, by its standard input and then by force, and waits until it is gone.
  func end() async {
    try? input.close()
    if (try? await ending(within: .seconds(2))) != nil { return }
    guard process.withLock({ $0.isRunning }) else { return }
    process.withLock { $0.terminate() }
    if (try? await ending(within: .seconds(2))) != nil { return }
    let id = process.withLock { $0.processIdentifier }
    if process.withLock({ $0.isRunning }) { kill(id, SIGKILL) }
    _ = try? await ending(within: .seconds(2))
  }
}
