import BluetoothTypes
import Measurement
import RadioPort
import SystemRadio

/// Our host alone, on a null controller in another process.
struct HostBenchmark {
  let port: UInt16
  let reportsPort: UInt16

  private static let uuids = (
    read: UInt16(0xFFE1), write: UInt16(0xFFE2), notify: UInt16(0xFFE3), control: UInt16(0xFFE4)
  )

  func run() async throws {
    try await measureLink()
    try await measureReports()
  }

  private func measureLink() async throws {
    let live = LiveRadio(host: "127.0.0.1", port: port)
    let client = Client(radio: live.radio)
    try await client.ready()
    let peer = try await client.find { $0.advertisement.localName == "Null" }

    let meeting = Measurement()
    let link = try await client.connect(to: peer)
    let services = try await client.discover(on: link)
    Measurement.line("connect and discover, ms", meeting.seconds * 1000)

    func characteristic(_ uuid: UInt16) throws -> RemoteCharacteristic {
      for service in services {
        for found in service.characteristics where found.uuid == BluetoothUUID(uuid) { return found }
      }
      throw BenchmarkError(description: "the null controller's peer has no characteristic \(uuid)")
    }
    let (read, write) = (try characteristic(Self.uuids.read), try characteristic(Self.uuids.write))
    let (notify, control) = (try characteristic(Self.uuids.notify), try characteristic(Self.uuids.control))

    try await client.read(read.handle, on: link, count: 2_000)
    let reads = 30_000
    let reading = Measurement()
    try await client.read(read.handle, on: link, count: reads)
    reading.report("reads of 20 bytes", count: reads)
    if let memory = Measurement.privateMegabytes { Measurement.line("private memory, MB", memory) }

    let writes = 100_000
    let value = [UInt8](repeating: 7, count: 244)
    let writing = Measurement()
    try await client.pour(value, to: write.handle, on: link, count: writes)
    // The reply to a read comes behind all of it.
    _ = try await client.read(read.handle, on: link)
    writing.report("writes without response of 244 bytes", count: writes)

    let values: UInt32 = 300_000
    let order = (0..<4).map { UInt8(truncatingIfNeeded: values &>> (8 * UInt32($0))) } + [244, 0]
    let notified = try await client.take(Int(values), from: notify, on: link) {
      let measurement = Measurement()
      try await client.write(order, to: control.handle, on: link)
      return measurement
    }
    notified.report("notifications of 244 bytes", count: Int(values))
    await withCheckedContinuation { done in live.close { done.resume() } }
  }

  private func measureReports() async throws {
    let live = LiveRadio(host: "127.0.0.1", port: reportsPort)
    let client = Client(radio: live.radio)
    try await client.ready()
    let reports = 300_000
    let hearing = Measurement()
    try await client.hear(reports)
    hearing.report("advertising reports", count: reports)
    await withCheckedContinuation { done in live.close { done.resume() } }
  }
}
