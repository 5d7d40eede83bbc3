import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("What a host has masked")
struct EventMaskTests {
  /// What these controllers never send: one is the makers' own, the others stand in a mask of which they have no event.
  private static let never: [HCIEventCode] = [
    .vendorSpecific, .authenticatedPayloadTimeoutExpired, .encryptionChangeV2,
  ]
  /// What carries answers and flow control (Core 5.4, Vol 4, Part E, 7.3.1).
  private static let always: [HCIEventCode] = [.commandComplete, .commandStatus, .numberOfCompletedPackets]

  /// An event of a type, read from what first makes sense.
  private static func specimen<Event: HCIEvent>(_ type: Event.Type) -> Event? {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      var reader = ByteReader((0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      if let event = try? Event(reading: &reader) { return event }
    }
    return nil
  }

  /// Whether a controller with these masks sends an event.
  private static func sends(_ event: some HCIEvent, _ mask: HCIEventMask, _ leMask: LEEventMask) -> Bool {
    var controller = VirtualController(
      id: ControllerID(rawValue: 1),
      configuration: ControllerConfiguration(address: BluetoothAddress(1, .public)),
      random: SeededGenerator(seed: 1)
    )
    controller.eventMask = mask
    controller.leEventMask = leMask
    controller.send(event)
    return !controller.outbox.isEmpty
  }

  private static func check<Event: HCIEvent>(_ type: Event.Type) throws {
    let event = try #require(specimen(type), "\(type.name)")
    let (all, allLE) = (HCIEventMask(rawValue: .max), LEEventMask(rawValue: .max))
    let (none, noneLE) = (HCIEventMask(), LEEventMask())
    if always.contains(type.code) {
      return #expect(sends(event, none, noneLE) && sends(event, all, allLE), "\(type.name)")
    }
    if never.contains(type.code) { return #expect(!sends(event, all, allLE), "\(type.name)") }
    // The bits stand in the order of the codes, from 1 on.
    let own = HCIEventMask(rawValue: 1 << (UInt64(type.code.rawValue) - 1))
    let ownLE = type.subevent.map { LEEventMask(rawValue: 1 << (UInt64($0.rawValue) - 1)) } ?? []
    #expect(sends(event, own, ownLE), "\(type.name)")
    #expect(sends(event, all, allLE), "\(type.name)")
    #expect(!sends(event, all.subtracting(own), allLE), "\(type.name)")
    #expect(!sends(event, none, allLE), "\(type.name)")
    if type.subevent != nil { #expect(!sends(event, all, allLE.subtracting(ownLE)), "\(type.name)") }
  }

  @Test(
    "each event comes if its own bit is set and not without; answers and flow control come always",
    arguments: AnyHCIEvent.types.indices
  )
  func own(index: Int) throws {
    func open<Event: HCIEvent>(_ type: Event.Type) throws { try Self.check(type) }
    try open(AnyHCIEvent.types[index])
  }

  @Test("a host that wants neither event of a new connection gets none, and has the link all the same")
  func connection() throws {
    var bench = AirBench()
    let (central, peripheral) = (bench.add(), bench.add())
    bench.send(
      LESetEventMask(
        leEventMask: LEEventMask(rawValue: .max).subtracting(
          LEEventMask([.leConnectionComplete, .leEnhancedConnectionComplete, .leEnhancedConnectionCompleteV2])
        )
      ),
      to: central
    )
    bench.advertise(peripheral)
    bench.connect(central, to: bench.address(2))
    bench.run(for: .seconds(2))
    #expect(bench.count(LEConnectionComplete.self, from: central) == 0)
    #expect(bench.count(LEEnhancedConnectionComplete.self, from: central) == 0)
    #expect(bench.count(LEEnhancedConnectionCompleteV2.self, from: central) == 0)
    let handle = try bench.takeFirst(LEConnectionComplete.self, from: peripheral).connectionHandle
    bench.send([1, 2], on: handle, to: peripheral)
    bench.run(for: .seconds(1))
    #expect(bench.received(by: central) == [[1, 2]])
  }

  @Test("a host that does not want to be asked for keys has none: the controller refuses in its name")
  func key() throws {
    var bench = AirBench()
    let link = try bench.link()
    let mask = LEEventMask.standard.subtracting(LEEventMask([.leLongTermKeyRequest]))
    bench.send(LESetEventMask(leEventMask: mask), to: link.peripheral)
    bench.send(
      LEEnableEncryption(connectionHandle: link.centralHandle, longTermKey: EncryptionTests.key),
      to: link.central
    )
    bench.run(for: .seconds(1))
    #expect(bench.count(LELongTermKeyRequest.self, from: link.peripheral) == 0)
    #expect(bench.take(EncryptionChange.self, from: link.central).map(\.status) == [.pinOrKeyMissing])
    #expect(bench.count(EncryptionChange.self, from: link.peripheral) == 0)
  }
}
