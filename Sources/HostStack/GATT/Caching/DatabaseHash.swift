import BluetoothTypes
import RadioPort

/// The Database Hash: 16 bytes that change when the definition of a database does (Core 5.4, Vol 3, Part G, 7.3). The
/// least significant byte comes first, as in the characteristic's value.
package struct DatabaseHash: Hashable, Sendable {
  package let bytes: [UInt8]

  /// A hash as it was read; `nil` for another length.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// The hash of what a server offers.
  package init(of database: GATTDatabase) {
    var message = Message()
    for attribute in database.attributes {
      guard attribute.role != .value else { continue }
      if case .stored(let value) = attribute.source {
        message.add(attribute.handle, attribute.type, value)
      } else {
        message.add(attribute.handle, attribute.type, [])
      }
    }
    self.init(message)
  }

  /// The hash that a server has which offers exactly what was discovered.
  package init(of services: [RemoteService]) {
    var entries: [(handle: AttributeHandle, type: BluetoothUUID, value: [UInt8])] = []
    for service in services {
      let type: BluetoothUUID =
        service.isPrimary ? .primaryServiceDeclaration : .secondaryServiceDeclaration
      entries.append((service.handle, type, Self.bytes { service.uuid.writeATT(to: &$0) }))
      for include in service.includedServices {
        let value = Self.bytes { writer in
          writer.write(include.serviceHandle.rawValue)
          writer.write(include.endHandle.rawValue)
          if include.uuid.uint16 != nil { include.uuid.writeATT(to: &writer) }
        }
        entries.append((include.handle, .includeDeclaration, value))
      }
      for characteristic in service.characteristics {
        let value = Self.bytes { writer in
          writer.write(UInt8(truncatingIfNeeded: characteristic.properties.rawValue))
          writer.write(characteristic.handle.rawValue)
          characteristic.uuid.writeATT(to: &writer)
        }
        entries.append((characteristic.declarationHandle, .characteristicDeclaration, value))
        for descriptor in characteristic.descriptors {
          // Only that of the Extended Properties counts.
          let bits = characteristic.properties.rawValue &>> 8
          entries.append(
            (descriptor.handle, descriptor.uuid, [UInt8(truncatingIfNeeded: bits), 0])
          )
        }
      }
    }
    var message = Message()
    for entry in entries.sorted(by: { $0.handle < $1.handle }) {
      message.add(entry.handle, entry.type, entry.value)
    }
    self.init(message)
  }

  /// Whether a server that shows this hash offers exactly what was discovered.
  ///
  /// The order of the bytes does not count: BlueZ (5.66) tells the most significant one first.
  package func isOf(_ services: [RemoteService]) -> Bool {
    let own = DatabaseHash(of: services).bytes
    return bytes == own || bytes.elementsEqual(own.reversed())
  }

  private init(_ message: Message) {
    let code = AESCMAC.code(of: message.writer.bytes, key: 0)
    bytes = Self.bytes { $0.write(code) }
  }

  private static func bytes(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter(capacity: 20)
    write(&writer)
    return writer.bytes
  }

  /// What is hashed.
  private struct Message {
    var writer = ByteWriter(capacity: 512)

    /// Adds an attribute in the order of the handles: whole, without its value, or not at all, as its type demands.
    mutating func add(_ handle: AttributeHandle, _ type: BluetoothUUID, _ value: [UInt8]) {
      switch type.uint16 {
      case 0x2800, 0x2801, 0x2802, 0x2803, 0x2900:
        begin(handle, type)
        writer.write(value)
      case 0x2901, 0x2902, 0x2903, 0x2904, 0x2905: begin(handle, type)
      default: break
      }
    }

    private mutating func begin(_ handle: AttributeHandle, _ type: BluetoothUUID) {
      writer.write(handle.rawValue)
      type.writeATT(to: &writer)
    }
  }
}

/// What a GATT client can do: the value of the Client Supported Features (Core 5.4, Vol 3, Part G, 7.2).
package struct ClientFeatures: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The client wants an error for requests that it makes before it knows of a change of the database.
  package static let robustCaching = Self(rawValue: 0x01)
  /// The client has enhanced bearers.
  package static let enhancedBearer = Self(rawValue: 0x02)
  /// The client takes notifications of several values in one packet.
  package static let multipleNotifications = Self(rawValue: 0x04)

  /// What this host's client can do.
  package static let ours: Self = [.robustCaching, .multipleNotifications]
}
