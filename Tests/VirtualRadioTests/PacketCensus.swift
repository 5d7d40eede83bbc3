import BluetoothTypes
import HostStack
import Synchronization

@testable import VirtualRadio

/// What hosts of ours really say and hear in tests: commands, events, ATT PDUs, and the features of Low Energy that they
/// make use of.
final class PacketCensus: Sendable {
  struct Findings: Sendable {
    /// The names of the commands that hosts have sent, and those of the events that they were sent.
    var commands: Set<String> = []
    var events: Set<String> = []
    /// The opcodes of the ATT PDUs that hosts have sent, and of those that have come to them.
    var sent: Set<UInt8> = []
    var received: Set<UInt8> = []
    /// By which types hosts have read or listed attributes.
    var types: Set<BluetoothUUID> = []
    /// The features that were put to use, as their effects show; for those whose effects show nowhere, as the commands do.
    var features: LEFeatures = []
    /// What is no packet of a host or a controller; there must be none.
    var faults: [String] = []
  }

  /// Where what is sent in a test is counted; `nil` if nobody counts.
  @TaskLocal static var current: PacketCensus?

  private let state = Mutex(Findings())

  var findings: Findings { state.withLock { $0 } }

  /// Counts a packet that a host has sent.
  func sent(_ packet: HCIPacket) { state.withLock { $0.count(packet, isSent: true) } }

  /// Counts a packet that a host was sent.
  func received(_ packet: HCIPacket) { state.withLock { $0.count(packet, isSent: false) } }
}

extension PacketCensus.Findings {
  fileprivate mutating func count(_ packet: HCIPacket, isSent: Bool) {
    do throws(ByteError) {
      switch packet.kind {
      case .command where isSent: count(try AnyHCICommand(packet), try AnyHCICommand.opcode(of: packet))
      case .event where !isSent: count(try AnyHCIEvent(packet))
      case .acl: countPDU(try ACLPacket(packet), isSent)
      default: faults.append("\(packet)")
      }
    } catch { faults.append("\(packet): \(error)") }
  }

  private mutating func count(_ command: AnyHCICommand, _ opcode: HCIOpcode) {
    guard let type = AnyHCICommand.types.first(where: { $0.opcode == opcode }) else {
      return faults.append("an unknown command: \(command)")
    }
    commands.insert(type.name)
    switch command {
    case .leSetExtendedScanParameters(let command) where command.scanningFilterPolicy.rawValue >= 2:
      features.insert(.extendedScanningFilterPolicies)
    case .leReadRemoteFeatures: features.insert(.peripheralInitiatedFeaturesExchange)
    case .writeAuthenticatedPayloadTimeout: features.insert(.ping)
    case .leSetPeriodicAdvertisingParameters, .lePeriodicAdvertisingCreateSync: features.insert(.periodicAdvertising)
    default: break
    }
  }

  private mutating func count(_ event: AnyHCIEvent) {
    guard let known = event.event else { return faults.append("an unknown event: \(event)") }
    events.insert(type(of: known).name)
    switch event {
    case .encryptionChange(let event) where event.status == .success && event.encryptionEnabled > 0:
      features.insert(.encryption)
    case .leRemoteConnectionParameterRequest: features.insert(.connectionParametersRequest)
    case .leDataLengthChange(let event) where event.maxTXOctets > 27: features.insert(.dataPacketLengthExtension)
    case .leEnhancedConnectionComplete(let event) where event.peerResolvablePrivateAddress.value != 0:
      features.insert(.privacy)
    case .lePHYUpdateComplete(let event):
      if event.txPHY == .le2M { features.insert(.le2M) }
      if event.txPHY == .leCoded { features.insert(.leCoded) }
    case .leExtendedAdvertisingReport(let event) where event.reports.contains { !$0.eventType.contains(.legacy) }:
      features.insert(.extendedAdvertising)
    default: break
    }
  }

  private mutating func countPDU(_ packet: ACLPacket, _ isSent: Bool) {
    // The beginning of a frame on the channel of ATT.
    let frame = packet.bytes.dropFirst(ACLPacket.headerLength)
    guard packet.boundary.isFirst, frame.count > 4, frame.dropFirst(2).starts(with: [4, 0]) else { return }
    let pdu = Array(frame.dropFirst(4))
    if isSent { sent.insert(pdu[0]) } else { received.insert(pdu[0]) }
    if isSent, [ATTOpcode.readByTypeRequest, .readByGroupTypeRequest].map(\.rawValue).contains(pdu[0]), pdu.count == 7 {
      types.insert(BluetoothUUID(UInt16(pdu[5]) | UInt16(pdu[6]) << 8))
    }
  }
}
