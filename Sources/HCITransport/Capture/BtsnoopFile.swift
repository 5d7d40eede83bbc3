import BluetoothTypes

/// The contents of a btsnoop file.
package struct BtsnoopFile: Hashable, Sendable {
  package var header: BtsnoopHeader
  package var records: [BtsnoopRecord]

  /// Reads a whole file.
  ///
  /// - Throws: `ByteError` where something is wrong or cut off.
  package init(_ bytes: [UInt8]) throws(ByteError) {
    var reader = ByteReader(bytes)
    header = try BtsnoopHeader(reading: &reader)
    records = []
    while !reader.isAtEnd { records.append(try BtsnoopRecord(reading: &reader)) }
  }
}
