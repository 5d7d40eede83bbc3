import BluetoothTypes

/// An oxygen saturation with the pulse rate (Pulse Oximeter Service 1.0, 3.1 and 3.2).
public struct OxygenSaturation: Hashable, Sendable, ByteReadable, ByteWritable {
  /// The saturation in percent.
  public var percentage: MedFloat16
  /// The pulse rate in beats per minute.
  public var pulseRate: MedFloat16

  /// Makes a pair.
  public init(percentage: MedFloat16, pulseRate: MedFloat16) {
    self.percentage = percentage
    self.pulseRate = pulseRate
  }

  /// Reads four bytes.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(4)
    self.init(percentage: try MedFloat16(reading: &reader), pulseRate: try MedFloat16(reading: &reader))
  }

  /// Appends four bytes.
  public func write(to writer: inout ByteWriter) {
    percentage.write(to: &writer)
    pulseRate.write(to: &writer)
  }
}
