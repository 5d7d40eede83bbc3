/// A controller error code (Core 5.4, Vol 1, Part F): an open set, as controllers may know newer ones.
public struct HCIStatus: RawRepresentable, Hashable, Sendable {
  /// The code; 0 is success.
  public let rawValue: UInt8

  /// A status from its code.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Whether it worked.
  @inlinable
  public var isSuccess: Bool { rawValue == 0 }
}

extension HCIStatus {
  /// 0x00: it worked.
  public static let success = HCIStatus(rawValue: 0x00)
  /// 0x01: the controller does not know the opcode.
  public static let unknownHCICommand = HCIStatus(rawValue: 0x01)
  /// 0x02: no connection has the handle that the command named.
  public static let unknownConnectionIdentifier = HCIStatus(rawValue: 0x02)
  /// 0x03: something in the controller broke in a way that no other code tells.
  public static let hardwareFailure = HCIStatus(rawValue: 0x03)
  /// 0x04: the device did not answer the page in time.
  public static let pageTimeout = HCIStatus(rawValue: 0x04)
  /// 0x05: pairing or authentication failed, as with a wrong PIN or key.
  public static let authenticationFailure = HCIStatus(rawValue: 0x05)
  /// 0x06: a key was needed that one side does not have.
  public static let pinOrKeyMissing = HCIStatus(rawValue: 0x06)
  /// 0x07: the controller has no memory left for the new parameters.
  public static let memoryCapacityExceeded = HCIStatus(rawValue: 0x07)
  /// 0x08: the link supervision timeout passed without a packet from the peer.
  public static let connectionTimeout = HCIStatus(rawValue: 0x08)
  /// 0x09: the controller can hold no more connections.
  public static let connectionLimitExceeded = HCIStatus(rawValue: 0x09)
  /// 0x0A: the controller can hold no more synchronous connections to that device.
  public static let synchronousConnectionLimitExceeded = HCIStatus(rawValue: 0x0A)
  /// 0x0B: there is a connection to that device already.
  public static let connectionAlreadyExists = HCIStatus(rawValue: 0x0B)
  /// 0x0C: the controller is in a state in which it can not do this.
  public static let commandDisallowed = HCIStatus(rawValue: 0x0C)
  /// 0x0D: the peer has no room for the connection.
  public static let connectionRejectedLimitedResources = HCIStatus(rawValue: 0x0D)
  /// 0x0E: the connection does not meet the peer's security rules.
  public static let connectionRejectedSecurity = HCIStatus(rawValue: 0x0E)
  /// 0x0F: the peer does not take connections from this address.
  public static let connectionRejectedUnacceptableAddress = HCIStatus(rawValue: 0x0F)
  /// 0x10: nobody accepted the connection in time.
  public static let connectionAcceptTimeoutExceeded = HCIStatus(rawValue: 0x10)
  /// 0x11: the controller does not support what a valid parameter asks for.
  public static let unsupportedFeatureOrParameterValue = HCIStatus(rawValue: 0x11)
  /// 0x12: a parameter of the command is out of range or its length is wrong.
  public static let invalidHCICommandParameters = HCIStatus(rawValue: 0x12)
  /// 0x13: the host or the user of the peer ended the connection.
  public static let remoteUserTerminatedConnection = HCIStatus(rawValue: 0x13)
  /// 0x14: the peer ended the connection because it ran short of resources.
  public static let remoteDeviceTerminatedConnectionLowResources = HCIStatus(rawValue: 0x14)
  /// 0x15: the peer ended the connection because it is about to switch off.
  public static let remoteDeviceTerminatedConnectionPowerOff = HCIStatus(rawValue: 0x15)
  /// 0x16: this host ended the connection.
  public static let connectionTerminatedByLocalHost = HCIStatus(rawValue: 0x16)
  /// 0x17: pairing was tried again too soon after a failure.
  public static let repeatedAttempts = HCIStatus(rawValue: 0x17)
  /// 0x18: the device does not pair now.
  public static let pairingNotAllowed = HCIStatus(rawValue: 0x18)
  /// 0x19: the controller got an LMP opcode that it does not know.
  public static let unknownLMPPDU = HCIStatus(rawValue: 0x19)
  /// 0x1A: the peer does not support the feature.
  public static let unsupportedRemoteFeature = HCIStatus(rawValue: 0x1A)
  /// 0x1B: the offset that was asked for the synchronous link was refused.
  public static let scoOffsetRejected = HCIStatus(rawValue: 0x1B)
  /// 0x1C: the interval that was asked for the synchronous link was refused.
  public static let scoIntervalRejected = HCIStatus(rawValue: 0x1C)
  /// 0x1D: the air mode that was asked for the synchronous link was refused.
  public static let scoAirModeRejected = HCIStatus(rawValue: 0x1D)
  /// 0x1E: a link-layer PDU held parameters that are not valid.
  public static let invalidLLParameters = HCIStatus(rawValue: 0x1E)
  /// 0x1F: no other code fits.
  public static let unspecifiedError = HCIStatus(rawValue: 0x1F)
  /// 0x20: a link-layer PDU held a value that the controller does not support.
  public static let unsupportedLMPParameterValue = HCIStatus(rawValue: 0x20)
  /// 0x21: the roles can not be switched now.
  public static let roleChangeNotAllowed = HCIStatus(rawValue: 0x21)
  /// 0x22: the peer's link layer did not answer in time.
  public static let llResponseTimeout = HCIStatus(rawValue: 0x22)
  /// 0x23: both sides started the same procedure, or two that do not go together.
  public static let llProcedureCollision = HCIStatus(rawValue: 0x23)
  /// 0x24: the PDU is not allowed now.
  public static let lmpPDUNotAllowed = HCIStatus(rawValue: 0x24)
  /// 0x25: the encryption mode is not acceptable now.
  public static let encryptionModeNotAcceptable = HCIStatus(rawValue: 0x25)
  /// 0x26: the link key can not be changed because it is a fixed one.
  public static let linkKeyCannotBeChanged = HCIStatus(rawValue: 0x26)
  /// 0x27: the quality of service that was asked for is not supported.
  public static let requestedQoSNotSupported = HCIStatus(rawValue: 0x27)
  /// 0x28: the instant at which a change was due lies in the past.
  public static let instantPassed = HCIStatus(rawValue: 0x28)
  /// 0x29: the peer wanted to use a unit key.
  public static let pairingWithUnitKeyNotSupported = HCIStatus(rawValue: 0x29)
  /// 0x2A: a procedure was started that collides with a running one.
  public static let differentTransactionCollision = HCIStatus(rawValue: 0x2A)
  /// 0x2C: the quality-of-service parameters were not acceptable.
  public static let qosUnacceptableParameter = HCIStatus(rawValue: 0x2C)
  /// 0x2D: the quality of service can not be given.
  public static let qosRejected = HCIStatus(rawValue: 0x2D)
  /// 0x2E: the controller does not assess channels.
  public static let channelClassificationNotSupported = HCIStatus(rawValue: 0x2E)
  /// 0x2F: the link is not secure enough for this.
  public static let insufficientSecurity = HCIStatus(rawValue: 0x2F)
  /// 0x30: a parameter lies outside the range that everybody must support.
  public static let parameterOutOfMandatoryRange = HCIStatus(rawValue: 0x30)
  /// 0x32: a role switch is under way.
  public static let roleSwitchPending = HCIStatus(rawValue: 0x32)
  /// 0x34: the change would break the timing of reserved slots.
  public static let reservedSlotViolation = HCIStatus(rawValue: 0x34)
  /// 0x35: the roles could not be switched.
  public static let roleSwitchFailed = HCIStatus(rawValue: 0x35)
  /// 0x36: the response does not fit.
  public static let extendedInquiryResponseTooLarge = HCIStatus(rawValue: 0x36)
  /// 0x37: the peer's host can not do Secure Simple Pairing.
  public static let secureSimplePairingNotSupportedByHost = HCIStatus(rawValue: 0x37)
  /// 0x38: the peer's host is pairing with another device.
  public static let hostBusyPairing = HCIStatus(rawValue: 0x38)
  /// 0x39: the controllers found no channel to use.
  public static let connectionRejectedNoSuitableChannel = HCIStatus(rawValue: 0x39)
  /// 0x3A: the controller can not do it now, but may later.
  public static let controllerBusy = HCIStatus(rawValue: 0x3A)
  /// 0x3B: the peer does not accept the connection parameters.
  public static let unacceptableConnectionParameters = HCIStatus(rawValue: 0x3B)
  /// 0x3C: advertising ended because its time was over.
  public static let advertisingTimeout = HCIStatus(rawValue: 0x3C)
  /// 0x3D: a packet failed its integrity check: the keys differ or somebody interferes.
  public static let connectionTerminatedDueToMICFailure = HCIStatus(rawValue: 0x3D)
  /// 0x3E: the peer did not answer within six events after the connection was made.
  public static let connectionFailedToBeEstablished = HCIStatus(rawValue: 0x3E)
  /// 0x3F: the connection of another MAC failed; no longer in use.
  public static let macConnectionFailed = HCIStatus(rawValue: 0x3F)
  /// 0x40: the clock is dragged instead of set.
  public static let coarseClockAdjustmentRejected = HCIStatus(rawValue: 0x40)
  /// 0x41: the submap that was named is not defined.
  public static let type0SubmapNotDefined = HCIStatus(rawValue: 0x41)
  /// 0x42: no advertising set or synchronization has the handle that the command named.
  public static let unknownAdvertisingIdentifier = HCIStatus(rawValue: 0x42)
  /// 0x43: the number of events or the time that was asked for is used up.
  public static let limitReached = HCIStatus(rawValue: 0x43)
  /// 0x44: the host cancelled it before it was done.
  public static let operationCancelledByHost = HCIStatus(rawValue: 0x44)
  /// 0x45: the packet is longer than is allowed here.
  public static let packetTooLong = HCIStatus(rawValue: 0x45)
  /// 0x46: the data came too late to be sent when it was due.
  public static let tooLate = HCIStatus(rawValue: 0x46)
  /// 0x47: the data came too early to be kept until it is due.
  public static let tooEarly = HCIStatus(rawValue: 0x47)
  /// 0x48: there are too few channels to choose from.
  public static let insufficientChannels = HCIStatus(rawValue: 0x48)

  /// 0x3E: the periodic advertisement was not heard in time; the same code as ``connectionFailedToBeEstablished``.
  public static let synchronizationTimeout = HCIStatus.connectionFailedToBeEstablished
}
