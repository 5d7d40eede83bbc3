import Foundation
import RadioPort

/// A request of a central to read or to write a value of this program's.
open class CBATTRequest: NSObject {
  /// What the requests that are answered together have in common.
  final class Group: Sendable {
    let id: ServerRequestID
    let wantsResponse: Bool
    private let isAnswered = Guarded(false)
    let session: ServerSession

    init(_ id: ServerRequestID, wantsResponse: Bool, _ session: ServerSession) {
      self.id = id
      self.wantsResponse = wantsResponse
      self.session = session
    }

    /// What is gone can not be answered any more, and the central would wait until it gives up the link.
    deinit {
      guard wantsResponse, answer() else { return }
      let id = id
      session.perform { $0.refuseForgotten(id) }
    }

    /// Notes the answer; `false` if there was one before.
    func answer() -> Bool {
      isAnswered.withLock { isAnswered in
        defer { isAnswered = true }
        return !isAnswered
      }
    }
  }

  /// Who asks.
  public let central: CBCentral
  /// What it asks for.
  public let characteristic: CBCharacteristic
  /// Where in the value it begins.
  public let offset: Int
  let group: Group
  private let guardedValue: Guarded<Data?>

  init(_ group: Group, _ central: CBCentral, _ characteristic: CBCharacteristic, offset: Int, value: Data?) {
    self.group = group
    self.central = central
    self.characteristic = characteristic
    self.offset = offset
    guardedValue = Guarded(value)
  }

  /// What is written; for a read, to be set to the value from ``offset`` on before the answer.
  open var value: Data? {
    get { guardedValue.withLock { $0 } }
    set { guardedValue.withLock { $0 = newValue } }
  }

  /// The class, the central, the characteristic and the part.
  open override var description: String {
    "\(address(of: self)), central = \(central), characteristic = \(characteristic), offset = \(offset)>"
  }
}
