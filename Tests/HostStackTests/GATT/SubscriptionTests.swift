import BluetoothTypes
import HostStack
import RadioPort
import Testing

@Suite("Subscriptions")
struct SubscriptionTests {
  static let heartRate = characteristic(2, .notify)

  static func characteristic(
    _ handle: UInt16,
    _ properties: CharacteristicProperties,
    hasConfiguration: Bool = true
  ) -> RemoteCharacteristic {
    RemoteCharacteristic(
      declarationHandle: AttributeHandle(handle - 1),
      handle: AttributeHandle(handle),
      uuid: BluetoothUUID(UInt16(0x2A37)),
      properties: properties,
      descriptors: hasConfiguration
        ? [.init(handle: AttributeHandle(handle + 1), uuid: BluetoothUUID(UInt16(0x2902)))] : []
    )
  }

  private static func configure(_ value: UInt8, handle: UInt16 = 3) -> ATTWriteRequest {
    ATTWriteRequest(handle: AttributeHandle(handle), value: [value, 0])
  }

  private func values(_ bench: LinkBench, _ id: SubscriptionID) -> [[UInt8]] {
    bench.values.filter { $0.0 == id }.map(\.1)
  }

  @Test("F16: values that come before the reply to the subscription are delivered")
  func early() {
    var bench = LinkBench()
    let id = bench.subscription()
    bench.link.subscribe(to: Self.heartRate, subscription: id, now: bench.now)
    #expect(bench.next() == Self.configure(1))
    bench.feed(ATTHandleValueNotification(handle: Self.heartRate.handle, value: [1]))
    bench.feed(ATTHandleValueNotification(handle: Self.heartRate.handle, value: [2]))
    #expect(bench.subscribed[id] == nil)
    bench.feed(ATTWriteResponse())
    bench.feed(ATTHandleValueNotification(handle: Self.heartRate.handle, value: [3]))
    #expect(bench.subscribed[id]?.value != nil)
    #expect(values(bench, id) == [[1], [2], [3]])
  }

  @Test("F20, F21: two readers share one subscription; it ends at the peer with the last of them")
  func shared() {
    var bench = LinkBench()
    let first = bench.subscription()
    let second = bench.subscription()
    bench.link.subscribe(to: Self.heartRate, subscription: first, now: bench.now)
    bench.link.subscribe(to: Self.heartRate, subscription: second, now: bench.now)
    _ = bench.nextPDU()
    bench.feed(ATTWriteResponse())
    #expect(bench.subscribed.count == 2 && bench.nextPDU() == nil)
    bench.feed(ATTHandleValueNotification(handle: Self.heartRate.handle, value: [1]))
    #expect(values(bench, first) == [[1]] && values(bench, second) == [[1]])
    bench.link.unsubscribe(first, now: bench.now)
    #expect(bench.nextPDU() == nil && bench.unsubscribed[first]?.value != nil)
    bench.feed(ATTHandleValueNotification(handle: Self.heartRate.handle, value: [2]))
    #expect(values(bench, first) == [[1]] && values(bench, second) == [[1], [2]])
    bench.link.unsubscribe(second, now: bench.now)
    #expect(bench.next() == Self.configure(0))
    bench.feed(ATTHandleValueNotification(handle: Self.heartRate.handle, value: [3]))
    #expect(values(bench, second).count == 2 && bench.unsubscribed[second] == nil)
    bench.feed(ATTWriteResponse())
    #expect(bench.unsubscribed[second]?.value != nil)
  }

  @Test("F22: a refused subscription throws the ATT error, and its handlers are gone")
  func refused() {
    var bench = LinkBench()
    let ids = [bench.subscription(), bench.subscription()]
    for id in ids { bench.link.subscribe(to: Self.heartRate, subscription: id, now: bench.now) }
    _ = bench.nextPDU()
    bench.feed(ATTErrorResponse(request: .writeRequest, handle: AttributeHandle(3), code: .insufficientAuthentication))
    for id in ids {
      #expect(bench.subscribed[id]?.failure?.underlying == .att(.insufficientAuthentication, AttributeHandle(3)))
    }
    bench.feed(ATTHandleValueNotification(handle: Self.heartRate.handle, value: [1]))
    #expect(bench.values.isEmpty && bench.nextPDU() == nil)
    let again = bench.subscription()
    bench.link.subscribe(to: Self.heartRate, subscription: again, now: bench.now)
    #expect(bench.next() == Self.configure(1))
  }

  @Test("who subscribes while the end of the last subscription is under way gets it switched on again")
  func rearm() {
    var bench = LinkBench()
    let first = bench.subscription()
    let second = bench.subscription()
    bench.link.subscribe(to: Self.heartRate, subscription: first, now: bench.now)
    _ = bench.nextPDU()
    bench.feed(ATTWriteResponse())
    bench.link.unsubscribe(first, now: bench.now)
    #expect(bench.next() == Self.configure(0))
    bench.link.subscribe(to: Self.heartRate, subscription: second, now: bench.now)
    #expect(bench.nextPDU() == nil)
    bench.feed(ATTWriteResponse())
    #expect(bench.unsubscribed[first]?.value != nil && bench.subscribed[second] == nil)
    #expect(bench.next() == Self.configure(1))
    bench.feed(ATTWriteResponse())
    #expect(bench.subscribed[second]?.value != nil)
  }

  @Test(
    "who leaves while its own subscription is under way is told at once when another takes it over",
    arguments: [true, false]
  )
  func takenOver(isAccepted: Bool) {
    var bench = LinkBench()
    let first = bench.subscription()
    let second = bench.subscription()
    bench.link.subscribe(to: Self.heartRate, subscription: first, now: bench.now)
    #expect(bench.next() == Self.configure(1))
    bench.link.unsubscribe(first, now: bench.now)
    bench.drain()
    #expect(bench.unsubscribed[first] == nil)
    bench.link.subscribe(to: Self.heartRate, subscription: second, now: bench.now)
    bench.drain()
    #expect(bench.unsubscribed[first]?.value != nil && bench.subscribed[second] == nil)
    if isAccepted {
      bench.feed(ATTWriteResponse())
      #expect(bench.subscribed[second]?.value != nil)
    } else {
      bench.feed(ATTErrorResponse(request: .writeRequest, handle: AttributeHandle(3), code: .writeNotPermitted))
      #expect(bench.subscribed[second]?.failure != nil)
    }
    #expect(bench.nextPDU() == nil)
  }

  @Test("what was not sent yet is not sent when it is not wanted any more")
  func neverSent() {
    var bench = LinkBench()
    let read = bench.request()
    bench.link.read(AttributeHandle(9), request: read, now: bench.now)
    _ = bench.nextPDU()
    let first = bench.subscription()
    bench.link.subscribe(to: Self.heartRate, subscription: first, now: bench.now)
    bench.link.unsubscribe(first, now: bench.now)
    bench.feed(ATTReadResponse(value: []))
    #expect(bench.nextPDU() == nil)
    #expect(bench.subscribed[first]?.failure != nil && bench.unsubscribed[first]?.value != nil)
    // The same for the end of one that is on.
    let second = bench.subscription()
    bench.link.subscribe(to: Self.heartRate, subscription: second, now: bench.now)
    _ = bench.nextPDU()
    bench.feed(ATTWriteResponse())
    bench.link.read(AttributeHandle(9), request: bench.request(), now: bench.now)
    _ = bench.nextPDU()
    bench.link.unsubscribe(second, now: bench.now)
    let third = bench.subscription()
    bench.link.subscribe(to: Self.heartRate, subscription: third, now: bench.now)
    bench.feed(ATTReadResponse(value: []))
    #expect(bench.nextPDU() == nil)
    #expect(bench.unsubscribed[second]?.value != nil && bench.subscribed[third]?.value != nil)
  }

  @Test("one that ends while its own subscription is under way is switched off after it")
  func endsEarly() {
    var bench = LinkBench()
    let id = bench.subscription()
    bench.link.subscribe(to: Self.heartRate, subscription: id, now: bench.now)
    _ = bench.nextPDU()
    bench.link.unsubscribe(id, now: bench.now)
    bench.feed(ATTHandleValueNotification(handle: Self.heartRate.handle, value: [1]))
    #expect(bench.nextPDU() == nil && bench.values.isEmpty && bench.unsubscribed[id] == nil)
    bench.feed(ATTWriteResponse())
    #expect(bench.next() == Self.configure(0))
    bench.feed(ATTWriteResponse())
    #expect(bench.unsubscribed[id]?.value != nil)
  }

  @Test("notifications are preferred; indications are asked for where there are no notifications")
  func bits() {
    for (properties, bits) in [([.notify, .indicate], 1), ([.indicate], 2)] as [(CharacteristicProperties, UInt8)] {
      var bench = LinkBench()
      bench.link.subscribe(to: Self.characteristic(2, properties), subscription: bench.subscription(), now: bench.now)
      #expect(bench.next() == Self.configure(bits))
    }
  }

  @Test("a characteristic that can not be subscribed to is a clear error")
  func unsupported() {
    var bench = LinkBench()
    let plain = bench.subscription()
    bench.link.subscribe(to: Self.characteristic(2, .read), subscription: plain, now: bench.now)
    let bare = bench.subscription()
    bench.link.subscribe(
      to: Self.characteristic(2, .notify, hasConfiguration: false),
      subscription: bare,
      now: bench.now
    )
    bench.drain()
    #expect(
      bench.subscribed[plain]?.failure?.kind == .unsupported && bench.subscribed[bare]?.failure?.kind == .unsupported
    )
  }

  @Test("F35: two characteristics with one UUID are told apart by their handles")
  func sameUUID() {
    var bench = LinkBench()
    let first = bench.subscription()
    let second = bench.subscription()
    bench.link.subscribe(to: Self.characteristic(2, .notify), subscription: first, now: bench.now)
    bench.link.subscribe(to: Self.characteristic(12, .notify), subscription: second, now: bench.now)
    #expect(bench.next() == Self.configure(1))
    bench.feed(ATTWriteResponse())
    #expect(bench.next() == Self.configure(1, handle: 13))
    bench.feed(ATTWriteResponse())
    bench.feed(ATTHandleValueNotification(handle: AttributeHandle(12), value: [2]))
    bench.feed(ATTHandleValueNotification(handle: AttributeHandle(2), value: [1]))
    #expect(values(bench, first) == [[1]] && values(bench, second) == [[2]])
  }

  @Test("F25: each event carries its own bytes, several in one PDU too")
  func several() {
    var bench = LinkBench()
    let id = bench.subscription()
    bench.link.subscribe(to: Self.heartRate, subscription: id, now: bench.now)
    _ = bench.nextPDU()
    bench.feed(
      ATTMultipleHandleValueNotification(
        records: [
          .init(handle: Self.heartRate.handle, value: [1]), .init(handle: AttributeHandle(77), value: [9]),
          .init(handle: Self.heartRate.handle, value: [2]),
        ]
      )
    )
    #expect(values(bench, id) == [[1], [2]])
  }

  @Test("an indication is confirmed after its delivery, also one that nobody wants or can read")
  func confirmation() {
    var bench = LinkBench()
    let id = bench.subscription()
    bench.link.subscribe(to: Self.characteristic(2, .indicate), subscription: id, now: bench.now)
    _ = bench.nextPDU()
    bench.all = []
    bench.feed(ATTHandleValueIndication(handle: AttributeHandle(2), value: [1]))
    #expect(bench.all.count == 2 && bench.all.first?.hasPrefix("value") == true)
    #expect(bench.next() == ATTHandleValueConfirmation())
    bench.feed(ATTHandleValueIndication(handle: AttributeHandle(99), value: [1]))
    #expect(bench.next() == ATTHandleValueConfirmation())
    bench.feed([0x1D, 1])
    #expect(bench.next() == ATTHandleValueConfirmation() && bench.violations.count == 1)
  }

  // MARK: Service Changed

  @Test("F38: Service Changed is asked for after a discovery, and forgets the table")
  func serviceChanged() throws {
    var server = TestServer.fiveTimesFour()
    var bench = LinkBench(watchesServices: true)
    let first = bench.request()
    bench.link.discover(nil, request: first, now: bench.now)
    #expect(bench.run(with: &server) == 8)
    bench.idle()
    // The subscription, and as there is no hash, all but the exchange of the MTU once more.
    #expect(bench.run(with: &server) == 8)
    #expect(bench.others.allSatisfy { if case .servicesChanged = $0 { false } else { true } })
    let services = try #require(bench.services(first)?.value)
    let changed = try #require(services.first { $0.uuid == BluetoothUUID(UInt16(0x1801)) }?.characteristics.first)
    #expect(server.attributes.first { $0.handle == changed.handle.rawValue + 1 }?.value == [2, 0])
    bench.feed(ATTHandleValueIndication(handle: changed.handle, value: [0x10, 0, 0xFF, 0xFF]))
    #expect(bench.next() == ATTHandleValueConfirmation())
    guard case .servicesChanged(let range)? = bench.others.last else {
      Issue.record("the change was not told")
      return
    }
    #expect(range == AttributeHandle(0x10)...AttributeHandle.last && bench.link.table == nil)
    let second = bench.request()
    bench.link.discover(nil, request: second, now: bench.now)
    #expect(bench.run(with: &server) > 5)
    #expect(bench.services(second)?.value == services)
    bench.feed(ATTHandleValueIndication(handle: changed.handle, value: [9, 0, 1, 0]))
    bench.feed(ATTHandleValueIndication(handle: changed.handle, value: [9, 0]))
    #expect(bench.link.table != nil && bench.violations.count == 2)
  }

  @Test("services that change during a discovery let it begin again; a bounded number of times")
  func changeDuringDiscovery() throws {
    var server = TestServer.fiveTimesFour()
    var bench = LinkBench(watchesServices: true)
    let known = bench.request()
    bench.link.discover(nil, request: known, now: bench.now)
    _ = bench.run(with: &server)
    bench.idle()
    _ = bench.run(with: &server)
    let services = bench.services(known)?.value
    let handle = try #require(services?.dropFirst().first?.characteristics.first?.handle)
    let change = ATTHandleValueIndication(handle: handle, value: [1, 0, 0xFF, 0xFF])
    bench.feed(change)
    let again = bench.request()
    bench.link.discover(nil, request: again, now: bench.now)
    bench.feed(change)
    _ = bench.run(with: &server)
    #expect(bench.services(again)?.value == services)
    bench.feed(change)
    let never = bench.request()
    bench.link.discover(nil, request: never, now: bench.now)
    var count = 0
    while bench.services(never) == nil, let pdu = bench.nextPDU(), count < 100 {
      guard pdu.first.map({ ATTOpcode(rawValue: $0).isRequest }) == true else { continue }
      count += 1
      bench.feed(change)
      bench.feed(server.answer(pdu))
    }
    #expect(bench.services(never)?.failure?.kind == .protocolViolation && count < 100)
  }

  @Test("after a change the peer is told again of a subscription that may have gone with it")
  func stale() throws {
    var server = TestServer.fiveTimesFour()
    var bench = LinkBench(watchesServices: true)
    bench.link.discover(nil, request: bench.request(), now: bench.now)
    _ = bench.run(with: &server)
    bench.idle()
    _ = bench.run(with: &server)
    let table = try #require(bench.link.table)
    let changed = try #require(table[1].characteristics.first)
    let target = try #require(table[2].characteristics.first)
    bench.link.subscribe(to: target, subscription: bench.subscription(), now: bench.now)
    _ = bench.run(with: &server)
    bench.feed(ATTHandleValueIndication(handle: changed.handle, value: [1, 0, 0xFF, 0xFF]))
    _ = bench.nextPDU()
    let later = bench.subscription()
    bench.link.subscribe(to: target, subscription: later, now: bench.now)
    #expect(bench.next() == ATTWriteRequest(handle: AttributeHandle(target.handle.rawValue + 1), value: [1, 0]))
  }
}
