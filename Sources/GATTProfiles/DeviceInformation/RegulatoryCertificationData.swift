import BluetoothTypes

/// The certificates of a medical device (Device Information Service 1.2, 3.8; IEEE 11073-20601,
/// RegulatoryCertificationDataList).
public struct RegulatoryCertificationData: Hashable, Sendable, ByteReadable, ByteWritable {
  /// One certificate.
  public struct Entry: Hashable, Sendable {
    /// The number of the body that certifies; 0xFF: nobody, made up.
    public var authority: UInt8
    /// How the data is laid out, as that body counts.
    public var structure: UInt8
    /// The certificate.
    public var data: [UInt8]

    /// Makes a certificate.
    public init(authority: UInt8, structure: UInt8, data: [UInt8]) {
      self.authority = authority
      self.structure = structure
      self.data = data
    }
  }

  /// The bytes as they were sent. Some devices put text here that is no list.
  public var list: [UInt8]

  /// Certification data from its bytes.
  public init(list: [UInt8]) { self.list = list }

  /// Takes all the bytes that are left.
  public init(reading reader: inout ByteReader) throws { list = reader.readRemaining() }

  /// Appends the bytes as they are.
  public func write(to writer: inout ByteWriter) { writer.write(list) }

  /// The certificates of the list. Unlike all else in Bluetooth its integers are big-endian.
  ///
  /// - Throws: `ByteError` if the bytes are no such list.
  public func entries() throws(ByteError) -> [Entry] {
    var reader = ByteReader(list)
    let count = try reader.read(UInt16.self).byteSwapped
    let length = Int(try reader.read(UInt16.self).byteSwapped)
    var body = try reader.readSlice(length)
    try reader.requireEnd()
    var entries: [Entry] = []
    for _ in 0..<count {
      let authority = try body.read(UInt8.self)
      let structure = try body.read(UInt8.self)
      let size = Int(try body.read(UInt16.self).byteSwapped)
      entries.append(Entry(authority: authority, structure: structure, data: try body.readBytes(size)))
    }
    try body.requireEnd()
    return entries
  }

  /// The list of some certificates.
  ///
  /// - Returns: `nil` if they are more than the list's 16-bit lengths can tell.
  public init?(_ entries: [Entry]) {
    var body = ByteWriter()
    for entry in entries {
      guard let size = UInt16(exactly: entry.data.count) else { return nil }
      body.write(entry.authority)
      body.write(entry.structure)
      body.write(size.byteSwapped)
      body.write(entry.data)
    }
    guard let count = UInt16(exactly: entries.count), let length = UInt16(exactly: body.count) else { return nil }
    var writer = ByteWriter(capacity: body.count + 4)
    writer.write(count.byteSwapped)
    writer.write(length.byteSwapped)
    writer.write(body.bytes)
    list = writer.bytes
  }
}
