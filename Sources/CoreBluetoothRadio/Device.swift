import BluetoothTypes
import CoreBluetooth
import RadioPort

/// One remote device as the radio knows it. It belongs to the radio and is used on its executor only.
final class Device {
  typealias Completion<Value> = @Sendable (Result<Value, RadioFailure>) -> Void

  struct Claim {
    let id: ClaimID
    let events: @Sendable (LinkEvent) -> Void
    /// Gone once it was called.
    var completion: Completion<LinkID>?
  }

  /// What the framework was asked for and has not answered. Its answers name the attribute, not the question, so those
  /// of one kind and attribute are told apart by their order.
  struct Operation {
    enum Kind { case read, write, rssi }

    let id: RequestID
    let kind: Kind
    let attribute: CBAttribute?
    let finish: (Result<Outcome, RadioFailure>) -> Void
    /// Keeps its place, but nobody wants the result.
    var isAbandoned = false
  }

  enum Outcome {
    case bytes([UInt8])
    case number(Int)
    case done
  }

  /// A value that waits to be sent without response.
  struct Unsent {
    let id: RequestID
    let value: Data
    let characteristic: CBCharacteristic
    let completion: Completion<Void>
  }

  let peer: PeerID
  var peripheral: CBPeripheral?
  var link: LinkID?
  var claims: [Claim] = []
  /// What the system is to tell the user of; as the first of the claims wishes.
  var alerts: LinkAlerts = []
  /// Who waits for the end of the link that was released.
  var releases: [@Sendable () -> Void] = []
  var bound: RadioTimer?
  /// All services, once they were discovered on this link.
  var services: [BluetoothUUID]?
  var attributes = AttributeNames()
  var discoveries: [Discovery] = []
  var operations: [Operation] = []
  var unsent: [Unsent] = []
  var subscriptions: [AttributeHandle: Subscribers] = [:]
  /// Channels that are being opened; the first is with the framework.
  var openings: [ChannelOpening] = []

  init(_ peer: PeerID) { self.peer = peer }

  /// The longest ATT PDU, as far as the framework lets it be known.
  var mtu: Int { (peripheral?.maximumWriteValueLength(for: .withoutResponse) ?? 20) + 3 }

  /// The link is gone, or will not come: all that is pending ends, then its owners are told.
  func end(_ failure: RadioFailure) {
    link = nil
    services = nil
    attributes = AttributeNames()
    let (operations, unsent, discoveries, openings) = (operations, unsent, discoveries, openings)
    let subscriptions = subscriptions.sorted { $0.key < $1.key }
    self.operations = []
    self.unsent = []
    self.discoveries = []
    self.subscriptions = [:]
    self.openings = []
    for operation in operations where !operation.isAbandoned { operation.finish(.failure(failure)) }
    for value in unsent { value.completion(.failure(failure)) }
    for discovery in discoveries { discovery.finish(.failure(failure)) }
    for opening in openings { opening.completion?(.failure(failure)) }
    for (_, subscribers) in subscriptions { subscribers.end(failure) }
    let claims = claims
    self.claims = []
    for claim in claims {
      if let completion = claim.completion {
        completion(.failure(failure))
      } else {
        claim.events(.disconnected(failure))
      }
    }
  }

  func tell(_ event: LinkEvent) {
    for claim in claims where claim.completion == nil { claim.events(event) }
  }

  func abandon(_ request: RequestID) {
    for index in operations.indices where operations[index].id == request { operations[index].isAbandoned = true }
    unsent.removeAll { $0.id == request }
    for discovery in discoveries where discovery.id == request { discovery.isAbandoned = true }
  }

  // MARK: Reading and writing

  private func finish(_ kind: Operation.Kind, _ attribute: CBAttribute?, _ result: Result<Outcome, RadioFailure>)
    -> Bool
  {
    guard let index = operations.firstIndex(where: { $0.kind == kind && $0.attribute === attribute }) else {
      return false
    }
    let operation = operations.remove(at: index)
    if !operation.isAbandoned { operation.finish(result) }
    return true
  }

  private static func unknown(_ handle: AttributeHandle) -> RadioFailure {
    RadioFailure(.invalidArgument, reason: "there is no attribute \(handle): discover services again")
  }

  func readRSSI(_ id: RequestID, _ completion: @escaping Completion<Int>) {
    operations.append(
      Operation(id: id, kind: .rssi, attribute: nil) { result in
        completion(result.map { if case .number(let value) = $0 { value } else { 0 } })
      }
    )
    peripheral?.readRSSI()
  }

  func rssiRead(_ value: Int, _ error: (any Error)?) {
    let failed = error != nil || value == 127
    let failure = RadioFailure(error, otherwise: .controller, "the strength of the link is not known")
    _ = finish(.rssi, nil, failed ? .failure(failure) : .success(.number(value)))
  }

  func read(_ handle: AttributeHandle, _ id: RequestID, _ completion: @escaping Completion<[UInt8]>) {
    guard let attribute = attributes.object(handle) else { return completion(.failure(Self.unknown(handle))) }
    operations.append(
      Operation(id: id, kind: .read, attribute: attribute) { result in
        completion(result.map { if case .bytes(let bytes) = $0 { bytes } else { [] } })
      }
    )
    switch attribute {
    case let characteristic as CBCharacteristic: peripheral?.readValue(for: characteristic)
    case let descriptor as CBDescriptor: peripheral?.readValue(for: descriptor)
    default: _ = finish(.read, attribute, .failure(Self.unknown(handle)))
    }
  }

  /// A value that was read or notified; which of the two, the framework does not tell.
  func valueCame(_ characteristic: CBCharacteristic, _ error: (any Error)?) {
    guard error == nil else {
      let failure = RadioFailure(error, otherwise: .att, "the value of \(characteristic.uuid) could not be read")
      return _ = finish(.read, characteristic, .failure(failure))
    }
    let bytes = [UInt8](characteristic.value ?? Data())
    let wasRead = finish(.read, characteristic, .success(.bytes(bytes)))
    if !wasRead, let handle = attributes.handle(characteristic) { subscriptions[handle]?.deliver(bytes) }
  }

  func valueRead(_ descriptor: CBDescriptor, _ error: (any Error)?) {
    let failure = RadioFailure(error, otherwise: .att, "the value of \(descriptor.uuid) could not be read")
    _ = finish(.read, descriptor, error == nil ? .success(.bytes(Self.bytes(of: descriptor.value))) : .failure(failure))
  }

  /// The framework tells some descriptors as text and numbers.
  private static func bytes(of value: Any?) -> [UInt8] {
    switch value {
    case let data as Data: [UInt8](data)
    case let text as String: [UInt8](text.utf8)
    case let number as NSNumber: [UInt8(number.uint16Value & 0xFF), UInt8(number.uint16Value &>> 8)]
    default: []
    }
  }

  func write(_ value: [UInt8], to handle: AttributeHandle, _ id: RequestID, _ completion: @escaping Completion<Void>) {
    guard let attribute = attributes.object(handle) else { return completion(.failure(Self.unknown(handle))) }
    guard value.count <= 512 else {
      return completion(.failure(RadioFailure(.tooLong, reason: "\(value.count) bytes: a value has 512 at most")))
    }
    if let descriptor = attribute as? CBDescriptor, descriptor.uuid == CBUUID(string: "2902") {
      return completion(
        .failure(RadioFailure(.unsupported, reason: "this system writes the client configuration itself: subscribe"))
      )
    }
    operations.append(
      Operation(id: id, kind: .write, attribute: attribute) { result in completion(result.map { _ in }) }
    )
    switch attribute {
    case let characteristic as CBCharacteristic:
      peripheral?.writeValue(Data(value), for: characteristic, type: .withResponse)
    case let descriptor as CBDescriptor: peripheral?.writeValue(Data(value), for: descriptor)
    default: _ = finish(.write, attribute, .failure(Self.unknown(handle)))
    }
  }

  func written(_ attribute: CBAttribute, _ error: (any Error)?) {
    let failure = RadioFailure(error, otherwise: .att, "the value of \(attribute.uuid) could not be written")
    _ = finish(.write, attribute, error == nil ? .success(.done) : .failure(failure))
  }

  func send(_ value: [UInt8], to handle: AttributeHandle, _ id: RequestID, _ completion: @escaping Completion<Void>) {
    guard let characteristic = attributes.object(handle) as? CBCharacteristic else {
      return completion(.failure(Self.unknown(handle)))
    }
    guard value.count <= mtu - 3 else {
      return completion(
        .failure(RadioFailure(.tooLong, reason: "\(counted(value.count, "byte")): \(mtu - 3) fit without response"))
      )
    }
    guard characteristic.properties.contains(.writeWithoutResponse) else {
      return completion(
        .failure(RadioFailure(.unsupported, reason: "this system sends no such value to \(characteristic.uuid)"))
      )
    }
    unsent.append(Unsent(id: id, value: Data(value), characteristic: characteristic, completion: completion))
    sendWaiting()
  }

  func sendWaiting() {
    while let next = unsent.first, let peripheral, peripheral.canSendWriteWithoutResponse {
      unsent.removeFirst()
      peripheral.writeValue(next.value, for: next.characteristic, type: .withoutResponse)
      next.completion(.success(()))
    }
  }
}
