/// The frame of an Eddystone beacon that tells how it fares (Eddystone-TLM, frame type 0x20, version 0x00).
public struct EddystoneTelemetry: Hashable, Sendable {
  /// The battery's voltage in millivolts; `nil` if the beacon has none or can not tell.
  public var batteryMillivolts: UInt16?
  /// The beacon's temperature in degrees Celsius, in steps of 1/256; `nil` if the beacon can not tell.
  public var temperature: Double?
  /// How many packets the beacon has sent since it was switched on or started anew.
  public var advertisementCount: UInt32
  /// How long ago the beacon was switched on or started anew, in steps of 0.1 s.
  public var uptime: Duration

  /// Makes a frame.
  public init(
    batteryMillivolts: UInt16? = nil,
    temperature: Double? = nil,
    advertisementCount: UInt32,
    uptime: Duration
  ) {
    self.batteryMillivolts = batteryMillivolts
    self.temperature = temperature
    self.advertisementCount = advertisementCount
    self.uptime = uptime
  }
}

extension EddystoneTelemetry: ByteReadable, ByteWritable {
  static let version: UInt8 = 0x00
  private static let unknownTemperature = Int16.min
  private static let uptimeUnit = Duration.milliseconds(100)

  /// Reads the frame.
  ///
  /// - Throws: ``ByteError`` if the frame is of another type or version, or is cut.
  public init(reading reader: inout ByteReader) throws {
    try reader.expect(.telemetry)
    guard try reader.integer(UInt8.self, at: reader.offset) == Self.version else {
      throw reader.invalid("plain Eddystone-TLM has version 0x00")
    }
    try reader.skip(1)
    let millivolts = try reader.read(UInt16.self).byteSwapped
    batteryMillivolts = millivolts == 0 ? nil : millivolts
    let degrees = try reader.read(Int16.self).byteSwapped
    temperature = degrees == Self.unknownTemperature ? nil : Double(degrees) / 256
    advertisementCount = try reader.read(UInt32.self).byteSwapped
    uptime = Self.uptimeUnit * Int(try reader.read(UInt32.self).byteSwapped)
  }

  /// Appends the frame; a temperature or an uptime that the frame can not hold becomes the nearest that it can.
  public func write(to writer: inout ByteWriter) {
    writer.write(EddystoneFrameType.telemetry.rawValue)
    writer.write(Self.version)
    writer.write((batteryMillivolts ?? 0).byteSwapped)
    let degrees = temperature.flatMap { $0.isNaN ? nil : ($0 * 256).rounded() }
    let limit = Double(Int16.max)
    writer.write((degrees.map { Int16(max(-limit, min($0, limit))) } ?? Self.unknownTemperature).byteSwapped)
    writer.write(advertisementCount.byteSwapped)
    let tenths = (uptime / Self.uptimeUnit).rounded()
    writer.write(UInt32(max(0, min(tenths, Double(UInt32.max)))).byteSwapped)
  }
}

extension EddystoneTelemetry: CustomStringConvertible {
  /// Battery, temperature, packets and uptime.
  public var description: String {
    let battery = batteryMillivolts.map { "\($0) mV" } ?? "no battery"
    let degrees = temperature.map { "\($0) °C" } ?? "temperature unknown"
    return "Eddystone-TLM \(battery), \(degrees), \(advertisementCount) packets in \(uptime)"
  }
}
