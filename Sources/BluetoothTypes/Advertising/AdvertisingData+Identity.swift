// Who advertises: flags, names, appearance, addresses, roles.
extension AdvertisingData {
  /// Whether and how the device can be discovered; `nil` if it does not say.
  public var flags: AdvertisingFlags? { first(.flags).map { AdvertisingFlags(rawValue: $0.first ?? 0) } }

  /// The device's whole name; what is not UTF-8 in it is replaced by U+FFFD.
  public var completeLocalName: String? { text(.completeLocalName) }

  /// The start of the device's name; what is not UTF-8 in it is replaced by U+FFFD.
  public var shortenedLocalName: String? { text(.shortenedLocalName) }

  /// The best name there is: the whole one, else the shortened one.
  public var localName: String? {
    let names = [completeLocalName, shortenedLocalName].compactMap(\.self)
    return names.first { !$0.isEmpty } ?? names.first
  }

  /// The name of a broadcast, such as an audio stream for many.
  public var broadcastName: String? { text(.broadcastName) }

  /// What the device looks like.
  public var appearance: Appearance? { value(.appearance) { try Appearance(reading: &$0) } }

  /// Which roles the device takes.
  public var leRole: LERole? { value(.leRole) { LERole(rawValue: try $0.read()) } }

  /// The public addresses of those for whom the advertisement is meant.
  public var publicTargetAddresses: [BluetoothAddress] { addresses(.publicTargetAddress, .public) }

  /// The random addresses of those for whom the advertisement is meant.
  public var randomTargetAddresses: [BluetoothAddress] { addresses(.randomTargetAddress, .random) }

  /// The device's own address, as it is told out of band.
  public var deviceAddress: BluetoothAddress? {
    value(.leDeviceAddress) { reader in
      let bits: UInt64 = try reader.readInteger(byteCount: 6)
      return BluetoothAddress(bits, try reader.read(UInt8.self) & 1 == 0 ? .public : .random)
    }
  }

  private func addresses(_ type: ADType, _ kind: BluetoothAddress.Kind) -> [BluetoothAddress] {
    all(type).flatMap { data in
      var reader = ByteReader(data)
      var found: [BluetoothAddress] = []
      while let address = try? BluetoothAddress(reading: &reader, kind: kind) { found.append(address) }
      return found
    }
  }

  // Names are shown to people, so a broken one is better than none. Some devices fill up with zeros.
  private func text(_ type: ADType) -> String? {
    first(type).map { data in
      let end = data.lastIndex { $0 != 0 }.map { $0 &+ 1 } ?? 0
      return String(decoding: data[..<end], as: UTF8.self)
    }
  }

  /// The first structure of a type as a value; `nil` if there is none or it is too short.
  func value<Value>(_ type: ADType, _ read: (inout ByteReader) throws -> Value) -> Value? {
    first(type).flatMap { data in
      var reader = ByteReader(data)
      return try? read(&reader)
    }
  }
}
