import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Requests that wait while the peer's services change")
struct StaleRequestTests {
  private static let characteristic = RemoteCharacteristic(
    declarationHandle: AttributeHandle(0x21),
    handle: AttributeHandle(0x22),
    uuid: "2A37",
    properties: [.read, .write, .notify],
    descriptors: [RemoteDescriptor(handle: AttributeHandle(0x23), uuid: "2902")]
  )

  /// A link that listens to Service Changed, with a read of an attribute outside of what changes under way.
  private func bench() throws -> (LinkBench, changed: AttributeHandle) {
    var server = TestServer.fiveTimesFour()
    var bench = LinkBench(watchesServices: true)
    bench.link.discover(nil, request: bench.request(), now: bench.now)
    _ = bench.run(with: &server)
    bench.idle()
    _ = bench.run(with: &server)
    let changed = try #require(bench.link.table?[1].characteristics.first?.handle)
    bench.link.read(AttributeHandle(3), request: bench.request(), now: bench.now)
    _ = bench.nextPDU()
    return (bench, changed)
  }

  @Test("F38: reads, writes and subscriptions of attributes that are others now are not sent, and say why; others are")
  func queued() throws {
    var (bench, changed) = try bench()
    let read = bench.request()
    let write = bench.request()
    let several = bench.request()
    let outside = bench.request()
    let subscription = bench.subscription()
    bench.link.read(AttributeHandle(0x22), request: read, now: bench.now)
    bench.link.write([1], to: AttributeHandle(0x30), request: write, now: bench.now)
    bench.link.read([AttributeHandle(3), AttributeHandle(0x22)], lengths: nil, request: several, now: bench.now)
    bench.link.subscribe(to: Self.characteristic, subscription: subscription, now: bench.now)
    bench.link.read(AttributeHandle(5), request: outside, now: bench.now)
    #expect(bench.nextPDU() == nil)

    bench.feed(ATTHandleValueIndication(handle: changed, value: [0x20, 0, 0xFF, 0xFF]))
    #expect(bench.next() == ATTHandleValueConfirmation())
    let failures = [
      bench.value(read)?.failure, bench.done(write)?.failure, bench.values(several)?.failure,
      bench.subscribed[subscription]?.failure,
    ]
    for failure in failures {
      #expect(failure?.kind == .invalidArgument)
      #expect(failure?.reason.contains("services have changed") == true)
    }
    bench.feed(ATTReadResponse(value: [7]))
    #expect(bench.next() == ATTReadRequest(handle: AttributeHandle(5)))
    bench.feed(ATTReadResponse(value: [5]))
    #expect(bench.value(outside)?.value == [5])
    #expect(bench.nextPDU() == nil)
    #expect(bench.endings.values.allSatisfy { $0 == 1 })
  }

  @Test("F38: a subscription that waited is refused once, and can be made again where the characteristic is now")
  func subscribesAgain() throws {
    var (bench, changed) = try bench()
    let first = bench.subscription()
    bench.link.subscribe(to: Self.characteristic, subscription: first, now: bench.now)
    bench.feed(ATTHandleValueIndication(handle: changed, value: [1, 0, 0xFF, 0xFF]))
    _ = bench.nextPDU()
    #expect(bench.subscribed[first]?.failure != nil)
    bench.feed(ATTReadResponse(value: [7]))
    #expect(bench.nextPDU() == nil)
    let second = bench.subscription()
    bench.link.subscribe(to: Self.characteristic, subscription: second, now: bench.now)
    #expect(bench.next() == ATTWriteRequest(handle: AttributeHandle(0x23), value: [1, 0]))
    bench.feed(ATTWriteResponse())
    #expect(bench.subscribed[second]?.value != nil)
  }

  @Test("F38: the end of a subscription that waited is told, and not written to an attribute that is another now")
  func unsubscribes() throws {
    var (bench, changed) = try bench()
    bench.feed(ATTReadResponse(value: [7]))
    let id = bench.subscription()
    bench.link.subscribe(to: Self.characteristic, subscription: id, now: bench.now)
    _ = bench.nextPDU()
    bench.feed(ATTWriteResponse())
    bench.link.read(AttributeHandle(3), request: bench.request(), now: bench.now)
    _ = bench.nextPDU()
    bench.link.unsubscribe(id, now: bench.now)
    #expect(bench.nextPDU() == nil)
    bench.feed(ATTHandleValueIndication(handle: changed, value: [0x20, 0, 0xFF, 0xFF]))
    #expect(bench.next() == ATTHandleValueConfirmation())
    #expect(bench.unsubscribed[id]?.value != nil)
    bench.feed(ATTReadResponse(value: [7]))
    #expect(bench.nextPDU() == nil)
  }

  @Test("F38: what waited behind a request that the peer found out of sync is not sent either")
  func outOfSync() throws {
    var (bench, _) = try bench()
    let write = bench.request()
    bench.link.write([1], to: AttributeHandle(0x30), request: write, now: bench.now)
    bench.feed(ATTErrorResponse(request: .readRequest, handle: AttributeHandle(3), code: .databaseOutOfSync))
    #expect(bench.nextPDU() == nil)
    #expect(bench.done(write)?.failure?.kind == .invalidArgument)
  }
}
