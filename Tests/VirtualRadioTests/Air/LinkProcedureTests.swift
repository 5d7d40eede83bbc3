import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Procedures of the link layer")
struct LinkProcedureTests {
  private func update(_ handle: UInt16, interval: UInt16) -> LEConnectionUpdate {
    LEConnectionUpdate(
      connectionHandle: handle,
      connectionIntervalMin: interval,
      connectionIntervalMax: interval,
      supervisionTimeout: 400
    )
  }

  private func statuses(_ bench: inout AirBench, _ id: ControllerID) -> [HCIStatus] {
    bench.take(LEConnectionUpdateComplete.self, from: id).map(\.status)
  }

  @Test("whoever is to be answered waits 40 s and no longer, in every procedure, and stops when the answer comes")
  func deadlines() throws {
    let commands: [(side: LinkSide, (UInt16) -> any HCICommand)] = [
      (.central, { LEReadRemoteFeatures(connectionHandle: $0) }),
      (.peripheral, { LEReadRemoteFeatures(connectionHandle: $0) }),
      (.central, { ReadRemoteVersionInformation(connectionHandle: $0) }),
      (.peripheral, { ReadRemoteVersionInformation(connectionHandle: $0) }),
      (.central, { LESetDataLength(connectionHandle: $0) }),
      (.peripheral, { LESetDataLength(connectionHandle: $0) }),
      (.central, { LESetPHY(connectionHandle: $0, txPHYs: .le2M, rxPHYs: .le2M) }),
      (.peripheral, { LESetPHY(connectionHandle: $0, txPHYs: .le2M, rxPHYs: .le2M) }),
    ]
    for (side, make) in commands {
      var bench = AirBench()
      let link = try bench.link()
      let (id, handle) =
        side == .central ? (link.central, link.centralHandle) : (link.peripheral, link.peripheralHandle)
      let command = make(handle)
      bench.send(command, to: id)
      let deadline = bench.now.advanced(by: .seconds(40)).nanoseconds
      #expect(bench.air.links.first?[side].procedureDeadline == deadline, "\(command)")
      bench.run(for: .seconds(2))
      #expect(bench.air.links.first?.central.procedureDeadline == nil, "\(command)")
      #expect(bench.air.links.first?.peripheral.procedureDeadline == nil, "\(command)")
      #expect(bench.air.links.first?[side].procedures == [], "\(command)")
    }
  }

  @Test("a wish for other parameters that the central's host does not answer costs the link")
  func unanswered() throws {
    var bench = AirBench()
    let link = try bench.link()
    bench.send(update(link.peripheralHandle, interval: 40), to: link.peripheral)
    bench.run(for: .milliseconds(39_900))
    #expect(bench.count(LERemoteConnectionParameterRequest.self, from: link.central) == 1)
    #expect(bench.count(DisconnectionComplete.self, from: link.peripheral) == 0)
    bench.run(for: .milliseconds(200))
    #expect(bench.take(DisconnectionComplete.self, from: link.peripheral).map(\.reason) == [.llResponseTimeout])
    bench.run(for: .seconds(2))
    #expect(bench.take(DisconnectionComplete.self, from: link.central).map(\.reason) == [.connectionTimeout])
  }

  @Test("a central's own update waits until the peripheral's wish is answered, and each command has one end")
  func waiting() throws {
    var bench = AirBench()
    let link = try bench.link()
    bench.send(update(link.peripheralHandle, interval: 40), to: link.peripheral)
    bench.run(for: .seconds(1))
    bench.send(update(link.centralHandle, interval: 80), to: link.central)
    #expect(bench.status(.leConnectionUpdate, from: link.central) == .success)
    bench.run(for: .seconds(5))
    #expect(statuses(&bench, link.peripheral) == [] && statuses(&bench, link.central) == [])
    bench.send(
      LERemoteConnectionParameterRequestReply(
        connectionHandle: link.centralHandle,
        intervalMin: 40,
        intervalMax: 40,
        timeout: 400
      ),
      to: link.central
    )
    bench.run(for: .seconds(5))
    for id in [link.central, link.peripheral] {
      #expect(bench.take(LEConnectionUpdateComplete.self, from: id).map(\.connectionInterval) == [40, 80])
    }
    bench.run(for: .seconds(60))
    #expect(bench.count(DisconnectionComplete.self, from: link.central) == 0)
  }

  @Test("where both ends begin an update at once that of the central goes on, and the peripheral hears of a collision")
  func collision() throws {
    var bench = AirBench()
    let link = try bench.link()
    bench.send(update(link.peripheralHandle, interval: 40), to: link.peripheral)
    bench.send(update(link.centralHandle, interval: 80), to: link.central)
    bench.run(for: .seconds(5))
    #expect(bench.count(LERemoteConnectionParameterRequest.self, from: link.central) == 0)
    #expect(statuses(&bench, link.peripheral) == [.llProcedureCollision, .success])
    #expect(statuses(&bench, link.central) == [.success])
    // Nothing is left of it.
    bench.send(LESetPHY(connectionHandle: link.peripheralHandle, txPHYs: .le2M, rxPHYs: .le2M), to: link.peripheral)
    bench.run(for: .seconds(5))
    #expect(bench.take(LEPHYUpdateComplete.self, from: link.peripheral).map(\.status) == [.success])
    bench.run(for: .seconds(60))
    #expect(bench.count(DisconnectionComplete.self, from: link.peripheral) == 0)
  }

  @Test("two that do not go together collide too; two of one end come one after the other")
  func different() throws {
    var bench = AirBench()
    let link = try bench.link()
    bench.send(update(link.peripheralHandle, interval: 40), to: link.peripheral)
    bench.send(LESetPHY(connectionHandle: link.centralHandle, txPHYs: .le2M, rxPHYs: .le2M), to: link.central)
    bench.send(update(link.centralHandle, interval: 80), to: link.central)
    bench.run(for: .seconds(5))
    #expect(statuses(&bench, link.peripheral) == [.differentTransactionCollision, .success])
    #expect(statuses(&bench, link.central) == [.success])
    for id in [link.central, link.peripheral] {
      #expect(bench.take(LEPHYUpdateComplete.self, from: id).map(\.txPHY) == [.le2M])
    }
    bench.send(LESetPHY(connectionHandle: link.centralHandle), to: link.central)
    bench.send(LESetPHY(connectionHandle: link.peripheralHandle), to: link.peripheral)
    bench.run(for: .seconds(5))
    let ends = bench.take(LEPHYUpdateComplete.self, from: link.peripheral).map(\.status)
    #expect(ends.first == .llProcedureCollision && ends.dropFirst().allSatisfy { $0 == .success })
  }
}
