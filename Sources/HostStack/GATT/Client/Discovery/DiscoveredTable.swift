import BluetoothTypes
import RadioPort

/// What a discovery has found so far, checked: services in the order of their handles and not overlapping,
/// characteristics likewise.
struct DiscoveredTable: Sendable {
  /// A reference to another service, before it is known where it belongs and maybe what it refers to.
  struct Include: Sendable {
    var handle: Int
    var service: ClosedRange<Int>
    var uuid: BluetoothUUID?
  }

  /// A characteristic, before its descriptors are known.
  struct Characteristic: Sendable {
    var declaration: Int
    var value: Int
    var properties: CharacteristicProperties
    var uuid: BluetoothUUID
    /// Where its descriptors can be; empty if there is no room.
    var room: Range<Int> = 0..<0
    var descriptors: [RemoteDescriptor] = []

    var sendsValues: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }
  }

  private(set) var services: [RemoteService] = []
  var includes: [Include] = []
  var characteristics: [Characteristic] = []
  /// What was passed over because it has no place.
  var notes: [String] = []

  var serviceRanges: [ClosedRange<Int>] { services.map(\.range) }

  // MARK: Services

  /// Adds a service; `false` if it overlaps with one that is there, or makes no sense.
  mutating func add(_ range: ClosedRange<Int>, _ uuid: BluetoothUUID, isPrimary: Bool) -> Bool {
    let index = services.firstIndex { Int($0.handle.rawValue) > range.lowerBound } ?? services.count
    guard (1...0xFFFF).contains(range.lowerBound), range.upperBound <= 0xFFFF else { return false }
    if index > 0, services[index - 1].range.upperBound >= range.lowerBound { return false }
    if index < services.count, services[index].range.lowerBound <= range.upperBound { return false }
    services.insert(
      RemoteService(
        handle: AttributeHandle(UInt16(range.lowerBound)),
        endHandle: AttributeHandle(UInt16(range.upperBound)),
        uuid: uuid,
        isPrimary: isPrimary
      ),
      at: index
    )
    return true
  }

  func uuid(ofServiceAt handle: Int) -> BluetoothUUID? {
    indexOfService(containing: handle).map { services[$0] }.flatMap {
      Int($0.handle.rawValue) == handle ? $0.uuid : nil
    }
  }

  func indexOfService(containing handle: Int) -> Int? {
    var low = 0
    var high = services.count
    while low < high {
      let middle = (low + high) / 2
      if services[middle].range.upperBound < handle { low = middle + 1 } else { high = middle }
    }
    return low < services.count && services[low].range.contains(handle) ? low : nil
  }

  // MARK: Characteristics

  /// Puts the characteristics into order and finds the room for their descriptors: from behind the value to the next
  /// declaration or the end of the service.
  ///
  /// - Throws: `.protocolViolation` if a value lies outside of its service.
  mutating func layOut() throws(RadioFailure) {
    var kept: [Characteristic] = []
    for var characteristic in characteristics {
      guard let index = indexOfService(containing: characteristic.declaration) else {
        notes.append("a characteristic at handle \(characteristic.declaration) belongs to no service; it is ignored")
        continue
      }
      let end = services[index].range.upperBound
      guard characteristic.value <= end else {
        throw .violation("characteristic \(characteristic.uuid) has its value outside of its service")
      }
      if let last = kept.indices.last, kept[last].room.upperBound > characteristic.declaration {
        kept[last].room = kept[last].room.lowerBound..<max(kept[last].room.lowerBound, characteristic.declaration)
      }
      characteristic.room = characteristic.value + 1..<end + 1
      kept.append(characteristic)
    }
    characteristics = kept
  }

  /// Adds a descriptor to the characteristic in whose room it lies; `false` if there is none, or it is known.
  mutating func add(_ handle: Int, _ uuid: BluetoothUUID) -> Bool {
    var low = 0
    var high = characteristics.count
    while low < high {
      let middle = (low + high) / 2
      if characteristics[middle].declaration <= handle { low = middle + 1 } else { high = middle }
    }
    guard low > 0, characteristics[low - 1].room.contains(handle) else { return false }
    let descriptor = RemoteDescriptor(handle: AttributeHandle(UInt16(clamping: handle)), uuid: uuid)
    let known = characteristics[low - 1].descriptors
    let place = known.firstIndex { $0.handle >= descriptor.handle } ?? known.count
    if place < known.count, known[place].handle == descriptor.handle { return false }
    characteristics[low - 1].descriptors.insert(descriptor, at: place)
    return true
  }

  /// The handles where there may be descriptors that are not known, in order.
  var gaps: [ClosedRange<Int>] {
    var gaps: [ClosedRange<Int>] = []
    for characteristic in characteristics {
      var start = characteristic.room.lowerBound
      for descriptor in characteristic.descriptors {
        let handle = Int(descriptor.handle.rawValue)
        if start < handle { gaps.append(start...(handle - 1)) }
        start = handle + 1
      }
      if start < characteristic.room.upperBound { gaps.append(start...(characteristic.room.upperBound - 1)) }
    }
    return gaps
  }

  // MARK: The result

  /// The services with all that is in them.
  mutating func assemble() -> [RemoteService] {
    for include in includes {
      guard let index = indexOfService(containing: include.handle), let uuid = include.uuid else {
        notes.append("an included service at handle \(include.handle) belongs to no service; it is ignored")
        continue
      }
      services[index].includedServices.append(
        RemoteInclude(
          handle: AttributeHandle(UInt16(clamping: include.handle)),
          serviceHandle: AttributeHandle(UInt16(clamping: include.service.lowerBound)),
          endHandle: AttributeHandle(UInt16(clamping: include.service.upperBound)),
          uuid: uuid
        )
      )
    }
    for characteristic in characteristics {
      guard let index = indexOfService(containing: characteristic.declaration) else { continue }
      services[index].characteristics.append(
        RemoteCharacteristic(
          declarationHandle: AttributeHandle(UInt16(clamping: characteristic.declaration)),
          handle: AttributeHandle(UInt16(clamping: characteristic.value)),
          uuid: characteristic.uuid,
          properties: characteristic.properties,
          descriptors: characteristic.descriptors
        )
      )
    }
    return services
  }
}

extension RemoteService {
  /// The handles that belong to the service.
  fileprivate var range: ClosedRange<Int> {
    Int(handle.rawValue)...max(Int(handle.rawValue), Int(endHandle.rawValue))
  }
}
