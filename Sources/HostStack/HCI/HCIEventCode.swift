/// Names an event (Core 5.4, Vol 4, Part E, 7.7): an open set.
package struct HCIEventCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let disconnectionComplete = HCIEventCode(rawValue: 0x05)
  package static let encryptionChange = HCIEventCode(rawValue: 0x08)
  package static let readRemoteVersionInformationComplete = HCIEventCode(rawValue: 0x0C)
  package static let commandComplete = HCIEventCode(rawValue: 0x0E)
  package static let commandStatus = HCIEventCode(rawValue: 0x0F)
  package static let hardwareError = HCIEventCode(rawValue: 0x10)
  package static let numberOfCompletedPackets = HCIEventCode(rawValue: 0x13)
  package static let dataBufferOverflow = HCIEventCode(rawValue: 0x1A)
  package static let encryptionKeyRefreshComplete = HCIEventCode(rawValue: 0x30)
  /// Carries all Low Energy events; the first parameter says which.
  package static let leMeta = HCIEventCode(rawValue: 0x3E)
  package static let authenticatedPayloadTimeoutExpired = HCIEventCode(rawValue: 0x57)
  package static let encryptionChangeV2 = HCIEventCode(rawValue: 0x59)
  package static let vendorSpecific = HCIEventCode(rawValue: 0xFF)
}

/// Names a Low Energy event (Core 5.4, Vol 4, Part E, 7.7.65): an open set.
package struct LESubevent: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let leConnectionComplete = LESubevent(rawValue: 0x01)
  package static let leAdvertisingReport = LESubevent(rawValue: 0x02)
  package static let leConnectionUpdateComplete = LESubevent(rawValue: 0x03)
  package static let leReadRemoteFeaturesComplete = LESubevent(rawValue: 0x04)
  package static let leLongTermKeyRequest = LESubevent(rawValue: 0x05)
  package static let leRemoteConnectionParameterRequest = LESubevent(rawValue: 0x06)
  package static let leDataLengthChange = LESubevent(rawValue: 0x07)
  package static let leReadLocalP256PublicKeyComplete = LESubevent(rawValue: 0x08)
  package static let leGenerateDHKeyComplete = LESubevent(rawValue: 0x09)
  package static let leEnhancedConnectionComplete = LESubevent(rawValue: 0x0A)
  package static let leDirectedAdvertisingReport = LESubevent(rawValue: 0x0B)
  package static let lePHYUpdateComplete = LESubevent(rawValue: 0x0C)
  package static let leExtendedAdvertisingReport = LESubevent(rawValue: 0x0D)
  package static let lePeriodicAdvertisingSyncEstablished = LESubevent(rawValue: 0x0E)
  package static let lePeriodicAdvertisingReport = LESubevent(rawValue: 0x0F)
  package static let lePeriodicAdvertisingSyncLost = LESubevent(rawValue: 0x10)
  package static let leScanTimeout = LESubevent(rawValue: 0x11)
  package static let leAdvertisingSetTerminated = LESubevent(rawValue: 0x12)
  package static let leScanRequestReceived = LESubevent(rawValue: 0x13)
  package static let leChannelSelectionAlgorithm = LESubevent(rawValue: 0x14)
  package static let leEnhancedConnectionCompleteV2 = LESubevent(rawValue: 0x29)
}
