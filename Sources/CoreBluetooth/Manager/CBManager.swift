import Dispatch
import Foundation
import RadioPort
import SystemRadio

/// Whether a manager can be used.
public enum CBManagerState: Int, Sendable {
  /// Not known yet; it soon will be.
  case unknown = 0
  /// The connection to the radio is lost for the moment.
  case resetting = 1
  /// There is no radio for Low Energy.
  case unsupported = 2
  /// This program may not use the radio.
  case unauthorized = 3
  /// The radio is off.
  case poweredOff = 4
  /// The radio is on and can be used.
  case poweredOn = 5

  init(_ state: RadioState) {
    self =
      switch state.power {
      case .unknown: .unknown
      case .resetting: .resetting
      case .unsupported: .unsupported
      case .unauthorized: .unauthorized
      case .poweredOff: .poweredOff
      case .poweredOn: .poweredOn
      }
  }
}

/// Whether the user lets this program use Bluetooth.
public enum CBManagerAuthorization: Int, Sendable {
  /// Nobody has asked the user yet.
  case notDetermined = 0
  /// The program may not, and the user can not change that.
  case restricted = 1
  /// The user does not want it.
  case denied = 2
  /// The program may use Bluetooth.
  case allowedAlways = 3

  fileprivate init(_ state: CBManagerState) { self = state == .unauthorized ? .denied : .allowedAlways }
}

/// The states of a central manager, as they were called before the peripheral manager had the same.
@available(*, deprecated, renamed: "CBManagerState")
public enum CBCentralManagerState: Int, Sendable {
  /// Not known yet; it soon will be.
  case unknown = 0
  /// The connection to the radio is lost for the moment.
  case resetting = 1
  /// There is no radio for Low Energy.
  case unsupported = 2
  /// This program may not use the radio.
  case unauthorized = 3
  /// The radio is off.
  case poweredOff = 4
  /// The radio is on and can be used.
  case poweredOn = 5
}

/// What central and peripheral managers have in common.
open class CBManager: NSObject {
  /// The radio that a manager uses, and its way to the app.
  struct Ground: Sendable {
    let radio: RadioAccess
    let delivery: Delivery
    let isSystemRadio: Bool

    init(queue: DispatchQueue?, options: [String: Any]?) {
      let radio: any Radio
      switch options?[CBManagerOptionRadioKey] {
      case let given as any Radio: radio = given
      case nil: radio = SystemRadio.default
      case .some(let other):
        Misuse.raise("The option CBManagerOptionRadioKey takes a Radio, but was given a \(type(of: other)).")
      }
      isSystemRadio = options?[CBManagerOptionRadioKey] == nil
      self.radio = RadioAccess(radio)
      delivery = Delivery(executor: radio.executor, queue: queue)
    }
  }

  /// What is known of the radio of the process, for what is asked of the class.
  private static let systemAuthorization = Guarded(CBManagerAuthorization.allowedAlways)

  let radio: RadioAccess
  let delivery: Delivery
  private let usesSystemRadio: Bool
  private let guardedState = Guarded(CBManagerState.unknown)

  init(_ ground: Ground) {
    radio = ground.radio
    delivery = ground.delivery
    usesSystemRadio = ground.isSystemRadio
  }

  /// Whether the manager can be used. It changes just before the delegate is told.
  open var state: CBManagerState {
    ObservedProperties.note(.state, of: self)
    return guardedState.withLock { $0 }
  }

  func setState(_ state: CBManagerState) {
    if usesSystemRadio { Self.systemAuthorization.withLock { $0 = CBManagerAuthorization(state) } }
    ObservedProperties.change(self, .state) { guardedState.withLock { $0 = state } }
  }

  /// Whether this program may use Bluetooth. Linux asks nobody: it may, unless the radio of the process has refused it
  /// to a manager.
  open class var authorization: CBManagerAuthorization { systemAuthorization.withLock { $0 } }

  /// Whether this program may use the manager's radio.
  @available(*, deprecated, message: "use the class property")
  open var authorization: CBManagerAuthorization { CBManagerAuthorization(guardedState.withLock { $0 }) }

  /// Tells the log why the radio can not be used, which Apple's states do not say.
  ///
  /// - Parameters:
  ///   - former: The state until now: a radio that was in use and goes off needs no explanation.
  ///   - showsPowerAlert: Whether it is to be told in every case that the radio is off, as there is no dialog.
  func explain(_ radio: RadioState, after former: CBManagerState, showsPowerAlert: Bool) {
    if showsPowerAlert, CBManagerState(radio) == .poweredOff {
      Misuse.warn("\(self): Bluetooth is off, turn it on to let this program use it")
    }
    switch CBManagerState(radio) {
    case .unsupported: Misuse.warn(radio.reason ?? "there is no Bluetooth Low Energy here")
    case .unauthorized: Misuse.warn(radio.reason ?? "this program may not use Bluetooth")
    case .poweredOff where former == .unknown: if let reason = radio.reason { Misuse.warn(reason) }
    default: break
    }
  }

  /// Whether commands are taken; says so in the log if they are not.
  func isReadyForCommands() -> Bool {
    if state == .poweredOn { return true }
    Misuse.log("\(self) can only accept this command while in the powered on state")
    return false
  }

  /// The class and the address.
  open override var description: String { address(of: self) + ">" }
}
