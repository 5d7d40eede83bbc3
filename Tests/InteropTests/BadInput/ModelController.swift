import BluetoothTypes
import HostStack
import RadioPort

/// A controller in a few lines, with one device in range: enough for the main job to run into trouble with.
///
/// The device has a heart-rate service: location, measurement and control point.
struct ModelController {
  static let device = BluetoothAddress(0xC000_0000_0001, .random)
  static let handle: UInt16 = 0x40

  private let link = LinkID(peer: PeerID(ModelController.device), generation: 1)
  private var server: GATTServer

  init() {
    let heartRate = ServiceDefinition(
      ServiceID.heartRate.uuid,
      characteristics: [
        CharacteristicDefinition(.bodySensorLocation, properties: .read, source: .stored([1])),
        CharacteristicDefinition(.heartRateMeasurement, properties: .notify, source: .stored([0, 72])),
        CharacteristicDefinition(.heartRateControlPoint, properties: .write, source: .stored([0])),
      ]
    )
    server = GATTServer(database: HostConfiguration(name: "Model", services: [heartRate]).makeDatabase())
  }

  static let advertisement = LEAdvertisingReport.Report(
    address: device,
    data: [2, 0x01, 0x06, 3, 0x03, 0x0D, 0x18, 6, 0x09] + Array("Model".utf8),
    rssi: -50
  )

  /// What the controller says to one packet of the host.
  mutating func replies(to packet: HCIPacket) -> [HCIPacket] {
    if let acl = try? ACLPacket(packet) { return replies(to: acl) }
    guard let command = try? AnyHCICommand(packet) else { return [] }
    switch command {
    case .readLocalSupportedCommands:
      let all = SupportedCommands(AnyHCICommand.types.map { $0.opcode })
      return [CommandComplete(ReadLocalSupportedCommands.self, .init(supportedCommands: all)).packet]
    case .readBDADDR:
      return [CommandComplete(ReadBDADDR.self, .init(bdADDR: BluetoothAddress(0x1122, .public))).packet]
    case .readLocalVersionInformation: return [CommandComplete(ReadLocalVersionInformation.self, .init()).packet]
    case .readLocalSupportedFeatures: return [CommandComplete(ReadLocalSupportedFeatures.self, .init()).packet]
    case .leReadLocalSupportedFeatures: return [CommandComplete(LEReadLocalSupportedFeatures.self, .init()).packet]
    case .leReadBufferSize:
      let size = LEReadBufferSize.Return(leACLDataPacketLength: 251, totalNumLEACLDataPackets: 8)
      return [CommandComplete(LEReadBufferSize.self, size).packet]
    case .leReadFilterAcceptListSize:
      return [CommandComplete(LEReadFilterAcceptListSize.self, .init(filterAcceptListSize: 8)).packet]
    case .readRSSI(let command):
      return [CommandComplete(ReadRSSI.self, .init(handle: command.handle, rssi: -60)).packet]
    case .leSetScanEnable(let command):
      let report = LEAdvertisingReport(reports: [Self.advertisement]).packet
      return [done(LESetScanEnable.opcode)] + (command.leScanEnable ? [report] : [])
    case .leCreateConnection:
      server.open(link)
      return [CommandStatus(opcode: LECreateConnection.opcode).packet, connected.packet]
    case .disconnect(let command):
      server.close(link, RadioFailure(.disconnected, reason: "the host ended the link"))
      let end = DisconnectionComplete(
        status: .success,
        connectionHandle: command.connectionHandle,
        reason: .connectionTerminatedByLocalHost
      )
      return [CommandStatus(opcode: Disconnect.opcode).packet, end.packet]
    default: return [done(try? AnyHCICommand.opcode(of: packet))]
    }
  }

  private func done(_ opcode: HCIOpcode?) -> HCIPacket {
    CommandComplete(opcode: opcode ?? .none, returnParameters: [0]).packet
  }

  private var connected: LEConnectionComplete {
    LEConnectionComplete(
      status: .success,
      connectionHandle: Self.handle,
      role: .central,
      peerAddress: Self.device,
      connectionInterval: 24,
      peripheralLatency: 0,
      supervisionTimeout: 200,
      centralClockAccuracy: 0
    )
  }

  private mutating func replies(to acl: ACLPacket) -> [HCIPacket] {
    let credit = NumberOfCompletedPackets(completed: [.init(connectionHandle: acl.connectionHandle, count: 1)]).packet
    guard let frame = try? L2CAPFrame(bytes: acl.data), frame.channel == .att else { return [credit] }
    if case .exchangeMTURequest(let request)? = try? ATTPDU(bytes: frame.payload) {
      server.setMTU(min(Int(request.mtu), 247), of: link)
      return [credit, Self.att(ATTExchangeMTUResponse(mtu: 247).bytes)]
    }
    server.receive(frame.payload, from: link, now: .zero)
    return [credit]
      + server.takeOutputs().compactMap { output in
        if case .send(_, let pdu) = output { Self.att(pdu) } else { nil }
      }
  }

  /// An ATT PDU from the device.
  static func att(_ pdu: [UInt8]) -> HCIPacket {
    var writer = ByteWriter()
    L2CAPFrame(channel: .att, payload: pdu).write(to: &writer)
    return ACLPacket(connectionHandle: handle, boundary: .firstFlushable, data: writer.bytes).packet
  }

  /// The opcode of the ATT PDU in a packet of the host; `nil` if it carries none.
  static func attOpcode(_ packet: HCIPacket) -> UInt8? {
    guard let acl = try? ACLPacket(packet), let frame = try? L2CAPFrame(bytes: acl.data), frame.channel == .att else {
      return nil
    }
    return frame.payload.first
  }

  /// Whether a packet of the host is this command.
  static func isCommand<Command: HCICommand>(_ packet: HCIPacket, _ command: Command.Type) -> Bool {
    packet.kind == .command && (try? AnyHCICommand.opcode(of: packet)) == Command.opcode
  }
}
