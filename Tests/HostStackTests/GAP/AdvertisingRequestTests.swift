import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("What owners advertise")
struct AdvertisingRequestTests {
  static let long: BluetoothUUID = "12345678-1234-5678-1234-56789ABCDEF0"

  @Test("what fits stands in the advertisement, the rest in the scan response")
  func packing() throws {
    let packed = try AdvertisingRequest(name: "A name of twenty-one b", services: [Self.long]).packed()
    #expect(packed.advertisement.structures.map(\.type) == [.flags, .completeServiceUUIDs128])
    #expect(packed.scanResponse.structures.map(\.type) == [.completeLocalName])
    let short = try AdvertisingRequest(name: "Pulse", services: [BluetoothUUID(UInt16(0x180D))]).packed()
    #expect(short.advertisement.structures.map(\.type) == [.flags, .completeServiceUUIDs16, .completeLocalName])
    #expect(short.scanResponse.structures.isEmpty)
  }

  @Test("what does not fit is a failure that names it, or is shortened")
  func overflow() throws {
    var request = AdvertisingRequest(name: String(repeating: "n", count: 30), services: [Self.long])
    do throws(RadioFailure) {
      _ = try request.packed()
      Issue.record("it fits")
    } catch {
      #expect(error.kind == .tooLong)
      #expect(error.reason.contains("31 bytes"))
    }
    request.overflow = .shorten
    request.services = [Self.long, "22345678-1234-5678-1234-56789ABCDEF0"]
    let packed = try request.packed()
    #expect(packed.advertisement.encodedCount <= 31)
    #expect(packed.scanResponse.encodedCount <= 31)
    #expect(packed.advertisement.structures.contains { $0.type == .incompleteServiceUUIDs128 })
    #expect(packed.scanResponse.structures.map(\.type) == [.shortenedLocalName])
  }

  @Test("the wishes of several owners are put together, unless they contradict each other")
  func merging() throws {
    let first = AdvertisingRequest(name: "Pulse", services: [BluetoothUUID(UInt16(0x180D))], isConnectable: false)
    let second = AdvertisingRequest(services: [BluetoothUUID(UInt16(0x180F)), BluetoothUUID(UInt16(0x180D))])
    let both = try AdvertisingMerger.configuration(for: [first, second])
    #expect(both.isConnectable)
    #expect(AdvertisingData(parsing: both.data).first(.completeServiceUUIDs16) == [0x0D, 0x18, 0x0F, 0x18])
    do throws(RadioFailure) {
      _ = try AdvertisingMerger.configuration(for: [first, AdvertisingRequest(name: "Other")])
      Issue.record("two names at once")
    } catch {
      #expect(error.kind == .busy)
    }
  }
}
