import BluetoothTypes
import RadioPort

@testable import HostStack

/// A host on a scripted controller: commands are answered by a table, all else is done by the test, in bytes.
struct HostBench {
  var host: Host
  var now = RadioInstant.zero
  /// All commands that the host sent, in order.
  var commands: [AnyHCICommand] = []
  /// All data that the host sent, in order.
  var data: [ACLPacket] = []
  /// All that the host told, in order.
  var events: [HostEvent] = []
  /// Answers for commands that do not get the usual one; an empty list is silence.
  var answers: [HCIOpcode: @Sendable (AnyHCICommand) -> [HCIPacket]] = [:]
  var aclLength: UInt16 = 27
  var aclCount: UInt8 = 4
  var acceptListSize: UInt8 = 8

  static let address = BluetoothAddress(0x0011_2233_4455, .public)

  init(_ configuration: HostConfiguration = HostConfiguration()) { host = Host(configuration: configuration) }

  /// A host that is on.
  static func on(
    _ configuration: HostConfiguration = HostConfiguration(),
    _ change: (inout HostBench) -> Void = { _ in }
  ) -> HostBench {
    var bench = HostBench(configuration)
    change(&bench)
    bench.act { host, now in host.powerOn(now: now) }
    bench.commands = []
    bench.events = []
    return bench
  }

  // MARK: In

  /// Does something with the host, and all that follows from it.
  @discardableResult
  mutating func act<Result>(_ body: (inout Host, RadioInstant) throws -> Result) rethrows -> Result {
    let result = try body(&host, now)
    drain()
    return result
  }

  mutating func receive(_ packet: HCIPacket) { act { host, now in host.receive(packet, now: now) } }

  mutating func receive(_ event: some HCIEvent) { receive(event.packet) }

  /// Lets time pass and everything happen that is due.
  mutating func pass(_ duration: Duration) {
    let end = now.advanced(by: duration)
    while let deadline = host.deadline, deadline <= end {
      now = max(now, deadline)
      act { host, now in host.wake(now: now) }
    }
    now = end
  }

  // MARK: Out

  private mutating func drain() {
    while host.hasOutputs {
      for output in host.takeOutputs() {
        switch output {
        case .event(let event): events.append(event)
        case .send(let packet): sent(packet)
        }
      }
    }
  }

  private mutating func sent(_ packet: HCIPacket) {
    if let acl = try? ACLPacket(packet) { return data.append(acl) }
    guard let command = try? AnyHCICommand(packet) else { return }
    commands.append(command)
    for reply in replies(to: packet) { host.receive(reply, now: now) }
  }

  /// What the controller says to a command.
  func replies(to packet: HCIPacket) -> [HCIPacket] {
    guard let command = try? AnyHCICommand(packet) else { return [] }
    return answers[Self.opcode(packet)]?(command) ?? [usualAnswer(command)]
  }

  static func opcode(_ packet: HCIPacket) -> HCIOpcode {
    HCIOpcode(rawValue: UInt16(packet.bytes[1]) | UInt16(packet.bytes[2]) << 8)
  }

  private func usualAnswer(_ command: AnyHCICommand) -> HCIPacket {
    switch command {
    case .reset: Self.complete(Reset.self, .init())
    case .readLocalSupportedCommands: Self.complete(ReadLocalSupportedCommands.self, .init(supportedCommands: all))
    case .readBDADDR: Self.complete(ReadBDADDR.self, .init(bdADDR: Self.address))
    case .leReadBufferSize:
      Self.complete(
        LEReadBufferSize.self,
        .init(leACLDataPacketLength: aclLength, totalNumLEACLDataPackets: aclCount)
      )
    case .leReadFilterAcceptListSize:
      Self.complete(LEReadFilterAcceptListSize.self, .init(filterAcceptListSize: acceptListSize))
    case .leCreateConnection, .disconnect, .leConnectionUpdate, .leSetPHY:
      CommandStatus(opcode: command.command.map { type(of: $0).opcode } ?? .none).packet
    case .readRSSI(let command): Self.complete(ReadRSSI.self, .init(handle: command.handle, rssi: -60))
    case .readLocalVersionInformation: Self.complete(ReadLocalVersionInformation.self, .init())
    case .readLocalSupportedFeatures: Self.complete(ReadLocalSupportedFeatures.self, .init())
    case .leReadLocalSupportedFeatures: Self.complete(LEReadLocalSupportedFeatures.self, .init())
    default:
      CommandComplete(opcode: command.command.map { type(of: $0).opcode } ?? .none, returnParameters: [0]).packet
    }
  }

  private var all: SupportedCommands { SupportedCommands(AnyHCICommand.types.map { $0.opcode }) }

  static func complete<Command: HCICommand>(_ command: Command.Type, _ value: Command.Return) -> HCIPacket {
    CommandComplete(command, value).packet
  }

  static func refuse(_ opcode: HCIOpcode, _ status: HCIStatus) -> HCIPacket {
    CommandStatus(status: status, opcode: opcode).packet
  }

  // MARK: What happened

  /// Takes the commands that were sent since the last call.
  mutating func takeCommands() -> [AnyHCICommand] {
    defer { commands = [] }
    return commands
  }

  /// The names of the commands that were sent since the last call.
  mutating func takeNames() -> [String] { takeCommands().compactMap { $0.command.map { type(of: $0).name } } }

  mutating func takeEvents() -> [HostEvent] {
    defer { events = [] }
    return events
  }

  mutating func takeData() -> [ACLPacket] {
    defer { data = [] }
    return data
  }

  // MARK: Links

  static func peer(_ number: UInt8) -> BluetoothAddress {
    BluetoothAddress(0xC000_0000_0000 | UInt64(number), .random)
  }

  /// A link to `peer` came up, or failed to.
  mutating func connected(
    _ peer: BluetoothAddress,
    handle: UInt16 = 0x40,
    status: HCIStatus = .success,
    role: HostStack.LERole = .central
  ) {
    receive(
      LEConnectionComplete(
        status: status,
        connectionHandle: handle,
        role: role,
        peerAddress: peer,
        connectionInterval: 24,
        peripheralLatency: 0,
        supervisionTimeout: 200,
        centralClockAccuracy: 0
      )
    )
  }

  mutating func disconnected(_ handle: UInt16 = 0x40, _ reason: HCIStatus = .connectionTimeout) {
    receive(DisconnectionComplete(status: .success, connectionHandle: handle, reason: reason))
  }

  /// Connects and gives the claim and the link.
  mutating func link(to peer: BluetoothAddress, handle: UInt16 = 0x40) -> (claim: ClaimID, link: LinkID)? {
    let claim = act { host, now in host.connect(to: PeerID(peer), now: now) }
    connected(peer, handle: handle)
    for case .claimed(claim, .success(let link)) in events { return (claim, link) }
    return nil
  }

  /// Reports an advertisement.
  mutating func advertise(
    _ data: [UInt8],
    from peer: BluetoothAddress = HostBench.peer(1),
    _ type: AdvertisingReportType = .connectableUndirected,
    rssi: Int8 = -50
  ) {
    receive(LEAdvertisingReport(reports: [.init(eventType: type, address: peer, data: data, rssi: rssi)]))
  }
}

extension [HostEvent] {
  var sightings: [Sighting] { compactMap { if case .sighting(let sighting, _) = $0 { sighting } else { nil } } }
  var states: [RadioState] { compactMap { if case .state(let state) = $0 { state } else { nil } } }
  var reports: [HostReport] { compactMap { if case .report(let report) = $0 { report } else { nil } } }
  var released: [ClaimID] { compactMap { if case .released(let claim) = $0 { claim } else { nil } } }

  var claims: [(claim: ClaimID, result: Result<LinkID, RadioFailure>)] {
    compactMap { if case .claimed(let claim, let result) = $0 { (claim, result) } else { nil } }
  }

  /// How a claim failed; `nil` if it did not.
  func failure(of claim: ClaimID) -> RadioFailure? {
    for case .claimed(claim, .failure(let failure)) in self { return failure }
    return nil
  }

  var linkEvents: [(event: LinkEvent, claims: [ClaimID])] {
    compactMap { if case .link(let event, let claims) = $0 { (event, claims) } else { nil } }
  }
}
