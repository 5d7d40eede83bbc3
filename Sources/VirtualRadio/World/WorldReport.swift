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

/// What helps to find out why a test failed in a world: its seed, its time and its last packets.
public struct WorldReport: Sendable, CustomStringConvertible {
  /// The seed to run the world again with.
  public let seed: UInt64
  /// The report, several lines.
  public let description: String

  /// Reports on a world at this moment.
  ///
  /// - Parameter packets: How many of the last packets are shown.
  public init(on world: World, packets: Int = 60) {
    seed = world.seed
    description = """
      The world had the seed \(world.seed) and the time \(world.now.sinceStart). Its last packets \
      (seconds, controller, > to the controller, < to the host):
      \(world.trace.description(last: packets))
      """
  }
}

extension WorldReport {
  /// Takes the reports of worlds whose bodies threw, in the place of standard error.
  public final class Collector: Sendable {
    private let reports = Mutex<[WorldReport]>([])

    /// A collector without reports.
    public init() {}

    /// The reports, in the order in which the worlds ended; they are no longer in the collector.
    public func take() -> [WorldReport] {
      reports.withLock { reports in
        let taken = reports
        reports = []
        return taken
      }
    }

    fileprivate func add(_ report: WorldReport) { reports.withLock { $0.append(report) } }
  }

  /// Where the reports of the current task's worlds go.
  @TaskLocal public static var collector: Collector?

  /// Hands on why a world threw.
  static func deliver(_ error: any Error, from world: World) {
    if error is CancellationError { return }
    let report = WorldReport(on: world)
    if let collector { return collector.add(report) }
    print(report, after: error)
  }

  private static func print(_ report: WorldReport, after error: any Error) {
    let text = "World.simulated threw: \(error)\n\(report)\n"
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
