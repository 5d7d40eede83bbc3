#if os(Linux)
  import CoreBluetooth
  import Testing

  @Suite("Errors in Apple's API")
  struct ErrorTests {
    @Test("the codes of CBError are Apple's, and each has a text of its own")
    func codes() {
      let codes: [(CBError.Code, CBError.Code, Int)] = [
        (.unknown, CBError.unknown, 0), (.invalidParameters, CBError.invalidParameters, 1),
        (.invalidHandle, CBError.invalidHandle, 2), (.notConnected, CBError.notConnected, 3),
        (.outOfSpace, CBError.outOfSpace, 4), (.operationCancelled, CBError.operationCancelled, 5),
        (.connectionTimeout, CBError.connectionTimeout, 6),
        (.peripheralDisconnected, CBError.peripheralDisconnected, 7), (.uuidNotAllowed, CBError.uuidNotAllowed, 8),
        (.alreadyAdvertising, CBError.alreadyAdvertising, 9), (.connectionFailed, CBError.connectionFailed, 10),
        (.connectionLimitReached, CBError.connectionLimitReached, 11), (.unkownDevice, CBError.unkownDevice, 12),
        (.operationNotSupported, CBError.operationNotSupported, 13),
        (.peerRemovedPairingInformation, CBError.peerRemovedPairingInformation, 14),
        (.encryptionTimedOut, CBError.encryptionTimedOut, 15),
        (.tooManyLEPairedDevices, CBError.tooManyLEPairedDevices, 16),
        (.leGattExceededBackgroundNotificationLimit, CBError.leGattExceededBackgroundNotificationLimit, 17),
        (.leGattNearBackgroundNotificationLimit, CBError.leGattNearBackgroundNotificationLimit, 18),
      ]
      #expect(codes.map(\.0.rawValue) == Array(0...18))
      for (code, short, number) in codes {
        #expect(code == short)
        #expect(code.rawValue == number)
        check(CBError(code), domain: "CBErrorDomain", number: number)
      }
      #expect(Set(codes.map { CBError($0.0).localizedDescription }).count == 19)
      #expect(CBError.Code.unknownDevice == .unkownDevice)
      #expect(CBError.unknownDevice == .unkownDevice)
    }

    @Test("the codes of CBATTError are the specification's, and each has a text of its own")
    func attCodes() {
      let codes: [(CBATTError.Code, CBATTError.Code, Int)] = [
        (.success, CBATTError.success, 0), (.invalidHandle, CBATTError.invalidHandle, 1),
        (.readNotPermitted, CBATTError.readNotPermitted, 2), (.writeNotPermitted, CBATTError.writeNotPermitted, 3),
        (.invalidPdu, CBATTError.invalidPdu, 4),
        (.insufficientAuthentication, CBATTError.insufficientAuthentication, 5),
        (.requestNotSupported, CBATTError.requestNotSupported, 6), (.invalidOffset, CBATTError.invalidOffset, 7),
        (.insufficientAuthorization, CBATTError.insufficientAuthorization, 8),
        (.prepareQueueFull, CBATTError.prepareQueueFull, 9), (.attributeNotFound, CBATTError.attributeNotFound, 10),
        (.attributeNotLong, CBATTError.attributeNotLong, 11),
        (.insufficientEncryptionKeySize, CBATTError.insufficientEncryptionKeySize, 12),
        (.invalidAttributeValueLength, CBATTError.invalidAttributeValueLength, 13),
        (.unlikelyError, CBATTError.unlikelyError, 14),
        (.insufficientEncryption, CBATTError.insufficientEncryption, 15),
        (.unsupportedGroupType, CBATTError.unsupportedGroupType, 16),
        (.insufficientResources, CBATTError.insufficientResources, 17),
      ]
      #expect(codes.map(\.0.rawValue) == Array(0...17))
      for (code, short, number) in codes {
        #expect(code == short)
        #expect(code.rawValue == number)
        check(CBATTError(code), domain: "CBATTErrorDomain", number: number)
      }
      #expect(Set(codes.map { CBATTError($0.0).localizedDescription }).count == 18)
    }

    private func check(_ error: any Error, domain: String, number: Int) {
      let bridged = error as NSError
      #expect(bridged.domain == domain)
      #expect(bridged.code == number)
      #expect(!bridged.localizedDescription.isEmpty)
      #expect(error.localizedDescription == bridged.localizedDescription)
    }

    @Test("an error is the NSError of its domain and back, with what is known beside the code")
    func bridging() {
      #expect(CBErrorDomain == "CBErrorDomain")
      #expect(CBATTErrorDomain == "CBATTErrorDomain")
      #expect(CBError.errorDomain == CBErrorDomain)
      #expect(CBATTError.errorDomain == CBATTErrorDomain)
      let error = CBError(.connectionTimeout, userInfo: [NSLocalizedDescriptionKey: "gone", "peer": 7])
      #expect(error.code == .connectionTimeout)
      #expect(error.userInfo["peer"] as? Int == 7)
      #expect(error.localizedDescription == "gone")
      let bridged = (error as any Error) as NSError
      #expect(bridged.localizedDescription == "gone")
      #expect((bridged as any Error as? CBError)?.userInfo["peer"] as? Int == 7)
      #expect((bridged as any Error as? CBError) == error)
      #expect(bridged as any Error as? CBATTError == nil)
      let att = CBATTError(.readNotPermitted, userInfo: ["handle": 3])
      #expect(att.code == .readNotPermitted)
      #expect(att.userInfo["handle"] as? Int == 3)
      #expect(((att as any Error) as NSError as any Error as? CBATTError) == att)
      #expect(Set([att, att, CBATTError(.invalidPdu)]).count == 2)
      #expect(Set([error, error, CBError(.unknown)]).count == 2)
    }

    @Test("catch and case ask for the code and the domain; codes without a name keep their number")
    func patterns() {
      func name(_ error: any Error) -> String {
        do { throw error } catch CBError.notConnected { return "not connected" } catch CBATTError.notConnectedNumber {
          return "attribute 3"
        } catch let error as CBATTError { return "attribute \(error.errorCode)" } catch let error as NSError {
          return "\(error.domain) \(error.code)"
        }
      }
      #expect(name(CBError(.notConnected)) == "not connected")
      #expect(name(NSError(domain: CBErrorDomain, code: 3)) == "not connected")
      #expect(name(CBATTError(.writeNotPermitted)) == "attribute 3")
      #expect(name(NSError(domain: CBATTErrorDomain, code: 0x80)) == "attribute 128")
      #expect(name(CBError(.unknown)) == "CBErrorDomain 0")
      #expect((NSError(domain: CBErrorDomain, code: 99) as any Error as? CBError)?.errorCode == 99)
    }
  }

  extension CBATTError {
    /// The code with the number that `CBError.notConnected` has in the other domain.
    fileprivate static var notConnectedNumber: Code { .writeNotPermitted }
  }
#endif
