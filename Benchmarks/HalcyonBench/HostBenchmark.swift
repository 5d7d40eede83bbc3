import BluetoothTypes
import Measurement
import RadioPort
import SystemRadio

/// Our host alone, on a null controller in another process.
struct HostBenchmark {
  let port: UInt16

  private static let uuids = (
    read: UInt16(0xFFE1), write: UInt16(0xFFE2), notify: UInt16(0xFFE3), control: UInt16(0xFFE4)
  )

  /// A connection to the null controller's peer.
  private struct Meeting {
    let live: LiveRadio
    let client: Client
    let link: LinkID
    let services: [RemoteService]
    let milliseconds: Double

    func characteristic(_ uuid: UInt16) throws -> RemoteCharacteristic {
      for service in services {
        for found in service.characteristics where found.uuid == BluetoothUUID(uuid) { return found }
      }
      throw BenchmarkError(description: "the null controller's peer has no characteristic \(uuid)")
    }

    func end() async { await withCheckedContinuation { done in live.close { done.resume() } } }
  }

  private func meet() async throws -> Meeting {
    let live = LiveRadio(host: "127.0.0.1", port: port)
    let client = Client(radio: live.radio)
    try await client.ready()
    let peer = try await client.find { $0.advertisement.localName == "Null" }
    let measurement = Measurement()
    let link = try await client.connect(to: peer)
    let services = try await client.discover(on: link)
    let milliseconds = measurement.seconds * 1000
    return Meeting(live: live, client: client, link: link, services: services, milliseconds: milliseconds)
  }

  /// Reads, and nothing else: a short turn of many.
  func measureReads() async throws {
    let meeting = try await meet()
    try await measureReads(meeting, count: 10_000)
    await meeting.end()
  }

  private func measureReads(_ meeting: Meeting, count: Int) async throws {
    let value = try meeting.characteristic(Self.uuids.read).handle
    try await meeting.client.read(value, on: meeting.link, count: 2_000)
    let measurement = Measurement()
    try await meeting.client.read(value, on: meeting.link, count: count)
    measurement.report("reads of 20 bytes", count: count)
  }

  /// Everything that goes over a link.
  func measureLink() async throws {
    let meeting = try await meet()
    Measurement.line("connect and discover, ms", meeting.milliseconds)
    try await measureReads(meeting, count: 30_000)
    if let memory = Measurement.privateMegabytes { Measurement.line("private memory, MB", memory) }

    let (client, link) = (meeting.client, meeting.link)
    let write = try meeting.characteristic(Self.uuids.write)
    let (notify, control) =
      (try meeting.characteristic(Self.uuids.notify), try meeting.characteristic(Self.uuids.control))
    let writes = 100_000
    let value = [UInt8](repeating: 7, count: 244)
    let writing = Measurement()
    try await client.pour(value, to: write.handle, on: link, count: writes)
    // The reply to a read comes behind all of it.
    _ = try await client.read(meeting.characteristic(Self.uuids.read).handle, on: link)
    writing.report("writes without response of 244 bytes", count: writes)

    let values: UInt32 = 300_000
    let order = (0..<4).map { UInt8(truncatingIfNeeded: values &>> (8 * UInt32($0))) } + [244, 0]
    let notified = try await client.take(Int(values), from: notify, on: link) {
      let measurement = Measurement()
      try await client.write(order, to: control.handle, on: link)
      return measurement
    }
    notified.report("notifications of 244 bytes", count: Int(values))
    await meeting.end()
  }

  /// Advertising reports, from a null controller that has many of them.
  func measureReports(from port: UInt16) async throws {
    let live = LiveRadio(host: "127.0.0.1", port: port)
    let client = Client(radio: live.radio)
    try await client.ready()
    let reports = 300_000
    let hearing = Measurement()
    try await client.hear(reports)
    hearing.report("advertising reports", count: reports)
    await withCheckedContinuation { done in live.close { done.resume() } }
  }
}
