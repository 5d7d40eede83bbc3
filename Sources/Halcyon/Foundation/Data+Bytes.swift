#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// `Data` as it comes from a characteristic.
extension Data: ByteReadable {
  /// Takes all the bytes that are left.
  public init(reading reader: inout ByteReader) throws { self.init(reader.readRemaining()) }
}

/// `Data` as it goes to a characteristic.
extension Data: ByteWritable {
  /// Appends the bytes as they are.
  public func write(to writer: inout ByteWriter) { writer.write(self) }
}
