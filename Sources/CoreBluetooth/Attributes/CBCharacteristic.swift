import BluetoothTypes
import Foundation
import RadioPort

/// A characteristic of a remote device or, as ``CBMutableCharacteristic``, one that is published here.
open class CBCharacteristic: CBAttribute {
  struct State {
    weak var service: CBService?
    var properties: CBCharacteristicProperties
    var value: Data?
    var descriptors: [CBDescriptor]?
    var isNotifying = false
  }

  let guarded: Guarded<State>
  /// What the radio knows it as; `nil` for a characteristic that is published here.
  let remote: RemoteCharacteristic?

  init(
    uuid: CBUUID,
    properties: CBCharacteristicProperties,
    value: Data? = nil,
    remote: RemoteCharacteristic? = nil,
    service: CBService? = nil
  ) {
    self.remote = remote
    guarded = Guarded(State(service: service, properties: properties, value: value))
    super.init(uuid: uuid)
  }

  convenience init(_ remote: RemoteCharacteristic, in service: CBService) {
    self.init(
      uuid: CBUUID(remote.uuid),
      // The two bits of the Extended Properties descriptor have another meaning in Apple's set.
      properties: CBCharacteristicProperties(rawValue: UInt(remote.properties.rawValue & 0xFF)),
      remote: remote,
      service: service
    )
  }

  /// The service that it belongs to; `nil` if nobody keeps that.
  open var service: CBService? { guarded.withLock { $0.service } }

  /// What it allows.
  open var properties: CBCharacteristicProperties {
    ObservedProperties.note(.properties, of: self)
    return guarded.withLock { $0.properties }
  }

  /// The value that was read or notified last.
  open var value: Data? {
    ObservedProperties.note(.value, of: self)
    return guarded.withLock { $0.value }
  }

  /// The descriptors, if they were discovered.
  open var descriptors: [CBDescriptor]? {
    ObservedProperties.note(.descriptors, of: self)
    return guarded.withLock { $0.descriptors }
  }

  /// Whether the value is broadcast. Nobody can ask for that here or on Apple's platforms, so that it is `false`.
  @available(*, deprecated, message: "values are not broadcast")
  open var isBroadcasted: Bool { false }

  /// Whether values are notified or indicated to this program.
  open var isNotifying: Bool {
    ObservedProperties.note(.isNotifying, of: self)
    return guarded.withLock { $0.isNotifying }
  }

  func setValue(_ value: Data) {
    ObservedProperties.change(self, .value) { guarded.withLock { $0.value = value } }
  }

  func setNotifying(_ isNotifying: Bool) {
    ObservedProperties.change(self, .isNotifying) { guarded.withLock { $0.isNotifying = isNotifying } }
  }

  func setService(_ service: CBService?) { guarded.withLock { $0.service = service } }

  /// The class, the UUID, the properties, the value and whether it notifies.
  open override var description: String {
    let value = value.map { "{length = \($0.count)}" } ?? "(null)"
    let properties = String(properties.rawValue, radix: 16, uppercase: true)
    return "\(address(of: self)), UUID = \(uuid), properties = 0x\(properties), "
      + "value = \(value), notifying = \(isNotifying ? "YES" : "NO")>"
  }
}
