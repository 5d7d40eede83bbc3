#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Measures Halcyon; `script/bench` runs it and puts the numbers beside those of a peer.
///
/// Each result is a line of three columns: what, how many a second (or of the unit in its name), CPU µs for each.
@main
enum HalcyonBench {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    do {
      switch (arguments.first, arguments.dropFirst().compactMap { UInt16($0) }) {
      case ("host", let ports) where ports.count == 2:
        let benchmark = HostBenchmark(port: ports[0])
        try await benchmark.measureLink()
        try await benchmark.measureReports(from: ports[1])
      case ("reads", let ports) where ports.count == 1:
        try await HostBenchmark(port: ports[0]).measureReads()
      case ("simulated", let counts) where counts.count <= 1:
        try await SimulatedBenchmark(reads: counts.first.map { Int($0) } ?? 200_000).run()
      default:
        print("usage: HalcyonBench host PORT REPORTS-PORT | reads PORT | simulated [READS]")
        exit(64)
      }
    } catch {
      print("HalcyonBench: \(error)")
      exit(1)
    }
  }
}

/// Why a measurement came to nothing.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
}
