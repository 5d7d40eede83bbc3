import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("The commands about advertising sets")
struct AdvertisingSetTests {
  private var bench = AirBench()
  private let id: ControllerID

  init() {
    id = bench.add()
    bench.unmask(id)
  }

  private mutating func status(_ command: some HCICommand) -> HCIStatus? {
    bench.send(command, to: id)
    return bench.status(type(of: command).opcode, from: id)
  }

  private mutating func set(
    _ properties: AdvertisingEventProperties,
    _ change: (inout LESetExtendedAdvertisingParameters) -> Void = { _ in }
  ) -> HCIStatus? {
    var command = LESetExtendedAdvertisingParameters(advertisingEventProperties: properties)
    change(&command)
    return status(command)
  }

  private mutating func enable(_ handles: [UInt8] = [0], _ isEnabled: Bool = true) -> HCIStatus? {
    status(
      LESetExtendedAdvertisingEnable(enable: isEnabled, sets: handles.map { .init(advertisingHandle: $0) })
    )
  }

  @Test("kinds of advertising that have no packet are refused, all others are taken")
  mutating func kinds() {
    for raw in UInt16(0)..<0x80 {
      let properties = AdvertisingEventProperties(rawValue: raw)
      let isSensible: Bool
      if properties.contains(.legacy) {
        isSensible = [0x10, 0x12, 0x13, 0x15, 0x1D].contains(raw)
      } else {
        isSensible =
          !properties.isSuperset(of: [.connectable, .scannable]) && !properties.contains(.highDutyCycleDirected)
          && !properties.isSuperset(of: [.anonymous, .connectable])
      }
      #expect(set(properties) == (isSensible ? .success : .invalidHCICommandParameters), "\(raw)")
    }
    #expect(set(AdvertisingEventProperties(rawValue: 0x80)) == .invalidHCICommandParameters)
  }

  @Test("parameters out of range are invalid, and a PHY that the controller lacks is not supported")
  mutating func parameters() {
    #expect(set([]) { $0.advertisingHandle = 0xF0 } == .invalidHCICommandParameters)
    #expect(set([]) { $0.advertisingSID = 0x10 } == .invalidHCICommandParameters)
    #expect(set([]) { $0.primaryAdvertisingIntervalMin = 0x1F } == .invalidHCICommandParameters)
    #expect(set([]) { $0.primaryAdvertisingPHY = .le2M } == .invalidHCICommandParameters)
    #expect(set(.legacyConnectable) { $0.primaryAdvertisingPHY = .leCoded } == .invalidHCICommandParameters)
    #expect(set([]) { $0.secondaryAdvertisingPHY = 9 } == .invalidHCICommandParameters)
    #expect(set([]) { $0.advertisingTXPower = 21 } == .invalidHCICommandParameters)
    #expect(set([]) { $0.secondaryAdvertisingPHY = .leCoded } == .success)
    let plain = bench.add { $0.features = [.extendedAdvertising] }
    bench.send(LESetExtendedAdvertisingParameters(secondaryAdvertisingPHY: .le2M), to: plain)
    #expect(bench.status(.leSetExtendedAdvertisingParameters, from: plain) == .success)  // legacy: not looked at
    bench.send(
      LESetExtendedAdvertisingParameters(advertisingEventProperties: [], secondaryAdvertisingPHY: .le2M),
      to: plain
    )
    #expect(bench.status(.leSetExtendedAdvertisingParameters, from: plain) == .unsupportedFeatureOrParameterValue)
  }

  @Test("there is room for as many sets as are told, and removing makes room; sets in use can not be removed")
  mutating func limit() throws {
    bench.send(LEReadNumberOfSupportedAdvertisingSets(), to: id)
    let answer = bench.answer(LEReadNumberOfSupportedAdvertisingSets.self, from: id)
    let count = try #require(answer).numSupportedAdvertisingSets
    for handle in 0..<count { #expect(set([]) { $0.advertisingHandle = handle } == .success) }
    #expect(set([]) { $0.advertisingHandle = count } == .memoryCapacityExceeded)
    #expect(status(LERemoveAdvertisingSet(advertisingHandle: count)) == .unknownAdvertisingIdentifier)
    #expect(status(LERemoveAdvertisingSet(advertisingHandle: 0)) == .success)
    #expect(set([]) { $0.advertisingHandle = count } == .success)
    #expect(enable([count]) == .success)
    #expect(status(LERemoveAdvertisingSet(advertisingHandle: count)) == .commandDisallowed)
    #expect(status(LEClearAdvertisingSets()) == .commandDisallowed)
    #expect(set([]) { $0.advertisingHandle = count } == .commandDisallowed)
    #expect(enable([], false) == .success)
    #expect(status(LEClearAdvertisingSets()) == .success)
    #expect(enable([count]) == .unknownAdvertisingIdentifier)
  }

  @Test("data comes whole or in fragments, in order, up to the limit; what goes beyond it is discarded")
  mutating func data() {
    func fragment(_ operation: AdvertisingDataOperation, _ count: Int) -> LESetExtendedAdvertisingData {
      LESetExtendedAdvertisingData(operation: operation, advertisingData: AirBench.bytes(count))
    }
    #expect(status(fragment(.complete, 3)) == .unknownAdvertisingIdentifier)
    #expect(set([]) == .success)
    #expect(status(fragment(.lastFragment, 3)) == .commandDisallowed)
    #expect(status(fragment(.firstFragment, 0)) == .invalidHCICommandParameters)
    #expect(status(fragment(.unchanged, 0)) == .invalidHCICommandParameters)
    #expect(status(fragment(.firstFragment, 251)) == .success)
    #expect(enable() == .commandDisallowed)
    for _ in 0..<5 { #expect(status(fragment(.intermediateFragment, 251)) == .success) }
    #expect(status(fragment(.lastFragment, 1650 - 6 * 251)) == .success)
    #expect(enable() == .success)
    #expect(status(fragment(.firstFragment, 10)) == .commandDisallowed)
    #expect(status(fragment(.unchanged, 0)) == .success)
    #expect(status(fragment(.complete, 10)) == .success)
    #expect(enable([0], false) == .success)
    #expect(status(fragment(.firstFragment, 251)) == .success)
    for _ in 0..<5 { #expect(status(fragment(.intermediateFragment, 251)) == .success) }
    #expect(status(fragment(.lastFragment, 1651 - 6 * 251)) == .memoryCapacityExceeded)
    #expect(status(fragment(.lastFragment, 1)) == .commandDisallowed)
  }

  @Test("sets take only the data that their kind has, and legacy ones 31 bytes")
  mutating func dataByKind() {
    let long = LESetExtendedAdvertisingData(advertisingData: AirBench.bytes(32))
    #expect(set(.legacyConnectable) == .success)
    #expect(status(long) == .invalidHCICommandParameters)
    #expect(status(LESetExtendedAdvertisingData(advertisingData: AirBench.bytes(31))) == .success)
    #expect(set([.scannable]) == .invalidHCICommandParameters)
    #expect(set([]) == .success)
    #expect(status(long) == .success)
    #expect(set(.legacyNonconnectable) == .invalidHCICommandParameters)
    #expect(status(LESetExtendedScanResponseData(scanResponseData: [1])) == .invalidHCICommandParameters)
    #expect(set([.scannable]) { $0.advertisingHandle = 1 } == .success)
    #expect(
      status(LESetExtendedAdvertisingData(advertisingHandle: 1, advertisingData: [1])) == .invalidHCICommandParameters
    )
    #expect(enable([1]) == .commandDisallowed)
    #expect(status(LESetExtendedScanResponseData(advertisingHandle: 1, scanResponseData: [1])) == .success)
    #expect(enable([1]) == .success)
    #expect(status(LESetExtendedScanResponseData(advertisingHandle: 1)) == .commandDisallowed)
    #expect(set([.connectable]) { $0.advertisingHandle = 2 } == .success)
    bench.fill(id, set: 2, data: AirBench.bytes(246))
    #expect(enable([2]) == .packetTooLong)
    bench.fill(id, set: 2, data: AirBench.bytes(245))
    #expect(enable([2]) == .success)
  }

  @Test("enabling checks every set first, and then starts all or none")
  mutating func enabling() {
    #expect(set([]) == .success)
    #expect(
      set([]) {
        $0.advertisingHandle = 1; $0.ownAddressType = .random
      } == .success
    )
    #expect(enable([]) == .invalidHCICommandParameters)
    #expect(enable([0, 0]) == .invalidHCICommandParameters)
    #expect(enable([0, 7]) == .unknownAdvertisingIdentifier)
    #expect(enable([0, 1]) == .invalidHCICommandParameters)
    #expect(!bench.air.controllers[0].isAdvertising)
    let address = BluetoothAddress(0xC000_0000_0001, .random)
    #expect(status(LESetAdvertisingSetRandomAddress(advertisingHandle: 1, randomAddress: address)) == .success)
    #expect(enable([0, 1]) == .success)
    #expect(status(LESetAdvertisingSetRandomAddress(advertisingHandle: 1, randomAddress: address)) == .success)
    #expect(
      status(LESetAdvertisingSetRandomAddress(advertisingHandle: 9, randomAddress: address))
        == .unknownAdvertisingIdentifier
    )
    #expect(set(.legacyDirectedHighDutyCycle) { $0.advertisingHandle = 2 } == .success)
    #expect(enable([2]) == .invalidHCICommandParameters)
    let fast = LESetExtendedAdvertisingEnable(enable: true, sets: [.init(advertisingHandle: 2, duration: 128)])
    #expect(status(fast) == .success)
  }

  @Test("a host keeps to legacy or to extended commands until it resets the controller")
  mutating func mixing() {
    #expect(status(LESetExtendedScanParameters()) == .success)
    #expect(status(LESetScanParameters()) == .commandDisallowed)
    #expect(status(LESetAdvertisingParameters()) == .commandDisallowed)
    #expect(status(LEReadAdvertisingPhysicalChannelTXPower()) == .commandDisallowed)
    #expect(status(AirBench.connection()) == .commandDisallowed)
    #expect(status(LESetRandomAddress(randomAddress: BluetoothAddress(0xC000_0000_0001, .random))) == .success)
    #expect(status(Reset()) == .success)
    #expect(status(LESetScanParameters()) == .success)
    #expect(status(LEReadMaximumAdvertisingDataLength()) == .commandDisallowed)
    #expect(status(LEExtendedCreateConnection()) == .commandDisallowed)
  }

  @Test("scan parameters and the period are checked")
  mutating func scanning() {
    #expect(status(LESetExtendedScanParameters(scanningPHYs: [], parameters: [])) == .invalidHCICommandParameters)
    #expect(status(LESetExtendedScanParameters(scanningPHYs: .le2M)) == .unsupportedFeatureOrParameterValue)
    var narrow = LESetExtendedScanParameters()
    narrow.parameters[0].scanWindow = 17
    #expect(status(narrow) == .invalidHCICommandParameters)
    #expect(status(LESetExtendedScanEnable(duration: 128, period: 1)) == .invalidHCICommandParameters)
    #expect(status(LESetExtendedScanEnable(filterDuplicates: .resetEachPeriod)) == .invalidHCICommandParameters)
    #expect(status(LESetExtendedScanEnable(filterDuplicates: .resetEachPeriod, duration: 64, period: 1)) == .success)
    #expect(status(LESetExtendedScanParameters()) == .commandDisallowed)
    #expect(status(LEExtendedCreateConnection(initiatingPHYs: .le2M)) == .invalidHCICommandParameters)
    #expect(status(LEExtendedCreateConnection(initiatingPHYs: .le1M)) == .success)
    #expect(status(LEExtendedCreateConnection(initiatingPHYs: .le1M)) == .commandDisallowed)
  }
}
