import BluetoothTypes
import CoreBluetooth
import RadioPort

/// The names that the radio gives to attributes, as the framework hides the handles.
struct AttributeNames {
  private var objects: [AttributeHandle: CBAttribute] = [:]
  private var handles: [ObjectIdentifier: AttributeHandle] = [:]
  private var services: [ObjectIdentifier: RemoteService] = [:]
  private var last: UInt16 = 0

  func object(_ handle: AttributeHandle) -> CBAttribute? { objects[handle] }

  func handle(_ attribute: CBAttribute) -> AttributeHandle? { handles[ObjectIdentifier(attribute)] }

  private mutating func name(_ attribute: CBAttribute) -> AttributeHandle {
    let handle = number()
    objects[handle] = attribute
    handles[ObjectIdentifier(attribute)] = handle
    return handle
  }

  private mutating func number() -> AttributeHandle {
    last = last == .max ? last : last + 1
    return AttributeHandle(last)
  }

  /// Names a service and all that is in it, in the order of a database; one that has not changed keeps its names.
  mutating func describe(_ service: CBService) -> RemoteService? {
    guard let uuid = BluetoothUUID(service.uuid) else { return nil }
    let characteristics = service.characteristics ?? []
    if let known = services[ObjectIdentifier(service)],
      known.characteristics.map({ Optional($0.handle) }) == characteristics.map({ self.handle($0) })
    {
      return known
    }
    let handle = name(service)
    var remote = RemoteService(handle: handle, endHandle: handle, uuid: uuid, isPrimary: service.isPrimary)
    for characteristic in characteristics {
      guard let uuid = BluetoothUUID(characteristic.uuid) else { continue }
      let declaration = number()
      let value = name(characteristic)
      let descriptors: [RemoteDescriptor] = (characteristic.descriptors ?? []).compactMap { descriptor in
        BluetoothUUID(descriptor.uuid).map { RemoteDescriptor(handle: name(descriptor), uuid: $0) }
      }
      remote.characteristics.append(
        RemoteCharacteristic(
          declarationHandle: declaration,
          handle: value,
          uuid: uuid,
          properties: CharacteristicProperties(rawValue: UInt16(characteristic.properties.rawValue & 0xFF)),
          descriptors: descriptors
        )
      )
    }
    remote.endHandle = AttributeHandle(last)
    services[ObjectIdentifier(service)] = remote
    return remote
  }

  /// Forgets a service.
  ///
  /// - Returns: The handles that it had.
  mutating func remove(_ service: CBService) -> ClosedRange<AttributeHandle>? {
    guard let remote = services.removeValue(forKey: ObjectIdentifier(service)) else { return nil }
    let range = remote.handle...max(remote.handle, remote.endHandle)
    for handle in objects.keys where range.contains(handle) {
      if let object = objects.removeValue(forKey: handle) { handles[ObjectIdentifier(object)] = nil }
    }
    return range
  }
}

/// One discovery of services with all that is in them. As the framework's answers do not name the question, a device has
/// one at a time.
final class Discovery {
  let id: RequestID
  let wanted: [BluetoothUUID]?
  private let completion: Device.Completion<[RemoteService]>
  var isAbandoned = false
  var isRunning = false
  /// The services that were found, and those that they include.
  var services: [CBService] = []
  /// How many answers are still to come.
  var open = 0
  var error: (any Error)?

  init(_ id: RequestID, _ wanted: [BluetoothUUID]?, _ completion: @escaping Device.Completion<[RemoteService]>) {
    self.id = id
    self.wanted = wanted
    self.completion = completion
  }

  func finish(_ result: Result<[RemoteService], RadioFailure>) {
    if !isAbandoned { completion(result) }
  }
}

extension Device {
  func discover(
    _ wanted: [BluetoothUUID]?,
    _ id: RequestID,
    _ completion: @escaping Completion<[RemoteService]>
  ) {
    discoveries.append(Discovery(id, wanted, completion))
    startDiscovery()
  }

  private func startDiscovery() {
    guard let next = discoveries.first, !next.isRunning else { return }
    next.isRunning = true
    next.open = 1
    peripheral?.discoverServices(next.wanted.map { $0.map { CBUUID(string: $0.description) } })
  }

  func servicesDiscovered(_ error: (any Error)?) {
    answered(error) { discovery in explore(peripheral?.services ?? [], discovery) }
  }

  private func explore(_ services: [CBService], _ discovery: Discovery) {
    for service in services where !discovery.services.contains(where: { $0 === service }) {
      discovery.services.append(service)
      discovery.open += 2
      peripheral?.discoverIncludedServices(nil, for: service)
      peripheral?.discoverCharacteristics(nil, for: service)
    }
  }

  func includedServicesDiscovered(_ service: CBService, _ error: (any Error)?) {
    answered(error) { explore(service.includedServices ?? [], $0) }
  }

  func characteristicsDiscovered(_ service: CBService, _ error: (any Error)?) {
    answered(error) { discovery in
      for characteristic in service.characteristics ?? [] {
        discovery.open += 1
        peripheral?.discoverDescriptors(for: characteristic)
      }
    }
  }

  func descriptorsDiscovered(_ error: (any Error)?) { answered(error) { _ in } }

  private func answered(_ error: (any Error)?, _ goOn: (Discovery) -> Void) {
    guard let discovery = discoveries.first, discovery.isRunning else { return }
    discovery.open -= 1
    if let error { discovery.error = discovery.error ?? error } else { goOn(discovery) }
    guard discovery.open == 0 else { return }
    discoveries.removeFirst()
    if let error = discovery.error {
      discovery.finish(.failure(RadioFailure(error, otherwise: .protocolViolation, "the services are not known")))
    } else {
      discovery.finish(.success(describe(discovery.services)))
    }
    startDiscovery()
  }

  private func describe(_ services: [CBService]) -> [RemoteService] {
    var described: [(CBService, RemoteService)] = []
    for service in services {
      if let remote = attributes.describe(service) { described.append((service, remote)) }
    }
    return described.map { service, remote in
      var remote = remote
      remote.includedServices = (service.includedServices ?? []).compactMap { included in
        described.first { $0.0 === included }.map { pair in
          RemoteInclude(
            handle: remote.handle,
            serviceHandle: pair.1.handle,
            endHandle: pair.1.endHandle,
            uuid: pair.1.uuid
          )
        }
      }
      return remote
    }
  }

  func servicesChanged(_ gone: [CBService]) {
    let ranges = gone.compactMap { attributes.remove($0) }
    for range in ranges { tell(.servicesChanged(range)) }
  }
}
