import BluetoothTypes
import Foundation
import RadioPort

/// Names what a peer listens for, as L2CAP channels are opened to it: 0x0001 to 0x00FF, dynamic ones from 0x0080 on
/// (Core 5.4, Vol 3, Part A, 4.22).
public typealias CBL2CAPPSM = UInt16

/// A stream of bytes in each direction between this program and a peer.
///
/// It stays open for as long as somebody keeps it, until both streams are closed, the peer closes it, or the connection
/// ends. What was written before is sent first, for which the peer has 5 s.
open class CBL2CAPChannel: NSObject {
  private let guardedPeer: CBPeer
  private let number: CBL2CAPPSM
  private let input: ChannelInputStream
  private let output: ChannelOutputStream
  private let session: ChannelSession

  init(_ session: ChannelSession, psm: L2CAPPSM, peer: CBPeer) {
    self.session = session
    guardedPeer = peer
    number = psm.rawValue
    input = ChannelInputStream(session.pipe)
    output = ChannelOutputStream(session.pipe)
  }

  deinit { session.perform { $0.close() } }

  // The types are Apple's, so that code written for them compiles.

  /// The peer at the other end: a ``CBPeripheral`` where this program has opened the channel, else a ``CBCentral``.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var peer: CBPeer! { guardedPeer }

  /// What comes from the peer. It has to be opened. While nobody reads, the peer is stopped by and by.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var inputStream: InputStream! { input }

  /// What goes to the peer. It has to be opened. What is written at once goes as one SDU, if the peer takes as much.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var outputStream: OutputStream! { output }

  /// What the channel was opened to.
  open var psm: CBL2CAPPSM { number }

  /// The class, the peer and the PSM.
  open override var description: String { "\(address(of: self)), peer = \(guardedPeer), psm = \(number)>" }
}
