import BluetoothTypes
import Foundation
import RadioPort

/// A remote central that uses the services of this program.
open class CBCentral: CBPeer {
  struct State {
    var link: LinkID
    var mtu: Int
  }

  let guarded: Guarded<State>

  init(_ link: LinkID, mtu: Int) {
    guarded = Guarded(State(link: link, mtu: mtu))
    super.init(link.peer)
  }

  /// The longest value that can be sent to the central at once, in bytes.
  open var maximumUpdateValueLength: Int {
    ObservedProperties.note(.maximumUpdateValueLength, of: self)
    return min(512, guarded.withLock { $0.mtu } - 3)
  }

  /// What is known of its connection now.
  func set(_ link: LinkID, mtu: Int) {
    let state = State(link: link, mtu: mtu)
    if guarded.withLock({ $0.mtu == mtu }) { return guarded.withLock { $0 = state } }
    ObservedProperties.change(self, .maximumUpdateValueLength) { guarded.withLock { $0 = state } }
  }

  var link: LinkID { guarded.withLock { $0.link } }

  /// The class and the identifier.
  open override var description: String {
    "\(address(of: self)), identifier = \(peer), MTU = \(guarded.withLock { $0.mtu })>"
  }
}
