import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("What hosts send as they start")
struct HostStartTests {
  private static let randomAddress = BluetoothAddress(0xC000_0000_0001, .random)

  /// Sends commands one after the other; each gets one answer, which is success.
  private func expectSuccess(_ commands: [any HCICommand], _ bench: inout AirBench, _ id: ControllerID) {
    for command in commands {
      bench.heard[id] = []
      bench.send(command, to: id)
      let type = type(of: command)
      #expect(bench.answers(to: type.opcode, from: id).map(\.self) == [.success], "\(type.name)")
    }
  }

  private static let first: [any HCICommand] = [
    Reset(), ReadLocalVersionInformation(), ReadLocalSupportedCommands(), ReadLocalSupportedFeatures(),
    ReadLocalExtendedFeatures(), SetEventMask(), SetEventMaskPage2(), LESetEventMask(), ReadBDADDR(),
  ]

  private static let nimble: [any HCICommand] =
    first + [
      LEReadBufferSizeV2(), LEReadLocalSupportedFeatures(),
      LESetAddressResolutionEnable(addressResolutionEnable: false),
      LEClearResolvingList(), LESetAdvertisingEnable(advertisingEnable: false),
      LEAddDeviceToResolvingList(localIRK: (1...16).map { $0 }), LESetPrivacyMode(privacyMode: .device),
      LESetRandomAddress(randomAddress: randomAddress), LERand(),
    ]

  private static let btstack: [any HCICommand] =
    first + [
      LEReadBufferSize(), ReadBufferSize(), WriteLEHostSupport(), LEReadMaximumDataLength(),
      LEWriteSuggestedDefaultDataLength(), LEReadFilterAcceptListSize(), LESetScanParameters(), LERand(),
    ]

  private static let bumble: [any HCICommand] =
    first + [
      LEReadBufferSize(), LEReadLocalSupportedFeatures(), ReadBufferSize(), LEReadSuggestedDefaultDataLength(),
      LEWriteSuggestedDefaultDataLength(), WriteLEHostSupport(), LESetRandomAddress(randomAddress: randomAddress),
    ]

  private static let linux: [any HCICommand] = [
    Reset(), ReadLocalSupportedFeatures(), ReadLocalVersionInformation(), ReadBDADDR(), ReadLocalSupportedCommands(),
    LEReadLocalSupportedFeatures(), LEReadBufferSizeV2(), LEReadSupportedStates(), SetEventMask(), LESetEventMask(),
    LEReadTransmitPower(), LEReadFilterAcceptListSize(), LEClearFilterAcceptList(), LEReadResolvingListSize(),
    LEClearResolvingList(), LESetResolvablePrivateAddressTimeout(), LEReadMaximumDataLength(),
    LEReadSuggestedDefaultDataLength(), LEReadNumberOfSupportedAdvertisingSets(), SetEventMaskPage2(),
    LEWriteSuggestedDefaultDataLength(), LESetDefaultPHY(), LESetRandomAddress(randomAddress: randomAddress),
  ]

  private static let hosts = ["NimBLE": nimble, "BTstack": btstack, "Bumble": bumble, "Linux": linux]

  /// Finds an advertiser and connects to it, in legacy commands.
  private func beCentral(_ bench: inout AirBench, _ id: ControllerID) throws -> UInt16 {
    let peripheral = bench.add()
    bench.advertise(peripheral)
    let address = bench.air.controllers.last.map(\.configuration.address)
    let create = LECreateConnection(peerAddress: try #require(address))
    expectSuccess([LESetScanParameters(), LESetScanEnable(), create], &bench, id)
    bench.run(for: .seconds(3))
    return try bench.takeFirst(LEConnectionComplete.self, from: id).connectionHandle
  }

  @Test("is all answered with success, and so is what comes as a central", arguments: hosts.keys.sorted())
  func central(host: String) throws {
    var bench = AirBench()
    let id = bench.add()
    expectSuccess(Self.hosts[host] ?? [], &bench, id)
    guard host != "Linux" else { return }
    let handle = try beCentral(&bench, id)
    let then: [any HCICommand] =
      host == "Bumble" ? [LEReadPHY(connectionHandle: handle)] : [LEReadRemoteFeatures(connectionHandle: handle)]
    expectSuccess(then, &bench, id)
  }

  @Test("and as a peripheral", arguments: ["NimBLE", "BTstack", "Bumble"])
  func peripheral(host: String) {
    var bench = AirBench()
    let id = bench.add()
    expectSuccess(Self.hosts[host] ?? [], &bench, id)
    expectSuccess(
      [LESetAdvertisingData(advertisingData: [2, 1, 6]), LESetAdvertisingParameters(), LESetAdvertisingEnable()],
      &bench,
      id
    )
  }

  @Test("and in extended commands, as Bumble and Linux", arguments: ["Bumble", "Linux"])
  func extended(host: String) {
    var bench = AirBench()
    let id = bench.add()
    expectSuccess(Self.hosts[host] ?? [], &bench, id)
    expectSuccess(
      [
        LEReadMaximumAdvertisingDataLength(), LEReadNumberOfSupportedAdvertisingSets(), LESetExtendedScanParameters(),
        LESetExtendedScanEnable(), LEExtendedCreateConnection(peerAddress: bench.address(99)),
        LESetExtendedAdvertisingParameters(),
        LESetAdvertisingSetRandomAddress(randomAddress: BluetoothAddress(0xC000_0000_0002, .random)),
        LESetExtendedAdvertisingData(advertisingData: [2, 1, 6]),
        LESetExtendedAdvertisingEnable(sets: [.init()]),
      ],
      &bench,
      id
    )
  }
}
