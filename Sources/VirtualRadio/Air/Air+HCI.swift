import BluetoothTypes
import HostStack

// Packets from hosts: commands, and data for links.
extension Air {
  mutating func receiveCommand(_ packet: HCIPacket, at index: Int) {
    // Without a whole opcode there is nothing that an answer could name.
    guard let opcode = try? AnyHCICommand.opcode(of: packet) else { return }
    guard controllers[index].commands.contains(opcode) else {
      return controllers[index].refuse(opcode, .unknownHCICommand)
    }
    guard let command = try? AnyHCICommand(packet) else {
      return controllers[index].refuse(opcode, .invalidHCICommandParameters)
    }
    guard controllers[index].allows(opcode) else { return controllers[index].refuse(opcode, .commandDisallowed) }
    let id = controllers[index].id
    if controllers[index].initiator == nil {
      switch command {
      case .leCreateConnection(let create)
      where create.initiatorFilterPolicy == .peerAddress && isLinked(id, to: create.peerAddress):
        return controllers[index].acknowledge(create, .connectionAlreadyExists)
      case .leExtendedCreateConnection(let create)
      where create.initiatorFilterPolicy == .peerAddress && isLinked(id, to: create.peerAddress):
        return controllers[index].acknowledge(create, .connectionAlreadyExists)
      default: break
      }
    }
    guard !executeLinkCommand(command, at: index) else { return }
    switch controllers[index].execute(command, now: time) {
    case .none: break
    case .activity: refreshActivity(now: time)
    case .reset:
      abandonLinks(of: id, now: time)
      refreshActivity(now: time)
    case .room: resumeData(towards: id, now: time)
    }
  }

  mutating func receiveData(_ packet: HCIPacket, at index: Int) {
    // What is cut short, or names no link, is dropped, as nothing says whose it was.
    guard let data = try? ACLPacket(packet), data.boundary != .complete, data.broadcast == 0 else { return }
    guard let (position, side) = locate(data.connectionHandle, at: index) else { return }
    guard data.dataCount <= Int(controllers[index].configuration.aclBufferLength), controllers[index].takeBuffer()
    else {
      return controllers[index].send(DataBufferOverflow(linkType: 1))
    }
    links[position].catchUp(to: time)
    links[position][side].queue(OutgoingData(consume data))
  }

  /// The link that the host of the controller at `index` means, and its side of it.
  @inline(__always)
  func locate(_ handle: UInt16, at index: Int) -> (position: Int, side: LinkSide)? {
    guard
      let link = controllers[index].link(handle),
      let position = position(ofLink: link),
      let side = links.span[position].side(of: controllers[index].id)
    else { return nil }
    return (position, side)
  }

  /// Has one end say something to the other.
  mutating func say(_ message: LinkControl, from side: LinkSide, of position: Int) {
    links[position].catchUp(to: time)
    links[position][side].queue(message)
  }

  /// Sends an event to the host of one end.
  mutating func tell(_ event: some HCIEvent, _ side: LinkSide, of position: Int) {
    guard links[position][side].isPresent, let index = index(of: links[position][side].controller) else { return }
    controllers[index].send(event)
  }
}
