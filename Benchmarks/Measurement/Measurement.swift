#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Wall time and CPU time of the process from one moment on.
package struct Measurement: Sendable {
  private let wall: Double
  private let processor: Double

  /// Begins now.
  package init() {
    wall = Self.wallSeconds
    processor = Self.processorSeconds
  }

  /// Seconds since the beginning.
  package var seconds: Double { Self.wallSeconds - wall }

  /// Prints what was done since the beginning.
  package func report(_ name: String, count: Int) {
    let (wall, processor) = (Self.wallSeconds - wall, Self.processorSeconds - processor)
    Self.line(name, Double(count) / wall, processor / Double(count) * 1e6)
  }

  /// Prints one result.
  package static func line(_ name: String, _ value: Double, _ microseconds: Double? = nil) {
    let cost = microseconds.map { "\(($0 * 100).rounded() / 100)" } ?? "-"
    print("\(name)\t\((value * 100).rounded() / 100)\t\(cost)")
    fflush(nil)
  }

  /// Memory of the process that belongs to it alone and is in use, in megabytes; `nil` where the system does not tell.
  package static var privateMegabytes: Double? {
    let file = open("/proc/self/status", O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(file, &bytes, bytes.count)
    let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("RssAnon:") }) else { return nil }
    return line.split(separator: " ").dropLast().last.flatMap { Double($0) }.map { $0 / 1024 }
  }

  private static var wallSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
