#if os(Linux)
  import CoreBluetooth
  import Testing

  @Suite("CBUUID and errors")
  struct ValueTests {
    @Test("UUIDs are equal over all their forms, and print as Apple's do")
    func uuids() {
      let short = CBUUID(string: "180D")
      let long = CBUUID(string: "0000180D-0000-1000-8000-00805f9b34fb")
      #expect(short == long)
      #expect(short.hash == long.hash)
      #expect(CBUUID(string: "0x180d") == short)
      #expect(CBUUID(data: Data([0x18, 0x0D])) == short)
      #expect(CBUUID(data: long.data) == short)
      #expect(CBUUID(string: "0000180D") == short)
      #expect(long.uuidString == "180D")
      #expect(short.data == Data([0x18, 0x0D]))
      let own = CBUUID(string: "6e400001b5a3f393e0a9e50e24dcca9e")
      #expect(own.uuidString == "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
      #expect(own.data.first == 0x6E)
      #expect(own.data.count == 16)
      #expect(CBUUID(nsuuid: UUID(uuidString: own.uuidString) ?? UUID()) == own)
      let bytes = own.data.map { $0 }
      let coreFoundation = CFUUIDCreateWithBytes(
        nil,
        bytes[0],
        bytes[1],
        bytes[2],
        bytes[3],
        bytes[4],
        bytes[5],
        bytes[6],
        bytes[7],
        bytes[8],
        bytes[9],
        bytes[10],
        bytes[11],
        bytes[12],
        bytes[13],
        bytes[14],
        bytes[15]
      )
      #expect(coreFoundation.map { formerUUID.make($0) } == own)
      let middle = CBUUID(string: "12345678")
      #expect(middle.uuidString == "12345678")
      #expect(middle.data == Data([0x12, 0x34, 0x56, 0x78]))
      #expect(middle == CBUUID(string: "12345678-0000-1000-8000-00805F9B34FB"))
      #expect(short.description == "Heart Rate")
      #expect(Set([short, long, own]).count == 2)
      #expect(own.copy() as? CBUUID == own)
    }

    @Test("errors are NSErrors and back")
    func errors() {
      let error: any Error = CBError(.connectionTimeout, userInfo: ["key": "value"])
      let bridged = error as NSError
      #expect(bridged.domain == "CBErrorDomain")
      #expect(bridged.code == 6)
      #expect(bridged.userInfo["key"] as? String == "value")
      #expect(!bridged.localizedDescription.isEmpty)
      #expect(error.localizedDescription == bridged.localizedDescription)
      let back: any Error = NSError(domain: CBErrorDomain, code: 7)
      #expect((back as? CBError)?.code == .peripheralDisconnected)
      #expect(back as? CBATTError == nil)
      #expect(
        (NSError(domain: CBATTErrorDomain, code: 5) as any Error as? CBATTError)?.code == .insufficientAuthentication
      )
      do {
        throw back
      } catch CBError.connectionTimeout {
        Issue.record("caught by the wrong code")
      } catch CBError.peripheralDisconnected {
      } catch { Issue.record("not caught: \(error)") }
      #expect(CBError.Code.unknownDevice.rawValue == 12)
    }
  }
#endif
