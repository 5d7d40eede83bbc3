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

  package init() {}
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
  package mutating func dropLinks(of id: ControllerID, reason: HCIStatus?, now: RadioInstant) {
    advance(to: now)
    for link in links.filter({ $0.side(of: id) != nil }).map(\.id) {
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

  /// Pauses with the packet of data with which so many have passed on the links of a controller from now on.
  package mutating func watchPacket(_ number: Int, of id: ControllerID, as name: Int) {
    packetWatches.append(PacketWatch(controller: id, left: number, name: name))
  }

  /// Waits for a packet no longer.
  package mutating func unwatchPacket(_ name: Int) {
    packetWatches.removeAll { $0.name == name }
    firedWatches.removeAll { $0 == name }
  }

  /// Whether a watched packet has passed, so that nothing else does before it was seen to.
  package var isPaused: Bool { !firedWatches.isEmpty }

  /// What was to be done with the watched packets is done: time goes on.
  package mutating func endPause() { firedWatches = [] }

  /// A packet of data has passed on a link.
  mutating func notePacket(of position: Int) {
    guard !packetWatches.isEmpty else { return }
    for index in packetWatches.indices where links[position].side(of: packetWatches[index].controller) != nil {
      packetWatches[index].left &-= 1
      if packetWatches[index].left == 0 { firedWatches.append(packetWatches[index].name) }
    }
    packetWatches.removeAll { $0.left <= 0 }
  }

  // MARK: Late packets

  /// How much later than from the air data of a link reaches its host.
  func delay(of position: Int) -> Int64 {
    let ends = links.span[position].ends
    return max(delay(at: ends.central.controller), delay(at: ends.peripheral.controller))
  }

  private func delay(at id: ControllerID) -> Int64 { index(of: id).map { controllers[$0].trouble.delay } ?? 0 }

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
    controllers[index].deliver(item.fragment, handle: links[position][item.side].handle)
  }
}

/// Waits for a packet on the links of a controller.
struct PacketWatch: Sendable {
  var controller: ControllerID
  /// How many packets are still to pass.
  var left: Int
  var name: Int
}
