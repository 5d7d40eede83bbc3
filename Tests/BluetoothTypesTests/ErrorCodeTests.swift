import BluetoothTypes
import Testing

@Suite struct ErrorCodeTests {
  @Test("Every ATT error code has a name, assigned or not")
  func attNames() {
    for code in UInt8.min...UInt8.max {
      let error = ATTErrorCode(rawValue: code)
      #expect(!error.name.isEmpty)
      #expect(error.description.hasSuffix("(0x\(hexadecimal(code, digits: 2)))"))
    }
    #expect(ATTErrorCode.readNotPermitted.description == "Read not permitted (0x02)")
    #expect(ATTErrorCode(rawValue: 0x80).isApplicationError)
    #expect(ATTErrorCode(rawValue: 0x9F).isApplicationError)
    #expect(!ATTErrorCode(rawValue: 0xA0).isApplicationError)
    #expect(ATTErrorCode.outOfRange.isCommonProfileError)
    #expect(ATTErrorCode(rawValue: 0x00).name == "Unknown attribute error")
  }

  @Test("The ATT error codes have the specification's numbers")
  func attNumbers() {
    let inOrder: [ATTErrorCode] = [
      .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPDU, .insufficientAuthentication,
      .requestNotSupported, .invalidOffset, .insufficientAuthorization, .prepareQueueFull, .attributeNotFound,
      .attributeNotLong, .encryptionKeySizeTooShort, .invalidAttributeValueLength, .unlikelyError,
      .insufficientEncryption, .unsupportedGroupType, .insufficientResources, .databaseOutOfSync, .valueNotAllowed,
    ]
    #expect(inOrder.map(\.rawValue) == Array(0x01...0x13))
    #expect(ATTErrorCode.writeRequestRejected.rawValue == 0xFC)
    #expect(ATTErrorCode.clientCharacteristicConfigurationImproperlyConfigured.rawValue == 0xFD)
    #expect(ATTErrorCode.procedureAlreadyInProgress.rawValue == 0xFE)
    #expect(ATTErrorCode.outOfRange.rawValue == 0xFF)
  }

  @Test("Every controller error code has a name, assigned or not")
  func hciNames() {
    for code in UInt8.min...UInt8.max {
      #expect(!HCIStatus(rawValue: code).name.isEmpty)
    }
    #expect(HCIStatus.connectionTimeout.description == "Connection timeout (0x08)")
    #expect(HCIStatus(rawValue: 0xEE).description == "Unknown controller error (0xEE)")
    #expect(HCIStatus.success.isSuccess)
    #expect(!HCIStatus.commandDisallowed.isSuccess)
    let reserved: Set<UInt8> = [0x2B, 0x31, 0x33]
    for code in UInt8(0)...0x48 {
      #expect((HCIStatus(rawValue: code).name == "Unknown controller error") == reserved.contains(code))
    }
  }

  @Test("The controller error codes that end connections have the specification's numbers")
  func hciNumbers() {
    #expect(HCIStatus.remoteUserTerminatedConnection.rawValue == 0x13)
    #expect(HCIStatus.connectionTerminatedByLocalHost.rawValue == 0x16)
    #expect(HCIStatus.unsupportedRemoteFeature.rawValue == 0x1A)
    #expect(HCIStatus.llResponseTimeout.rawValue == 0x22)
    #expect(HCIStatus.instantPassed.rawValue == 0x28)
    #expect(HCIStatus.unacceptableConnectionParameters.rawValue == 0x3B)
    #expect(HCIStatus.connectionTerminatedDueToMICFailure.rawValue == 0x3D)
    #expect(HCIStatus.connectionFailedToBeEstablished.rawValue == 0x3E)
    #expect(HCIStatus.synchronizationTimeout.rawValue == 0x3E)
    #expect(HCIStatus.operationCancelledByHost.rawValue == 0x44)
    #expect(HCIStatus.packetTooLong.rawValue == 0x45)
  }

  @Test("Every AD type has a name, assigned or not")
  func adTypeNames() {
    for number in UInt8.min...UInt8.max {
      #expect(!ADType(rawValue: number).name.isEmpty)
    }
    #expect(ADType.completeLocalName.description == "Complete local name (0x09)")
    #expect(ADType.manufacturerSpecificData.rawValue == 0xFF)
  }
}
