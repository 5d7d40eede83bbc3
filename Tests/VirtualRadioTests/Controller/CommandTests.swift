import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("A virtual controller's commands")
struct CommandTests {
  @Test("every command that it claims to support is answered, every other with Unknown HCI Command")
  func bitmap() throws {
    var bench = AirBench()
    let id = bench.add()
    bench.send(ReadLocalSupportedCommands(), to: id)
    let claimed = try #require(bench.answer(ReadLocalSupportedCommands.self, from: id)).supportedCommands
    // Read Local Supported Commands itself has no bit.
    for type in AnyHCICommand.types where type.opcode != .readLocalSupportedCommands {
      bench.heard[id] = []
      // Without its parameters: the answer may be an error, but never silence.
      bench.send(packet(type.opcode, []), to: id)
      let status = bench.status(type.opcode, from: id)
      #expect(status != nil, "\(type.name) was not answered")
      #expect((status == .unknownHCICommand) == !claimed.contains(type.opcode), "\(type.name)")
    }
    let vendor = HCIOpcode(rawValue: 0xFC01)
    bench.send(packet(vendor, [1, 2]), to: id)
    #expect(bench.status(vendor, from: id) == .unknownHCICommand)
  }

  @Test(
    "without a feature its commands are unknown, and the bits of the commands say so, for every feature and command"
  )
  func features() throws {
    var needed: [(LEFeatures, [HCIOpcode])] = [
      (.encryption, [.leEnableEncryption, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply]),
      (
        .connectionParametersRequest,
        [.leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply]
      ),
      (
        .dataPacketLengthExtension,
        [
          .leSetDataLength, .leReadSuggestedDefaultDataLength, .leWriteSuggestedDefaultDataLength,
          .leReadMaximumDataLength,
        ]
      ),
      (
        .privacy,
        [
          .leAddDeviceToResolvingList, .leRemoveDeviceFromResolvingList, .leClearResolvingList,
          .leReadResolvingListSize, .leReadPeerResolvableAddress, .leReadLocalResolvableAddress,
          .leSetAddressResolutionEnable, .leSetResolvablePrivateAddressTimeout, .leSetPrivacyMode,
        ]
      ),
      ([.le2M, .leCoded], [.leReadPHY, .leSetDefaultPHY, .leSetPHY]),
      (
        .extendedAdvertising,
        [
          .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData,
          .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable, .leReadMaximumAdvertisingDataLength,
          .leReadNumberOfSupportedAdvertisingSets, .leRemoveAdvertisingSet, .leClearAdvertisingSets,
          .leSetExtendedScanParameters, .leSetExtendedScanEnable, .leExtendedCreateConnection,
        ]
      ),
      (.extendedRejectIndication, []), (.peripheralInitiatedFeaturesExchange, []), (.le2M, []), (.leCoded, []),
      (.extendedScanningFilterPolicies, []), (.channelSelectionAlgorithm2, []),
    ]
    needed.append((LEFeatures(rawValue: .max), needed.flatMap(\.1)))
    let all = try table(without: [])
    for (features, opcodes) in needed {
      let rest = try table(without: features)
      #expect(all.subtracting(rest) == Set(opcodes), "without \(features)")
    }
  }

  /// The commands of a controller without these features: what its bits say, which must be what it does.
  private func table(without features: LEFeatures) throws -> Set<HCIOpcode> {
    var bench = AirBench()
    let id = bench.add { $0.features.subtract(features) }
    bench.send(LEReadLocalSupportedFeatures(), to: id)
    let left = try #require(bench.answer(LEReadLocalSupportedFeatures.self, from: id)).leFeatures
    #expect(left.isDisjoint(with: features))
    bench.send(ReadLocalSupportedCommands(), to: id)
    let claimed = try #require(bench.answer(ReadLocalSupportedCommands.self, from: id)).supportedCommands
    var known: Set<HCIOpcode> = []
    for type in AnyHCICommand.types where type.opcode != .readLocalSupportedCommands {
      bench.heard[id] = []
      bench.send(packet(type.opcode, []), to: id)
      let isKnown = bench.status(type.opcode, from: id) != .unknownHCICommand
      #expect(isKnown == claimed.contains(type.opcode), "\(type.name) without \(features)")
      if isKnown { known.insert(type.opcode) }
    }
    return known
  }

  @Test("every command of theirs in a well-formed packet is seen to: one answer, or none where there is to be none")
  func answered() throws {
    for type in AnyHCICommand.types where VirtualController.supportedCommands.contains(type.opcode) {
      var bench = AirBench()
      let id = bench.add()
      // Zeros, as many as it takes.
      let wellFormed = (0...255).lazy.map { packet(type.opcode, Array(repeating: 0, count: $0)) }
        .first { (try? AnyHCICommand($0)) != nil }
      bench.send(try #require(wellFormed, "\(type.name)"), to: id)
      let answers = bench.answers(to: type.opcode, from: id)
      #expect(answers.count == (type.opcode == .hostNumberOfCompletedPackets ? 0 : 1), "\(type.name)")
      #expect(!answers.contains(.unknownHCICommand), "\(type.name)")
    }
  }

  @Test("a PHY that the controller does not have is refused, also among others that it has")
  func phys() {
    var bench = AirBench()
    let id = bench.add { $0.features = LEFeatures.all.subtracting(.leCoded) }
    for (phys, status) in [
      (LEPHYs([.le1M, .le2M]), HCIStatus.success), ([.le2M, .leCoded], .unsupportedFeatureOrParameterValue),
      (LEPHYs(rawValue: 0x09), .unsupportedFeatureOrParameterValue), ([], .unsupportedFeatureOrParameterValue),
    ] {
      bench.send(LESetDefaultPHY(txPHYs: phys, rxPHYs: .le1M), to: id)
      #expect(bench.status(.leSetDefaultPHY, from: id) == status)
      bench.send(LESetDefaultPHY(txPHYs: .le1M, rxPHYs: phys), to: id)
      #expect(bench.status(.leSetDefaultPHY, from: id) == status)
    }
    bench.send(LESetDefaultPHY(allPHYs: 3, txPHYs: .leCoded, rxPHYs: []), to: id)
    #expect(bench.status(.leSetDefaultPHY, from: id) == .success)
  }

  @Test("what makes no sense is refused with Invalid Parameters, what does not go now with Command Disallowed")
  func validation() {
    var bench = AirBench()
    let id = bench.add()
    bench.send(LESetAdvertisingParameters(advertisingIntervalMin: 0x1F), to: id)
    #expect(bench.status(.leSetAdvertisingParameters, from: id) == .invalidHCICommandParameters)
    bench.send(LESetAdvertisingParameters(ownAddressType: .random), to: id)
    bench.send(LESetAdvertisingEnable(advertisingEnable: true), to: id)
    #expect(bench.status(.leSetAdvertisingEnable, from: id) == .invalidHCICommandParameters)
    bench.send(LESetRandomAddress(randomAddress: BluetoothAddress(0xC000_0000_0001, .random)), to: id)
    bench.send(LESetAdvertisingEnable(advertisingEnable: true), to: id)
    #expect(bench.status(.leSetAdvertisingEnable, from: id) == .success)
    bench.send(LESetAdvertisingParameters(), to: id)
    #expect(bench.status(.leSetAdvertisingParameters, from: id) == .commandDisallowed)
    bench.send(LESetRandomAddress(randomAddress: BluetoothAddress(0xC000_0000_0002, .random)), to: id)
    #expect(bench.status(.leSetRandomAddress, from: id) == .commandDisallowed)
    bench.scan(id, interval: 16, window: 32)
    #expect(bench.status(.leSetScanParameters, from: id) == .invalidHCICommandParameters)
    bench.connect(id, to: bench.address(2), interval: 5)
    #expect(bench.status(.leCreateConnection, from: id) == .invalidHCICommandParameters)
    bench.connect(id, to: bench.address(2), interval: 800, latency: 10, timeout: 10)
    #expect(bench.status(.leCreateConnection, from: id) == .invalidHCICommandParameters)
    bench.send(ReadRSSI(handle: 7), to: id)
    #expect(bench.status(.readRSSI, from: id) == .unknownConnectionIdentifier)
    bench.send(LEReadRemoteFeatures(connectionHandle: 7), to: id)
    #expect(bench.status(.leReadRemoteFeatures, from: id) == .unknownConnectionIdentifier)
  }

  @Test("commands that are cut short or too long get one answer, which says that they are invalid")
  func truncated() {
    var bench = AirBench()
    let id = bench.add()
    let commands: [(HCIOpcode, HCIPacket)] = [
      (.leCreateConnection, LECreateConnection().packet),
      (.leSetScanParameters, LESetScanParameters().packet),
      (.disconnect, Disconnect().packet),
    ]
    for (opcode, packet) in commands {
      let variants = (3..<packet.bytes.count).map { Array(packet.bytes[..<$0]) } + [packet.bytes + [0]]
      for bytes in variants {
        bench.heard[id] = []
        if let packet = HCIPacket(bytes) { bench.send(packet, to: id) }
        #expect(bench.heard[id, default: []].count == 1)
        #expect(bench.status(opcode, from: id) == .invalidHCICommandParameters)
      }
    }
  }

  @Test("the filter accept list filters connections, fills up, and is locked while in use")
  func acceptList() {
    var bench = AirBench()
    let (central, one, other) = (bench.add { $0.acceptListSize = 2 }, bench.add(), bench.add())
    for number in UInt64(2)...4 {
      bench.send(LEAddDeviceToFilterAcceptList(address: bench.address(number)), to: central)
    }
    #expect(bench.status(.leAddDeviceToFilterAcceptList, from: central) == .memoryCapacityExceeded)
    bench.send(LERemoveDeviceFromFilterAcceptList(address: bench.address(2)), to: central)
    bench.advertise(one)
    bench.advertise(other)
    var command = AirBench.connection()
    command.initiatorFilterPolicy = .filterAcceptList
    bench.send(command, to: central)
    bench.send(LEClearFilterAcceptList(), to: central)
    #expect(bench.status(.leClearFilterAcceptList, from: central) == .commandDisallowed)
    bench.run(for: .seconds(2))
    #expect(bench.take(LEConnectionComplete.self, from: central).map(\.peerAddress) == [bench.address(3)])
  }

  @Test("events that the host has masked do not come")
  func masks() {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add(), bench.add())
    bench.advertise(advertiser)
    bench.send(LESetEventMask(leEventMask: LEEventMask([.leConnectionComplete])), to: scanner)
    bench.scan(scanner)
    bench.run(for: .seconds(1))
    #expect(bench.count(LEAdvertisingReport.self, from: scanner) == 0)
    bench.send(LESetEventMask(leEventMask: .standard), to: scanner)
    bench.send(SetEventMask(eventMask: .afterReset), to: scanner)
    bench.run(for: .seconds(1))
    #expect(bench.count(LEAdvertisingReport.self, from: scanner) == 0)
  }

  @Test("a host that grants buffers gets no more than it has room for, and nothing is lost")
  func hostFlowControl() throws {
    var bench = AirBench()
    let (central, peripheral) = (bench.add(), bench.add())
    bench.send(HostBufferSize(hostACLDataPacketLength: 27, hostTotalNumACLDataPackets: 2), to: peripheral)
    bench.send(SetControllerToHostFlowControl(flowControlEnable: 1), to: peripheral)
    bench.advertise(peripheral)
    bench.connect(central, to: bench.address(2))
    bench.run(for: .seconds(1))
    let handle = try bench.takeFirst(LEConnectionComplete.self, from: central).connectionHandle
    let other = try bench.takeFirst(LEConnectionComplete.self, from: peripheral).connectionHandle
    for number in UInt8(0)..<5 { bench.send([number], on: handle, to: central) }
    bench.run(for: .seconds(1))
    #expect(bench.received(by: peripheral) == [[0], [1]])
    bench.heard[peripheral] = []
    let grant = HostNumberOfCompletedPackets(completed: [CompletedPackets(connectionHandle: other, count: 2)])
    bench.send(grant, to: peripheral)
    #expect(bench.heard[peripheral, default: []].isEmpty)
    bench.run(for: .seconds(1))
    bench.send(grant, to: peripheral)
    bench.run(for: .seconds(1))
    #expect(bench.received(by: peripheral) == [[2], [3], [4]])
  }

  @Test("random bytes never stop a controller, and it still answers afterwards", arguments: UInt64(0)..<20)
  func fuzz(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bench = AirBench(seed: seed)
    let link = try bench.link()
    let types = AnyHCICommand.types
    for _ in 0..<600 {
      let id = random.next() & 1 == 0 ? link.central : link.peripheral
      var body = (0..<Int(random.below(36))).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      switch random.below(4) {
      case 0:
        let kind = HCIPacket.Kind.allCases[Int(random.below(5))]
        bench.send(HCIPacket(kind, payload: body), to: id)
      case 1:
        if body.count > 3 {
          body[0] = 0x40
          body[1] &= 0x30
          body[2] = UInt8(body.count - 4)
          body[3] = 0
        }
        bench.send(HCIPacket(.acl, payload: body), to: id)
      default:
        let type = types[Int(random.below(Int64(types.count)))]
        bench.send(packet(type.opcode, body), to: id)
      }
      bench.run(for: .milliseconds(random.below(100)))
      bench.heard = [:]
    }
    bench.send(Reset(), to: link.central)
    #expect(bench.status(.reset, from: link.central) == .success)
  }

  private func packet(_ opcode: HCIOpcode, _ body: [UInt8]) -> HCIPacket {
    let header = [UInt8(opcode.rawValue & 0xFF), UInt8(opcode.rawValue >> 8), UInt8(body.count)]
    return HCIPacket(.command, payload: header + body)
  }
}
