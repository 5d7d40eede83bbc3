import BluetoothTypes
import HostStack
import Testing

/// Packets whose bytes are known from the specification, and the sets of codes around them.
@Suite struct HCIPacketTests {
  @Test("commands are written as the specification lays them out")
  func commandLayout() {
    #expect(Reset().packet.bytes == [0x01, 0x03, 0x0C, 0x00])
    #expect(
      LESetScanParameters(
        leScanType: .active,
        leScanInterval: 0x0060,
        leScanWindow: 0x0030,
        ownAddressType: .random,
        scanningFilterPolicy: .all
      ).packet.bytes == [0x01, 0x0B, 0x20, 0x07, 0x01, 0x60, 0x00, 0x30, 0x00, 0x01, 0x00]
    )
    #expect(
      LECreateConnection(peerAddress: BluetoothAddress(0xE0E1_E2E3_E4E5, .random)).packet.bytes
        == [
          0x01, 0x0D, 0x20, 0x19, 0x60, 0x00, 0x30, 0x00, 0x00, 0x01, 0xE5, 0xE4, 0xE3, 0xE2, 0xE1, 0xE0, 0x00, 0x18,
          0x00, 0x28, 0x00, 0x00, 0x00, 0xF4, 0x01, 0x00, 0x00, 0x00, 0x00,
        ]
    )
    #expect(LESetAdvertisingData(advertisingData: [2, 1, 6]).packet.bytes.count == 4 + 32)
    #expect(Disconnect(connectionHandle: 0x0040).packet.bytes == [0x01, 0x06, 0x04, 0x03, 0x40, 0x00, 0x13])
  }

  @Test("opcodes are those of the specification")
  func opcodes() {
    #expect(Disconnect.opcode.rawValue == 0x0406)
    #expect(ReadRemoteVersionInformation.opcode.rawValue == 0x041D)
    #expect(ReadRSSI.opcode.rawValue == 0x1405)
    #expect(HostNumberOfCompletedPackets.opcode.rawValue == 0x0C35)
    #expect(LESetPrivacyMode.opcode.rawValue == 0x204E)
    #expect(LEReadBufferSizeV2.opcode.rawValue == 0x2060)
  }

  @Test("every command that common hosts send at start or while running is known")
  func coverage() {
    let known = Set(AnyHCICommand.types.map { $0.opcode.rawValue })
    let wanted: [UInt16] = [
      0x0406, 0x041D, 0x0C01, 0x0C03, 0x0C13, 0x0C14, 0x0C35, 0x0C63, 0x0C6D, 0x1001, 0x1002, 0x1003, 0x1004, 0x1005,
      0x1009, 0x1405, 0x2001, 0x2002, 0x2003, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x200B, 0x200C, 0x200D,
      0x200E, 0x200F, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2016, 0x2017, 0x2018, 0x2019, 0x201A, 0x201B,
      0x201C, 0x2020, 0x2021, 0x2022, 0x2023, 0x2024, 0x2027, 0x2028, 0x2029, 0x202A, 0x202D, 0x202E, 0x202F, 0x2030,
      0x2031, 0x2032, 0x2035, 0x2036, 0x2037, 0x2038, 0x2039, 0x203A, 0x203B, 0x203C, 0x2041, 0x2042, 0x2043, 0x204E,
      0x2060,
    ]
    #expect(wanted.filter { !known.contains($0) } == [])
  }

  @Test("F42: an advertising report whose lengths do not add up is an error, whatever its length bytes say")
  func advertisingReport() throws {
    let address = BluetoothAddress(0xE0E1_E2E3_E4E5, .random)
    let event = LEAdvertisingReport(reports: [.init(address: address, data: [2, 1, 6], rssi: -60)])
    #expect(
      event.packet.bytes
        == [0x04, 0x3E, 0x0F, 0x02, 1, 0, 1, 0xE5, 0xE4, 0xE3, 0xE2, 0xE1, 0xE0, 3, 2, 1, 6, 0xC4]
    )
    for length in 0...UInt8.max where length != 3 {
      var bytes = event.packet.bytes
      bytes[13] = length
      let packet = try #require(HCIPacket(bytes))
      if length < 3 {
        // The report is shorter then, and what is left over is taken for what a newer controller may append.
        #expect((try? AnyHCIEvent(packet)) != nil)
      } else {
        #expect(throws: ByteError.self) { try AnyHCIEvent(packet) }
      }
    }
  }

  @Test("ACL packets keep handle, flags and data apart")
  func acl() throws {
    let acl = ACLPacket(connectionHandle: 0x0EFF, boundary: .firstFlushable, data: [1, 2, 3])
    #expect(acl.packet.bytes == [0x02, 0xFF, 0x2E, 0x03, 0x00, 1, 2, 3])
    #expect(try ACLPacket(acl.packet) == acl)
    for boundary in ACLPacket.Boundary.allCases {
      for broadcast in UInt8(0)...3 {
        let acl = ACLPacket(connectionHandle: 0x0123, boundary: boundary, broadcast: broadcast, data: [])
        #expect(try ACLPacket(acl.packet) == acl)
      }
    }
    let bytes = acl.packet.bytes
    for length in 1..<bytes.count {
      let packet = try #require(HCIPacket(Array(bytes[..<length])))
      #expect(throws: ByteError.self) { try ACLPacket(packet) }
    }
    #expect(throws: ByteError(offset: 8, problem: .trailing(1))) {
      try ACLPacket(HCIPacket(.acl, payload: bytes[1...] + [0]))
    }
  }

  @Test("the answer to a command is read only as what it is")
  func commandComplete() throws {
    let answer = CommandComplete(
      LEReadBufferSize.self,
      .init(leACLDataPacketLength: 251, totalNumLEACLDataPackets: 8)
    )
    let returned = try answer.returned(by: LEReadBufferSize.self)
    #expect(returned.leACLDataPacketLength == 251)
    #expect(returned.totalNumLEACLDataPackets == 8)
    #expect(throws: ByteError.self) { try answer.returned(by: LEReadBufferSizeV2.self) }
    #expect(answer.status == .success)
  }

  @Test("the bits of the supported commands are those of the specification")
  func supportedCommands() {
    var commands = SupportedCommands([.disconnect, .reset, .leSetEventMask, .leReadBufferSizeV2])
    var writer = ByteWriter()
    commands.write(to: &writer)
    #expect(writer.bytes.count == 64)
    #expect(writer.bytes[0] == 1 << 5)
    #expect(writer.bytes[5] == 1 << 7)
    #expect(writer.bytes[25] == 1 << 0)
    #expect(writer.bytes[41] == 1 << 5)
    #expect(commands.contains(.reset))
    commands.remove(.reset)
    #expect(!commands.contains(.reset))
    #expect(!commands.contains(HCIOpcode(rawValue: 0xFC01)))
  }

  @Test("event masks have the bit before the code")
  func eventMasks() {
    #expect(LEEventMask.afterReset.contains(.leLongTermKeyRequest))
    #expect(!LEEventMask.afterReset.contains(.leRemoteConnectionParameterRequest))
    #expect(LEEventMask([.leExtendedAdvertisingReport]).rawValue == 1 << 12)
    #expect(LEEventMask([LESubevent(rawValue: 0), LESubevent(rawValue: 200)]).isEmpty)
    #expect(!LEEventMask.standard.contains(LESubevent(rawValue: 0)))
    #expect(HCIEventMask.standard.rawValue & 1 << 61 != 0)
  }
}
