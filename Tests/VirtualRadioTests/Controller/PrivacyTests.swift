import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Private addresses in the controller")
struct PrivacyTests {
  private static let bandKey = IdentityKey(0x0123_4567_89AB_CDEF_0011_2233_4455_6677)
  private static let phoneKey = IdentityKey(0xFEDC_BA98_7654_3210_FFEE_DDCC_BBAA_9988)

  /// Lets `id` know the device with `peer`'s key, and show itself to it by its own.
  private func know(
    _ peer: BluetoothAddress,
    _ peerKey: IdentityKey,
    own: IdentityKey,
    _ bench: inout AirBench,
    _ id: ControllerID
  ) {
    bench.send(
      LEAddDeviceToResolvingList(peerIdentityAddress: peer, peerIRK: peerKey.bytes, localIRK: own.bytes),
      to: id
    )
    bench.send(LESetAddressResolutionEnable(addressResolutionEnable: true), to: id)
  }

  @Test("the resolving list fills up, has no device and no key twice, and is locked while in use")
  func list() {
    var bench = AirBench()
    let id = bench.add { $0.resolvingListSize = 2 }
    func add(_ number: UInt64, _ key: UInt128) -> HCIStatus? {
      bench.send(
        LEAddDeviceToResolvingList(
          peerIdentityAddress: bench.address(number),
          peerIRK: IdentityKey(key).bytes,
          localIRK: IdentityKey(1).bytes
        ),
        to: id
      )
      return bench.status(.leAddDeviceToResolvingList, from: id)
    }
    #expect(add(5, 5) == .success)
    #expect(add(5, 6) == .invalidHCICommandParameters)
    #expect(add(6, 5) == .invalidHCICommandParameters)
    #expect(add(6, 6) == .success)
    #expect(add(7, 7) == .memoryCapacityExceeded)
    bench.send(LERemoveDeviceFromResolvingList(peerIdentityAddress: bench.address(9)), to: id)
    #expect(bench.status(.leRemoveDeviceFromResolvingList, from: id) == .unknownConnectionIdentifier)
    bench.send(LESetPrivacyMode(peerIdentityAddress: bench.address(9)), to: id)
    #expect(bench.status(.leSetPrivacyMode, from: id) == .unknownConnectionIdentifier)
    bench.send(LESetResolvablePrivateAddressTimeout(rpaTimeout: 3601), to: id)
    #expect(bench.status(.leSetResolvablePrivateAddressTimeout, from: id) == .invalidHCICommandParameters)
    bench.scan(id)
    #expect(add(7, 7) == .memoryCapacityExceeded)
    bench.send(LESetAddressResolutionEnable(), to: id)
    #expect(bench.status(.leSetAddressResolutionEnable, from: id) == .commandDisallowed)
    bench.send(LESetScanEnable(leScanEnable: false, filterDuplicates: false), to: id)
    bench.send(LESetAddressResolutionEnable(), to: id)
    #expect(bench.status(.leSetAddressResolutionEnable, from: id) == .success)
    bench.scan(id)
    bench.send(LEClearResolvingList(), to: id)
    #expect(bench.status(.leClearResolvingList, from: id) == .commandDisallowed)
    bench.send(LEReadResolvingListSize(), to: id)
    #expect(bench.answer(LEReadResolvingListSize.self, from: id)?.resolvingListSize == 2)
  }

  @Test("private addresses rotate, who has the key reports the identity behind them, and others the address itself")
  func rotation() throws {
    var bench = AirBench()
    let (band, phone, stranger) = (bench.add(), bench.add(), bench.add())
    know(bench.address(2), Self.phoneKey, own: Self.bandKey, &bench, band)
    bench.send(LESetResolvablePrivateAddressTimeout(rpaTimeout: 10), to: band)
    bench.send(
      LESetAdvertisingParameters(ownAddressType: .resolvableOrPublic, peerAddress: bench.address(2)),
      to: band
    )
    bench.send(LESetAdvertisingEnable(advertisingEnable: true), to: band)
    know(bench.address(1), Self.bandKey, own: Self.phoneKey, &bench, phone)
    bench.scan(phone, .passive)
    bench.scan(stranger, .passive)
    bench.run(for: .seconds(35))
    let known = bench.take(LEAdvertisingReport.self, from: phone).flatMap(\.reports)
    #expect(!known.isEmpty && known.allSatisfy { $0.address == bench.address(1).asIdentity })
    let shown = Set(bench.take(LEAdvertisingReport.self, from: stranger).flatMap(\.reports).map(\.address))
    #expect(shown.count == 4)
    #expect(shown.allSatisfy { Self.bandKey.resolves($0) })
    bench.send(LEReadLocalResolvableAddress(peerIdentityAddress: bench.address(2)), to: band)
    let local = try #require(bench.answer(LEReadLocalResolvableAddress.self, from: band)).localResolvableAddress
    bench.send(LEReadPeerResolvableAddress(peerIdentityAddress: bench.address(1)), to: phone)
    let peer = try #require(bench.answer(LEReadPeerResolvableAddress.self, from: phone)).peerResolvableAddress
    #expect(local == peer && shown.contains(local))
  }

  @Test("two private devices connect by their identities, and the enhanced event tells the addresses in use")
  func connection() throws {
    var bench = AirBench()
    let (band, phone) = (bench.add(), bench.add())
    for id in [band, phone] {
      bench.send(LESetEventMask(leEventMask: LEEventMask([.leEnhancedConnectionComplete])), to: id)
    }
    know(bench.address(2), Self.phoneKey, own: Self.bandKey, &bench, band)
    know(bench.address(1), Self.bandKey, own: Self.phoneKey, &bench, phone)
    // Directed to the phone's identity: on the air both addresses are private.
    let target = bench.address(2)
    bench.advertiseExtended(band, [.connectable, .directed]) {
      $0.ownAddressType = .resolvableOrPublic
      $0.peerAddress = target
    }
    bench.connectExtended(phone, to: bench.address(1), ownAddressType: .resolvableOrPublic)
    bench.run(for: .seconds(2))
    let atPhone = try bench.takeFirst(LEEnhancedConnectionComplete.self, from: phone)
    let atBand = try bench.takeFirst(LEEnhancedConnectionComplete.self, from: band)
    #expect(atPhone.peerAddress == bench.address(1).asIdentity && atBand.peerAddress == bench.address(2).asIdentity)
    #expect(Self.bandKey.resolves(atPhone.peerResolvablePrivateAddress))
    #expect(Self.phoneKey.resolves(atPhone.localResolvablePrivateAddress))
    #expect(atBand.peerResolvablePrivateAddress == atPhone.localResolvablePrivateAddress)
    #expect(atBand.localResolvablePrivateAddress == atPhone.peerResolvablePrivateAddress)
    bench.connectExtended(phone, to: bench.address(1), ownAddressType: .resolvableOrPublic)
    #expect(bench.status(.leExtendedCreateConnection, from: phone) == .connectionAlreadyExists)
  }

  @Test("the accept list names identities: a private device in it is connected to")
  func acceptList() throws {
    var bench = AirBench()
    let (band, phone) = (bench.add(), bench.add())
    know(bench.address(2), Self.phoneKey, own: Self.bandKey, &bench, band)
    know(bench.address(1), Self.bandKey, own: IdentityKey(0), &bench, phone)
    bench.send(LEAddDeviceToFilterAcceptList(address: bench.address(1)), to: phone)
    bench.send(
      LESetAdvertisingParameters(ownAddressType: .resolvableOrPublic, peerAddress: bench.address(2)),
      to: band
    )
    bench.send(LESetPrivacyMode(peerIdentityAddress: bench.address(2), privacyMode: .device), to: band)
    bench.send(LESetAdvertisingEnable(advertisingEnable: true), to: band)
    var command = AirBench.connection()
    command.initiatorFilterPolicy = .filterAcceptList
    bench.send(command, to: phone)
    bench.run(for: .seconds(2))
    #expect(try bench.takeFirst(LEConnectionComplete.self, from: phone).peerAddress == bench.address(1).asIdentity)
    #expect(bench.count(LEConnectionComplete.self, from: band) == 1)
  }

  @Test(
    "an identity address of a device that has a key counts in device privacy mode only",
    arguments: [PrivacyMode.network, .device]
  )
  func modes(mode: PrivacyMode) {
    var bench = AirBench()
    let (band, phone) = (bench.add(), bench.add())
    know(bench.address(1), Self.bandKey, own: Self.phoneKey, &bench, phone)
    bench.send(LESetPrivacyMode(peerIdentityAddress: bench.address(1), privacyMode: mode), to: phone)
    bench.advertise(band)
    bench.scan(phone)
    bench.run(for: .seconds(1))
    #expect((bench.count(LEAdvertisingReport.self, from: phone) > 0) == (mode == .device))
  }

  @Test("what is directed to a private address that can not be resolved is reported where the policy asks for it")
  func unresolvedTarget() {
    var bench = AirBench()
    let (band, phone) = (bench.add(), bench.add())
    bench.send(
      LESetEventMask(leEventMask: LEEventMask([.leDirectedAdvertisingReport, .leAdvertisingReport])),
      to: phone
    )
    let target = IdentityKey(77).address(randomBits: 4711)
    bench.send(
      LESetAdvertisingParameters(advertisingType: .connectableDirectedLowDutyCycle, peerAddress: target),
      to: band
    )
    bench.send(LESetAdvertisingEnable(advertisingEnable: true), to: band)
    for policy in [ScanningFilterPolicy.all, .allAndUnresolvedDirected] {
      var parameters = LESetScanParameters()
      parameters.scanningFilterPolicy = policy
      bench.send(parameters, to: phone)
      bench.send(LESetScanEnable(leScanEnable: true, filterDuplicates: true), to: phone)
      bench.run(for: .seconds(3))
      let reports = bench.take(LEDirectedAdvertisingReport.self, from: phone).flatMap(\.reports)
      #expect(reports.map(\.directAddress) == (policy == .all ? [] : [target]))
      bench.send(LESetScanEnable(leScanEnable: false, filterDuplicates: false), to: phone)
    }
    #expect(bench.count(LEAdvertisingReport.self, from: phone) == 0)
  }

  @Test("LE Encrypt encrypts as the specification's sample, least significant byte first")
  func encrypt() throws {
    var bench = AirBench()
    let id = bench.add()
    let key = UInt128(0x4C68_3841_39F5_74D8_36BC_F34E_9DFB_01BF).leastSignificantFirst
    let plain = UInt128(0x0213_2435_4657_6879_ACBD_CEDF_E0F1_0213).leastSignificantFirst
    bench.send(LEEncrypt(key: key, plaintextData: plain), to: id)
    let answer = try #require(bench.answer(LEEncrypt.self, from: id)).encryptedData
    #expect(UInt128(leastSignificantFirst: answer) == 0x99AD_1B52_26A3_7E3E_058E_3B8E_27C2_C666)
  }
}
