import BluetoothTypes
import RadioPort

// What comes from the controller.

extension Host {
  /// Takes one packet from the controller. Nothing in it can do more harm than end what it is about.
  package mutating func receive(_ packet: HCIPacket, now: RadioInstant) {
    guard phase != .off else { return }
    switch packet.kind {
    case .acl: receive(acl: packet, now)
    case .event: receive(event: packet, now)
    case .command, .synchronous, .isochronous:
      report(.unknownPacket, "the controller sent a packet of the kind \(packet.kind), which no host takes")
    }
    settle(now)
  }

  /// The same, and then ``nextOutputs(_:deadline:)``.
  ///
  /// - Returns: Whether the host is still in use; if not, it has given the controller up.
  package mutating func receive(
    _ packet: HCIPacket,
    now: RadioInstant,
    outputs buffer: inout [HostOutput],
    deadline: inout RadioInstant?
  ) -> Bool {
    receive(packet, now: now)
    nextOutputs(&buffer, deadline: &deadline)
    return phase != .off
  }

  private mutating func receive(acl packet: HCIPacket, _ now: RadioInstant) {
    let acl: ACLPacket
    do { acl = try ACLPacket(packet) } catch {
      return report(.malformedPacket, "ACL data can not be read: \(error)")
    }
    guard let index = index(ofHandle: acl.connectionHandle) else {
      return report(.unknownLink, "data for the handle \(acl.connectionHandle), which is not connected")
    }
    guard links[index].isOpen else { return }
    links[index].link.receive(FrameBuffer(acl), isContinuation: !acl.boundary.isFirst, now: now)
  }

  private mutating func receive(event packet: HCIPacket, _ now: RadioInstant) {
    // Half of all events with data on the way: without the detour over all kinds of events.
    if phase == .on, let event = NumberOfCompletedPackets(packet: packet) { return completed(event) }
    let event: AnyHCIEvent
    do { event = try AnyHCIEvent(packet) } catch { return salvage(packet, error, now) }
    switch event {
    case .commandComplete(let event):
      answered(event.opcode, event.numHCICommandPackets, CommandAnswer(event), now)
    case .commandStatus(let event):
      answered(event.opcode, event.numHCICommandPackets, CommandAnswer(status: event.status), now)
    case .hardwareError(let event): restart(event.hardwareCode, now)
    default:
      guard phase == .on else { return }
      receive(event, now)
    }
  }

  private mutating func receive(_ event: AnyHCIEvent, _ now: RadioInstant) {
    switch event {
    case .numberOfCompletedPackets(let event): completed(event)
    case .leAdvertisingReport(let event):
      for report in event.reports { heard(report, now) }
    case .leExtendedAdvertisingReport(let event):
      for report in event.reports { heard(report, now) }
    case .leScanTimeout:
      scanner.ended()
      isControlDirty = true
    case .leAdvertisingSetTerminated(let event): advertisingSetEnded(event)
    case .lePHYUpdateComplete(let event): physChanged(event)
    case .leDataLengthChange(let event): dataLengthChanged(event)
    case .leConnectionComplete(let event): connectionCompleted(event, now)
    case .leEnhancedConnectionComplete(let event):
      connectionCompleted(
        LEConnectionComplete(
          status: event.status,
          connectionHandle: event.connectionHandle,
          role: event.role,
          peerAddress: event.peerAddress,
          connectionInterval: event.connectionInterval,
          peripheralLatency: event.peripheralLatency,
          supervisionTimeout: event.supervisionTimeout,
          centralClockAccuracy: event.centralClockAccuracy
        ),
        now
      )
    case .disconnectionComplete(let event): disconnected(event)
    case .leConnectionUpdateComplete(let event): parametersChanged(event)
    case .leRemoteConnectionParameterRequest(let event): parametersRequested(event)
    case .dataBufferOverflow(let event):
      report(.flowControl, "the controller lost data for want of room (link type \(event.linkType))")
    case .leLongTermKeyRequest(let event): keyRequested(event)
    case .encryptionChange(let event):
      encryptionChanged(event.connectionHandle, event.status, isOn: event.encryptionEnabled != 0)
    case .encryptionChangeV2(let event):
      encryptionChanged(event.connectionHandle, event.status, isOn: event.encryptionEnabled != 0)
    case .unknown(let code, let subevent, let parameters):
      let name = subevent.map { "LE subevent 0x" + hexadecimal($0.rawValue, digits: 2) }
      report(
        .unknownPacket,
        "\(name ?? "event 0x" + hexadecimal(code.rawValue, digits: 2)) with \(counted(parameters.count, "byte")) is not known"
      )
    default: break
    }
  }

  /// Keeps what is good of an event that can not be read.
  private mutating func salvage(_ packet: HCIPacket, _ error: ByteError, _ now: RadioInstant) {
    let bytes = packet.bytes
    report(.malformedPacket, "an event can not be read: \(error); its bytes are \(hexadecimal(bytes.prefix(64)))")
    guard phase == .on, bytes.count > 3, bytes[1] == HCIEventCode.leMeta.rawValue,
      bytes[3] == LESubevent.leAdvertisingReport.rawValue
    else { return }
    for report in LEAdvertisingReport.salvage(packet) { heard(report, now) }
  }

  private mutating func completed(_ event: NumberOfCompletedPackets) {
    for index in event.completed.indices { completed(event.completed[index]) }
  }

  private mutating func completed(_ entry: CompletedPackets) {
    switch data.completed(entry.connectionHandle, count: entry.count) {
    case nil: break
    case .unknownHandle(let handle):
      report(.flowControl, "the controller completed packets of the handle \(handle), which is not connected")
    case .excess(let handle, let reported, let inFlight):
      report(
        .flowControl,
        "the controller completed \(counted(reported, "packet")) of the handle \(handle), of which it had \(inFlight)"
      )
    }
  }

  private mutating func restart(_ code: UInt8, _ now: RadioInstant) {
    guard restarts.takeOne(now: now) else {
      return fail(
        RadioState(
          .poweredOff,
          reason: "the controller reported the hardware error \(code) again, after \(RestartLimit.count) restarts "
            + "within \(RestartLimit.window): unplug it and plug it in, or use another one"
        )
      )
    }
    fail(
      RadioState(.resetting, reason: "the controller reported the hardware error \(code) and is started again")
    )
    start(now: now)
  }

  // MARK: Commands

  private mutating func answered(_ opcode: HCIOpcode, _ allowed: UInt8, _ answer: CommandAnswer, _ now: RadioInstant) {
    switch commands.answered(opcode, allowed: allowed) {
    case .none: break
    case .unknown(let opcode):
      report(
        .unexpectedEvent,
        "an answer to command 0x\(hexadecimal(opcode.rawValue, digits: 4)), which was not awaited"
      )
    case .command(let purpose):
      isControlDirty = true
      answered(purpose, answer, now)
    }
  }

  private mutating func answered(_ purpose: CommandPurpose, _ answer: CommandAnswer, _ now: RadioInstant) {
    switch purpose {
    case .startup(let step):
      switch startup.answered(step, answer, &commands) {
      case .continuing: break
      case .failed(let state): fail(state)
      case .finished(let info): started(info)
      }
    case .resolution(let step): resolutionAnswered(step, answer)
    case .scan(let step): scanAnswered(step, answer, now)
    case .connect(let step):
      take(connector.answered(step, answer, &commands, info, now: now), now)
    case .advertise(let set, let step): advertisingAnswered(set, step, answer)
    case .setPHYs(let link): setPHYsAnswered(link, answer)
    case .encrypt(let link): encryptAnswered(link, answer)
    case .dataLength: break
    case .disconnect(let link): disconnectAnswered(link, answer)
    case .readRSSI(let request): rssiAnswered(request, answer)
    case .updateConnection(let link): updateAnswered(link, answer)
    case .courtesy:
      if answer.status != .success { report(.refusedCommand, "a reply to the peer: \(answer.status)") }
    }
  }

  private mutating func started(_ info: ControllerInfo) {
    self.info = info
    phase = .on
    data.configure(fragmentLength: info.aclLength, count: info.aclCount)
    setState(.poweredOn)
  }
}
