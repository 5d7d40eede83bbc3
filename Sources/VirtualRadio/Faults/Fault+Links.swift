import BluetoothTypes
import RadioPort

/// Who is at the other end of the links that a fault is about.
enum FaultPartner: Sendable {
  case device(VirtualDevice)
  case radio(any Radio)
  case peer(PeerID)
  case named(String)
}

extension Fault {
  /// The same fault on the links to one peer alone; those to others go well.
  ///
  /// For what happens to links, ``dropLink(reason:at:)``, ``losePackets(_:_:from:for:)``, ``delayPackets(by:from:for:)`` and
  /// ``outOfRange(from:for:)``, where it means that the two do not hear each other; and for answers to requests and to wishes
  /// for channels, where it means those of this peer. The packets of `.packet` are counted on these links. Other faults strike the device itself,
  /// and with a peer ``Faults/add(_:)`` refuses them.
  ///
  /// - Parameter peer: Who shows the address that this identifier was made from.
  public func onLinks(to peer: PeerID) -> Fault {
    onLinks(to: .peer(peer), peer.address.map { "\($0)" } ?? "\(peer)")
  }

  /// The same fault on the links to one device alone.
  public func onLinks(to device: some DeviceHandle) -> Fault {
    onLinks(to: .device(device.device), device.device.name)
  }

  /// The same fault on the links to one radio of the same world alone, such as ``World/radio``.
  public func onLinks(to radio: any Radio) -> Fault { onLinks(to: .radio(radio), "one radio") }

  /// The same fault on the links to all of a name.
  func onLinks(named name: String) -> Fault { onLinks(to: .named(name), name) }

  private func onLinks(to partner: FaultPartner, _ words: String) -> Fault {
    var fault = self
    fault.partner = partner
    fault.description += " (links to \(words))"
    return fault
  }

  /// Whether it can strike some links and leave others alone.
  var canBeOfOneLink: Bool {
    switch effect {
    case .drop, .lose, .delay, .outOfRange, .answer, .answerChannel: true
    default: false
    }
  }
}

extension World {
  /// Who is meant; `nil` for who is not in this world.
  func partner(_ partner: FaultPartner) -> LinkPartner? {
    switch partner {
    case .device(let device): device.world === self ? .controller(device.channel.controller) : nil
    case .radio(let radio): controller(of: radio).map { .controller($0) }
    case .peer(let peer): peer.address.map { .address($0) }
    case .named(let name): .name(name)
    }
  }
}
