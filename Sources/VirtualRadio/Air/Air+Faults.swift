import BluetoothTypes
import HostStack
import RadioPort

/// What is the matter with a controller's links and advertising.
package struct LinkTrouble: Hashable, Sendable {
  /// The share of the packets that it sends and nobody hears.
  package var sendingLoss = 0.0
  /// The share of the packets that it does not hear.
  package var receivingLoss = 0.0
  /// How much later than from the air data of its links reaches a host, in nanoseconds.
  package var delay: Int64 = 0
  /// Nobody hears its advertising.
  package var isMuted = false
  /// Nobody hears it at all, and it hears nobody.
  package var isOutOfRange = false
  /// What else is the matter with its links to some alone.
  package var partial: [PartialTrouble] = []

  package init() {}

  /// Whether packets of links get lost.
  var losesPackets: Bool { sendingLoss > 0 || receivingLoss > 0 || !partial.isEmpty }

  /// Loses packets by one more cause.
  package mutating func lose(sending: Double, receiving: Double) {
    sendingLoss = 1 - (1 - sendingLoss) * (1 - sending)
    receivingLoss = 1 - (1 - receivingLoss) * (1 - receiving)
  }
}

/// What is the matter with a controller's links to some others alone.
package struct PartialTrouble: Hashable, Sendable {
  /// Whose links they are, at their other ends.
  package var partner: LinkPartner
  package var sendingLoss = 0.0
  package var receivingLoss = 0.0
  /// In nanoseconds.
  package var delay: Int64 = 0
  package var isOutOfRange = false

  package init(_ partner: LinkPartner) { self.partner = partner }
}

/// Who is at the other end of a link, however that is said.
package enum LinkPartner: Hashable, Sendable {
  case controller(ControllerID)
  /// The one that shows this address, of either type.
  case address(BluetoothAddress)
  /// All of this name; `program` is the name of all that other programs have attached.
  case name(String)

  /// Whether a name is meant by another.
  static func covers(_ wish: String, _ name: String) -> Bool {
    wish == name || wish == "program" && name.hasPrefix("program ")
  }
}

/// Data that has arrived and that its host gets later.
struct LateDelivery: Sendable {
  var due: Int64
  var link: Int
  var side: LinkSide
  var fragment: DataFragment
}

// Faults that come from outside: what a test or a scene wants to go wrong.
extension Air {
  /// Changes what is the matter with a controller.
  package mutating func setTrouble(_ trouble: LinkTrouble, of id: ControllerID, now: RadioInstant) {
    advance(to: now)
    guard let index = index(of: id), controllers[index].trouble != trouble else { return }
    controllers[index].trouble = trouble
    refreshSpace()
  }

  /// Ends all links of a controller.
  ///
  /// - Parameter reason: What the other ends hear; `nil` for nothing: the ends stay deaf to each other until their time
  ///   is over.
  package mutating func dropLinks(
    of id: ControllerID,
    to partner: LinkPartner? = nil,
    reason: HCIStatus?,
    now: RadioInstant
  ) {
    advance(to: now)
    for link in links.filter({ isLink($0, of: id, to: partner) }).map(\.id) {
      guard let position = position(ofLink: link), let side = links[position].side(of: id) else { continue }
      guard let reason else {
        links[position].cut(now: time)
        continue
      }
      closeEnd(side.other, of: link, reason: reason, now: time)
      closeEnd(side, of: link, reason: Self.localReason(for: reason), now: time)
    }
    collectOutputs()
  }

  /// What an end hears whose host has ended a link with a reason (Core 5.4, Vol 4, Part E, 7.7.5); what no host gives as a
  /// reason strikes both ends alike.
  private static func localReason(for reason: HCIStatus) -> HCIStatus {
    [0x13, 0x14, 0x15].contains(reason.rawValue) ? .connectionTerminatedByLocalHost : reason
  }

  /// Pauses with the packet of data with which so many have passed on the links of a controller, or on those to a
  /// partner, from now on.
  package mutating func watchPacket(_ number: Int, of id: ControllerID, to partner: LinkPartner? = nil, as name: Int) {
    packetWatches.append(PacketWatch(controller: id, partner: partner, left: number, name: name))
  }

  /// Waits for a packet no longer.
  package mutating func unwatchPacket(_ name: Int) {
    packetWatches.removeAll { $0.name == name }
    firedWatches.removeAll { $0 == name }
  }

  /// Whether a watched packet has passed, so that nothing else does before it was seen to.
  @inline(__always)
  package var isPaused: Bool { !firedWatches.isEmpty }

  /// What was to be done with the watched packets is done: time goes on.
  package mutating func endPause() { firedWatches = [] }

  /// A packet of data has passed on a link.
  mutating func notePacket(of position: Int) {
    guard !packetWatches.isEmpty else { return }
    for index in packetWatches.indices {
      let watch = packetWatches[index]
      guard isLink(links[position], of: watch.controller, to: watch.partner) else { continue }
      packetWatches[index].left &-= 1
      if packetWatches[index].left == 0 { firedWatches.append(packetWatches[index].name) }
    }
    packetWatches.removeAll { $0.left <= 0 }
  }

  // MARK: Late packets

  /// How much later than from the air data of a link reaches its host.
  @inline(__always)
  func delay(of position: Int) -> Int64 {
    let ends = links.span[position].ends
    let (central, peripheral) = (ends.central.controller, ends.peripheral.controller)
    return max(delay(at: central, towards: peripheral), delay(at: peripheral, towards: central))
  }

  @inline(__always)
  private func delay(at id: ControllerID, towards other: ControllerID) -> Int64 {
    guard let index = index(of: id) else { return 0 }
    let delay = controllers.span[index].trouble.delay
    return controllers.span[index].trouble.partial.isEmpty ? delay : partialDelay(at: index, towards: other, delay)
  }

  private func partialDelay(at index: Int, towards other: ControllerID, _ least: Int64) -> Int64 {
    var delay = least
    guard let other = self.index(of: other) else { return delay }
    for part in controllers[index].trouble.partial where isPartner(part.partner, at: other) {
      delay = max(delay, part.delay)
    }
    return delay
  }

  // MARK: One link

  /// Whether a controller is who is meant.
  func isPartner(_ partner: LinkPartner, at index: Int) -> Bool {
    switch partner {
    case .controller(let id): controllers[index].id == id
    case .name(let name): LinkPartner.covers(name, controllers[index].configuration.name)
    case .address(let address):
      controllers[index].configuration.address.value == address.value
        || controllers[index].randomAddress?.value == address.value
        || controllers[index].sets.contains { $0.randomAddress?.value == address.value }
    }
  }

  /// Whether it is a link of a controller, to whom is meant; `nil` for anybody.
  private func isLink(_ link: AirLink, of id: ControllerID, to partner: LinkPartner?) -> Bool {
    guard let side = link.side(of: id) else { return false }
    guard let partner else { return true }
    // The other end may go by a private address that only this end knows to be its own.
    if case .address(let address) = partner, link[side].peer.value == address.value { return true }
    return index(of: link[side.other].controller).map { isPartner(partner, at: $0) } ?? false
  }

  /// Whether the other end of a link, as one end's host names it, is who is meant.
  package func isPartner(_ partner: LinkPartner, onLinkOf id: ControllerID, handle: UInt16) -> Bool {
    links.contains { link in
      guard let side = link.side(of: id), link[side].handle == handle else { return false }
      return isLink(link, of: id, to: partner)
    }
  }

  /// Whether a fault keeps two controllers from hearing each other.
  func areParted(_ one: Int, _ other: Int) -> Bool {
    controllers[one].trouble.partial.contains { $0.isOutOfRange && isPartner($0.partner, at: other) }
      || controllers[other].trouble.partial.contains { $0.isOutOfRange && isPartner($0.partner, at: one) }
  }

  /// The loss of the packets that a controller sends to another and of those that it should hear from it.
  func losses(of index: Int, towards other: Int) -> (sending: Double, receiving: Double) {
    var trouble = controllers[index].trouble
    for part in controllers[index].trouble.partial where isPartner(part.partner, at: other) {
      trouble.lose(sending: part.sendingLoss, receiving: part.receivingLoss)
    }
    return (trouble.sendingLoss, trouble.receivingLoss)
  }

  /// Puts data aside until it is due; never before what came earlier on the same link.
  mutating func postpone(_ fragment: DataFragment, to side: LinkSide, of position: Int, by delay: Int64) {
    let link = links[position].id
    let last = late.last { $0.link == link && $0.side == side }?.due ?? .min
    late.append(LateDelivery(due: max(time &+ delay, last), link: link, side: side, fragment: fragment))
  }

  /// Delivers what is due.
  mutating func deliverLate(now: Int64) {
    let due = late.filter { $0.due <= now }
    late.removeAll { $0.due <= now }
    for item in due { handOver(item) }
  }

  /// An end leaves its link: what it has heard before comes before the news of that.
  mutating func deliverLate(of link: Int, to side: LinkSide) {
    guard !late.isEmpty else { return }
    let due = late.filter { $0.link == link && $0.side == side }
    late.removeAll { $0.link == link && $0.side == side }
    for item in due { handOver(item) }
  }

  private mutating func handOver(_ item: LateDelivery) {
    guard let position = position(ofLink: item.link), links[position][item.side].isPresent,
      let index = index(of: links[position][item.side].controller)
    else { return }
    var fragment = item.fragment
    controllers[index].deliver(&fragment, handle: links[position][item.side].handle)
  }
}

/// Waits for a packet on the links of a controller.
struct PacketWatch: Sendable {
  var controller: ControllerID
  /// Whom the links are to; `nil` for anybody.
  var partner: LinkPartner?
  /// How many packets are still to pass.
  var left: Int
  var name: Int
}
