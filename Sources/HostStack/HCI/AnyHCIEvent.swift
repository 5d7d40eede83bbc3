import BluetoothTypes

/// Any event, read from its packet: what a host has to tell apart.
package enum AnyHCIEvent: Equatable, Sendable {
  case disconnectionComplete(DisconnectionComplete)
  case encryptionChange(EncryptionChange)
  case readRemoteVersionInformationComplete(ReadRemoteVersionInformationComplete)
  case encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete)
  case authenticatedPayloadTimeoutExpired(AuthenticatedPayloadTimeoutExpired)
  case encryptionChangeV2(EncryptionChangeV2)
  case hardwareError(HardwareError)
  case dataBufferOverflow(DataBufferOverflow)
  case numberOfCompletedPackets(NumberOfCompletedPackets)
  case commandComplete(CommandComplete)
  case commandStatus(CommandStatus)
  case vendorSpecific(VendorSpecific)
  case leConnectionComplete(LEConnectionComplete)
  case leEnhancedConnectionComplete(LEEnhancedConnectionComplete)
  case leEnhancedConnectionCompleteV2(LEEnhancedConnectionCompleteV2)
  case leConnectionUpdateComplete(LEConnectionUpdateComplete)
  case leReadRemoteFeaturesComplete(LEReadRemoteFeaturesComplete)
  case leRemoteConnectionParameterRequest(LERemoteConnectionParameterRequest)
  case leDataLengthChange(LEDataLengthChange)
  case lePHYUpdateComplete(LEPHYUpdateComplete)
  case leChannelSelectionAlgorithm(LEChannelSelectionAlgorithm)
  case leLongTermKeyRequest(LELongTermKeyRequest)
  case leReadLocalP256PublicKeyComplete(LEReadLocalP256PublicKeyComplete)
  case leGenerateDHKeyComplete(LEGenerateDHKeyComplete)
  case leScanTimeout(LEScanTimeout)
  case leAdvertisingSetTerminated(LEAdvertisingSetTerminated)
  case leScanRequestReceived(LEScanRequestReceived)
  case leAdvertisingReport(LEAdvertisingReport)
  case leDirectedAdvertisingReport(LEDirectedAdvertisingReport)
  case leExtendedAdvertisingReport(LEExtendedAdvertisingReport)
  case lePeriodicAdvertisingSyncEstablished(LEPeriodicAdvertisingSyncEstablished)
  case lePeriodicAdvertisingReport(LEPeriodicAdvertisingReport)
  case lePeriodicAdvertisingSyncLost(LEPeriodicAdvertisingSyncLost)
  /// One that is not known here; `subevent` where it is a Low Energy one.
  case unknown(HCIEventCode, subevent: LESubevent?, parameters: [UInt8])
}

extension AnyHCIEvent {
  /// All events that are known here.
  package static let types: [any HCIEvent.Type] = [
    DisconnectionComplete.self,
    EncryptionChange.self,
    ReadRemoteVersionInformationComplete.self,
    EncryptionKeyRefreshComplete.self,
    AuthenticatedPayloadTimeoutExpired.self,
    EncryptionChangeV2.self,
    HardwareError.self,
    DataBufferOverflow.self,
    NumberOfCompletedPackets.self,
    CommandComplete.self,
    CommandStatus.self,
    VendorSpecific.self,
    LEConnectionComplete.self,
    LEEnhancedConnectionComplete.self,
    LEEnhancedConnectionCompleteV2.self,
    LEConnectionUpdateComplete.self,
    LEReadRemoteFeaturesComplete.self,
    LERemoteConnectionParameterRequest.self,
    LEDataLengthChange.self,
    LEPHYUpdateComplete.self,
    LEChannelSelectionAlgorithm.self,
    LELongTermKeyRequest.self,
    LEReadLocalP256PublicKeyComplete.self,
    LEGenerateDHKeyComplete.self,
    LEScanTimeout.self,
    LEAdvertisingSetTerminated.self,
    LEScanRequestReceived.self,
    LEAdvertisingReport.self,
    LEDirectedAdvertisingReport.self,
    LEExtendedAdvertisingReport.self,
    LEPeriodicAdvertisingSyncEstablished.self,
    LEPeriodicAdvertisingReport.self,
    LEPeriodicAdvertisingSyncLost.self,
  ]

  /// The event itself; `nil` if it is not known.
  package var event: (any HCIEvent)? {
    switch self {
    case .disconnectionComplete(let event): event
    case .encryptionChange(let event): event
    case .readRemoteVersionInformationComplete(let event): event
    case .encryptionKeyRefreshComplete(let event): event
    case .authenticatedPayloadTimeoutExpired(let event): event
    case .encryptionChangeV2(let event): event
    case .hardwareError(let event): event
    case .dataBufferOverflow(let event): event
    case .numberOfCompletedPackets(let event): event
    case .commandComplete(let event): event
    case .commandStatus(let event): event
    case .vendorSpecific(let event): event
    case .leConnectionComplete(let event): event
    case .leEnhancedConnectionComplete(let event): event
    case .leEnhancedConnectionCompleteV2(let event): event
    case .leConnectionUpdateComplete(let event): event
    case .leReadRemoteFeaturesComplete(let event): event
    case .leRemoteConnectionParameterRequest(let event): event
    case .leDataLengthChange(let event): event
    case .lePHYUpdateComplete(let event): event
    case .leChannelSelectionAlgorithm(let event): event
    case .leLongTermKeyRequest(let event): event
    case .leReadLocalP256PublicKeyComplete(let event): event
    case .leGenerateDHKeyComplete(let event): event
    case .leScanTimeout(let event): event
    case .leAdvertisingSetTerminated(let event): event
    case .leScanRequestReceived(let event): event
    case .leAdvertisingReport(let event): event
    case .leDirectedAdvertisingReport(let event): event
    case .leExtendedAdvertisingReport(let event): event
    case .lePeriodicAdvertisingSyncEstablished(let event): event
    case .lePeriodicAdvertisingReport(let event): event
    case .lePeriodicAdvertisingSyncLost(let event): event
    case .unknown: nil
    }
  }

  static func parse(_ code: HCIEventCode, _ reader: inout ByteReader) throws(ByteError) -> AnyHCIEvent {
    switch code {
    case .disconnectionComplete: .disconnectionComplete(try DisconnectionComplete(reading: &reader))
    case .encryptionChange: .encryptionChange(try EncryptionChange(reading: &reader))
    case .readRemoteVersionInformationComplete:
      .readRemoteVersionInformationComplete(try ReadRemoteVersionInformationComplete(reading: &reader))
    case .encryptionKeyRefreshComplete:
      .encryptionKeyRefreshComplete(try EncryptionKeyRefreshComplete(reading: &reader))
    case .authenticatedPayloadTimeoutExpired:
      .authenticatedPayloadTimeoutExpired(try AuthenticatedPayloadTimeoutExpired(reading: &reader))
    case .encryptionChangeV2: .encryptionChangeV2(try EncryptionChangeV2(reading: &reader))
    case .hardwareError: .hardwareError(try HardwareError(reading: &reader))
    case .dataBufferOverflow: .dataBufferOverflow(try DataBufferOverflow(reading: &reader))
    case .numberOfCompletedPackets: .numberOfCompletedPackets(try NumberOfCompletedPackets(reading: &reader))
    case .commandComplete: .commandComplete(try CommandComplete(reading: &reader))
    case .commandStatus: .commandStatus(try CommandStatus(reading: &reader))
    case .vendorSpecific: .vendorSpecific(try VendorSpecific(reading: &reader))
    case .leMeta: try parse(LESubevent(rawValue: try reader.read()), &reader)
    default: .unknown(code, subevent: nil, parameters: reader.readRemaining())
    }
  }

  private static func parse(_ subevent: LESubevent, _ reader: inout ByteReader) throws(ByteError) -> AnyHCIEvent {
    switch subevent {
    case .leConnectionComplete: .leConnectionComplete(try LEConnectionComplete(reading: &reader))
    case .leEnhancedConnectionComplete:
      .leEnhancedConnectionComplete(try LEEnhancedConnectionComplete(reading: &reader))
    case .leEnhancedConnectionCompleteV2:
      .leEnhancedConnectionCompleteV2(try LEEnhancedConnectionCompleteV2(reading: &reader))
    case .leConnectionUpdateComplete: .leConnectionUpdateComplete(try LEConnectionUpdateComplete(reading: &reader))
    case .leReadRemoteFeaturesComplete:
      .leReadRemoteFeaturesComplete(try LEReadRemoteFeaturesComplete(reading: &reader))
    case .leRemoteConnectionParameterRequest:
      .leRemoteConnectionParameterRequest(try LERemoteConnectionParameterRequest(reading: &reader))
    case .leDataLengthChange: .leDataLengthChange(try LEDataLengthChange(reading: &reader))
    case .lePHYUpdateComplete: .lePHYUpdateComplete(try LEPHYUpdateComplete(reading: &reader))
    case .leChannelSelectionAlgorithm: .leChannelSelectionAlgorithm(try LEChannelSelectionAlgorithm(reading: &reader))
    case .leLongTermKeyRequest: .leLongTermKeyRequest(try LELongTermKeyRequest(reading: &reader))
    case .leReadLocalP256PublicKeyComplete:
      .leReadLocalP256PublicKeyComplete(try LEReadLocalP256PublicKeyComplete(reading: &reader))
    case .leGenerateDHKeyComplete: .leGenerateDHKeyComplete(try LEGenerateDHKeyComplete(reading: &reader))
    case .leScanTimeout: .leScanTimeout(try LEScanTimeout(reading: &reader))
    case .leAdvertisingSetTerminated: .leAdvertisingSetTerminated(try LEAdvertisingSetTerminated(reading: &reader))
    case .leScanRequestReceived: .leScanRequestReceived(try LEScanRequestReceived(reading: &reader))
    case .leAdvertisingReport: .leAdvertisingReport(try LEAdvertisingReport(reading: &reader))
    case .leDirectedAdvertisingReport: .leDirectedAdvertisingReport(try LEDirectedAdvertisingReport(reading: &reader))
    case .leExtendedAdvertisingReport: .leExtendedAdvertisingReport(try LEExtendedAdvertisingReport(reading: &reader))
    case .lePeriodicAdvertisingSyncEstablished:
      .lePeriodicAdvertisingSyncEstablished(try LEPeriodicAdvertisingSyncEstablished(reading: &reader))
    case .lePeriodicAdvertisingReport: .lePeriodicAdvertisingReport(try LEPeriodicAdvertisingReport(reading: &reader))
    case .lePeriodicAdvertisingSyncLost:
      .lePeriodicAdvertisingSyncLost(try LEPeriodicAdvertisingSyncLost(reading: &reader))
    default: .unknown(.leMeta, subevent: subevent, parameters: reader.readRemaining())
    }
  }
}
