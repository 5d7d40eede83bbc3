import CoreBluetooth
import Foundation

/// Does something again and again until it is told to stop.
package protocol Repeater {
  /// Begins.
  ///
  /// - Returns: What stops it.
  func start(every seconds: TimeInterval, _ work: @escaping () -> Void) -> () -> Void
}

/// The peripheral's part: two services, advertised when both are there; it answers who reads and writes, and sends the
/// time to who has subscribed.
package final class PeripheralWalk: NSObject {
  private let notesUUID = CBUUID(string: "FFF0")
  private let noteUUID = CBUUID(string: "FFF2")
  private let archiveUUID = CBUUID(string: "FFE0")

  private let name: String
  private let repeater: any Repeater
  private let now: () -> String
  private let log: (String) -> Void
  private let options: [String: Any]?
  private lazy var manager = CBPeripheralManager(delegate: self, queue: .main, options: options)
  private var services: [CBMutableService] = []
  /// What the notes say at first. With a value before it is added, a characteristic would keep that for ever.
  private var texts: [(CBMutableCharacteristic, String)] = []
  private var confirmed = 0
  private var stop: (() -> Void)?
  /// What is still to be sent because there was no room.
  private var unsent: Data?
  private let timeCharacteristic = CBMutableCharacteristic(
    type: CBUUID(string: "FFF1"),
    properties: .notify,
    value: nil,
    permissions: .readable
  )

  /// - Parameters:
  ///   - name: What is advertised.
  ///   - options: Go to the manager.
  ///   - repeater: How time passes.
  ///   - now: The time as it is sent.
  package init(
    named name: String,
    options: [String: Any]? = nil,
    repeater: any Repeater,
    now: @escaping () -> String,
    log: @escaping (String) -> Void
  ) {
    self.name = name
    self.repeater = repeater
    self.now = now
    self.log = log
    self.options = options
    super.init()
    _ = manager
  }

  private func setUp() {
    let note = CBMutableCharacteristic(
      type: noteUUID,
      properties: [.read, .write],
      value: nil,
      permissions: [.readable, .writeable]
    )
    note.descriptors = [
      CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "A note for all")
    ]
    // The same UUID once more, in another service: what names an attribute is the attribute.
    let oldNote = CBMutableCharacteristic(type: noteUUID, properties: .read, value: nil, permissions: .readable)

    let notes = CBMutableService(type: notesUUID, primary: true)
    notes.characteristics = [timeCharacteristic, note]
    let archive = CBMutableService(type: archiveUUID, primary: true)
    archive.characteristics = [oldNote]
    services = [notes, archive]
    texts = [(note, "empty"), (oldNote, "from long ago")]
    confirmed = 0
    // When the power was off and is on again, those of before are still there.
    manager.removeAllServices()
    for service in services { manager.add(service) }
  }

  private func send(_ value: Data) {
    unsent = manager.updateValue(value, for: timeCharacteristic, onSubscribedCentrals: nil) ? nil : value
  }
}

extension PeripheralWalk: CBPeripheralManagerDelegate {
  package func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return log("can not serve: state \(peripheral.state.rawValue)") }
    log("powered on, adding services")
    setUp()
  }

  package func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
    if let error { return log("\(service.uuid.uuidString) was not added: \(error.localizedDescription)") }
    log("service \(service.uuid.uuidString) is there")
    confirmed += 1
    guard confirmed == services.count else { return }
    for (characteristic, text) in texts { characteristic.value = Data(text.utf8) }
    peripheral.startAdvertising([
      CBAdvertisementDataLocalNameKey: name,
      CBAdvertisementDataServiceUUIDsKey: services.map(\.uuid),
    ])
  }

  package func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
    log(error.map { "not advertising: \($0.localizedDescription)" } ?? "advertising")
  }

  package func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    guard request.characteristic.properties.contains(.read) else {
      return peripheral.respond(to: request, withResult: .readNotPermitted)
    }
    let value = request.characteristic.value ?? Data()
    guard request.offset <= value.count else { return peripheral.respond(to: request, withResult: .invalidOffset) }
    request.value = value.dropFirst(request.offset)
    peripheral.respond(to: request, withResult: .success)
  }

  package func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    guard let first = requests.first else { return }
    // All or nothing, and one answer.
    var values: [(CBMutableCharacteristic, Data)] = []
    for request in requests {
      guard let characteristic = request.characteristic as? CBMutableCharacteristic,
        characteristic.properties.contains(.write)
      else { return peripheral.respond(to: first, withResult: .writeNotPermitted) }
      let old = characteristic.value ?? Data()
      guard request.offset <= old.count else { return peripheral.respond(to: first, withResult: .invalidOffset) }
      values.append((characteristic, old.prefix(request.offset) + (request.value ?? Data())))
    }
    for (characteristic, value) in values {
      characteristic.value = value
      log("\(characteristic.uuid.uuidString) is now \(String(decoding: value, as: UTF8.self))")
    }
    peripheral.respond(to: first, withResult: .success)
  }

  package func peripheralManager(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  ) {
    log("\(characteristic.uuid.uuidString) has a subscriber")
    guard stop == nil else { return }
    stop = repeater.start(every: 2) { [weak self] in
      guard let self else { return }
      send(Data(now().utf8))
    }
  }

  package func peripheralManager(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    log("\(characteristic.uuid.uuidString) has lost a subscriber")
    guard timeCharacteristic.subscribedCentrals?.isEmpty ?? true else { return }
    stop?()
    stop = nil
  }

  package func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    if let unsent { send(unsent) }
  }
}
