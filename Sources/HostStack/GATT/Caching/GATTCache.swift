import BluetoothTypes
import RadioPort

/// What a peer's services were when they were last known.
package struct RememberedDatabase: Hashable, Sendable {
  package var services: [RemoteService]
  /// What the peer's Database Hash was then; `nil` if it has none.
  package var hash: DatabaseHash?

  package init(services: [RemoteService], hash: DatabaseHash?) {
    self.services = services
    self.hash = hash
  }
}

/// The services of peers beyond their connections, by the address by which a peer is known tomorrow (Core 5.4, Vol 3,
/// Part G, 2.5.2). It holds so many; the one that was not used for the longest time goes first.
///
/// The bytes of the value can be kept anywhere and read again.
package struct GATTCache: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    let address: BluetoothAddress
    var database: RememberedDatabase
  }

  /// How many peers are remembered.
  package static let limit = 128

  /// Least recently used first.
  private(set) var entries: [Entry] = []

  package init() {}

  package var count: Int { entries.count }

  /// What is remembered of a peer that may be put to use on a new link.
  ///
  /// This is where trust is decided: what has a hash is used after the peer has shown the same one. What has none is not
  /// used, as nothing tells of changes between two connections but the Service Changed of a bonded peer.
  package subscript(address: BluetoothAddress) -> RememberedDatabase? {
    guard let entry = entries.first(where: { $0.address == address.plain }),
      entry.database.hash != nil
    else {
      return nil
    }
    return entry.database
  }

  /// Remembers; does nothing for an address that changes.
  package mutating func store(_ database: RememberedDatabase, of address: BluetoothAddress) {
    guard address.isStable else { return }
    forget(address)
    entries.append(Entry(address: address.plain, database: database))
    if entries.count > Self.limit { entries.removeFirst() }
  }

  /// Forgets a peer.
  package mutating func forget(_ address: BluetoothAddress) {
    entries.removeAll { $0.address == address.plain }
  }
}

// MARK: - Bytes

extension GATTCache: ByteReadable, ByteWritable {
  /// The first byte: what the others mean.
  private static let version: UInt8 = 1

  package init(reading reader: inout ByteReader) throws(ByteError) {
    var copy = reader
    guard try copy.read(UInt8.self) == Self.version else {
      throw reader.invalid("the version is not known")
    }
    let count = Int(try copy.read(UInt16.self))
    guard count <= Self.limit else { throw copy.invalid("there are too many peers") }
    for _ in 0..<count {
      let atKind = copy
      guard let kind = BluetoothAddress.Kind(rawValue: try copy.read()) else {
        throw atKind.invalid("an address has the kind 0 to 3")
      }
      let address = try BluetoothAddress(reading: &copy, kind: kind)
      store(try RememberedDatabase(reading: &copy), of: address)
    }
    reader = copy
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(Self.version)
    writer.write(UInt16(clamping: entries.count))
    for entry in entries {
      writer.write(entry.address.kind.rawValue)
      entry.address.write(to: &writer)
      entry.database.write(to: &writer)
    }
  }
}

extension RememberedDatabase: ByteReadable, ByteWritable {
  package init(reading reader: inout ByteReader) throws(ByteError) {
    var copy = reader
    hash = try copy.readBool() ? DatabaseHash(try copy.readBytes(16)) : nil
    services = try copy.readList { (reader: inout ByteReader) throws(ByteError) in
      try RemoteService(reading: &reader)
    }
    reader = copy
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(hash != nil)
    if let hash { writer.write(hash.bytes) }
    writer.writeList(services) { writer, service in service.write(to: &writer) }
  }
}

extension RemoteService {
  fileprivate init(reading reader: inout ByteReader) throws(ByteError) {
    self.init(
      handle: try reader.readHandle(),
      endHandle: try reader.readHandle(),
      uuid: try reader.readUUID(),
      isPrimary: try reader.readBool(),
      includedServices: try reader.readList { (reader: inout ByteReader) throws(ByteError) in
        RemoteInclude(
          handle: try reader.readHandle(),
          serviceHandle: try reader.readHandle(),
          endHandle: try reader.readHandle(),
          uuid: try reader.readUUID()
        )
      },
      characteristics: try reader.readList { (reader: inout ByteReader) throws(ByteError) in
        RemoteCharacteristic(
          declarationHandle: try reader.readHandle(),
          handle: try reader.readHandle(),
          uuid: try reader.readUUID(),
          properties: CharacteristicProperties(rawValue: try reader.read()),
          descriptors: try reader.readList { (reader: inout ByteReader) throws(ByteError) in
            RemoteDescriptor(handle: try reader.readHandle(), uuid: try reader.readUUID())
          }
        )
      }
    )
  }

  fileprivate func write(to writer: inout ByteWriter) {
    writer.write(handle.rawValue)
    writer.write(endHandle.rawValue)
    writer.writeUUID(uuid)
    writer.write(isPrimary)
    writer.writeList(includedServices) { writer, include in
      writer.write(include.handle.rawValue)
      writer.write(include.serviceHandle.rawValue)
      writer.write(include.endHandle.rawValue)
      writer.writeUUID(include.uuid)
    }
    writer.writeList(characteristics) { writer, characteristic in
      writer.write(characteristic.declarationHandle.rawValue)
      writer.write(characteristic.handle.rawValue)
      writer.writeUUID(characteristic.uuid)
      writer.write(characteristic.properties.rawValue)
      writer.writeList(characteristic.descriptors) { writer, descriptor in
        writer.write(descriptor.handle.rawValue)
        writer.writeUUID(descriptor.uuid)
      }
    }
  }
}

extension ByteReader {
  fileprivate mutating func readUUID() throws(ByteError) -> BluetoothUUID {
    let isShort = try readBool()
    return try BluetoothUUID(reading: &self, byteCount: isShort ? 2 : 16)
  }

  fileprivate mutating func readList<Element>(
    _ read: (inout ByteReader) throws(ByteError) -> Element
  ) throws(ByteError) -> [Element] {
    var list: [Element] = []
    for _ in 0..<(try self.read(UInt16.self)) { list.append(try read(&self)) }
    return list
  }
}

extension ByteWriter {
  fileprivate mutating func writeUUID(_ uuid: BluetoothUUID) {
    write(uuid.uint16 != nil)
    uuid.writeATT(to: &self)
  }

  fileprivate mutating func writeList<Element>(
    _ list: [Element],
    _ write: (inout ByteWriter, Element) -> Void
  ) {
    self.write(UInt16(clamping: list.count))
    for element in list.prefix(0xFFFF) { write(&self, element) }
  }
}
