import BluetoothTypes

extension LEAdvertisingReport {
  /// The good part of an event that is cut short: all whole reports, and of the last one the data that is there.
  ///
  /// - Parameter packet: The whole event.
  package static func salvage(_ packet: HCIPacket) -> [Report] {
    guard packet.bytes.count > 4 else { return [] }
    // Behind indicator, event code, length and subevent.
    var reader = ByteReader(packet.bytes, in: 4..<packet.bytes.count)
    var reports: [Report] = []
    guard let count = try? reader.read(UInt8.self) else { return [] }
    for _ in 0..<count {
      guard let type = try? reader.read(UInt8.self), let address = try? reader.readTypedAddress(),
        let length = try? reader.read(UInt8.self)
      else { break }
      let data = (try? reader.readBytes(min(Int(length), reader.remaining))) ?? []
      let rssi = (try? reader.read(Int8.self)) ?? 127
      reports.append(
        Report(eventType: AdvertisingReportType(rawValue: type), address: address, data: data, rssi: rssi)
      )
      if data.count < Int(length) { break }
    }
    return reports
  }
}
