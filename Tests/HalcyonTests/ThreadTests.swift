import BluetoothTypes
import RadioPort
import Testing

@testable import Halcyon

@Suite("A live radio, with callers on other threads")
struct ThreadTests {
  @Test("Reads that are answered, cancelled and cut off from many threads each end once, and leave nothing behind")
  func manyThreads() async throws {
    let loop = PollLoop()
    let radio = ScriptedRadio(loop)
    await radio.set { $0.services = Table.services }
    await radio.set { $0.values = [Table.level: [80]] }
    let central = Central(radio: radio)
    try await central.ready()
    for round in 0..<20 {
      let peripheral = try await central.connect(to: Scene.device)
      if round % 2 == 0 { await radio.set { $0.held = [.request, .discover] } }
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<40 {
          group.addTask {
            let read = Task { try await peripheral.read(.level) }
            if index % 3 == 0 { read.cancel() }
            if index % 7 == 1 { await Task.yield() }
            if index % 3 == 1 { read.cancel() }
            switch await read.result {
            case .success(let value): #expect(value == 80)
            case .failure(let error as BluetoothError):
              #expect([.disconnected, .notConnected].contains(error.kind))
            case .failure(let error): #expect(error is CancellationError)
            }
          }
        }
        group.addTask {
          await radio.letGo(.discover)
          if round % 4 == 0 { await radio.loseLinks() } else { await radio.letGo(.request) }
          await peripheral.disconnect()
        }
      }
      await radio.set { $0.held = [] }
      #expect(await peripheral.core.running.isEmpty)
      #expect(await peripheral.core.discoveries.isEmpty)
      #expect(await radio.openClaims == 0)
    }
    await withCheckedContinuation { done in loop.stop { done.resume() } }
  }

  @Test("Streams and scans that are left from many threads leave nothing at the radio")
  func streams() async throws {
    let loop = PollLoop()
    let radio = ScriptedRadio(loop)
    await radio.set { $0.services = Table.services }
    let central = Central(radio: radio)
    let peripheral = try await central.connect(to: Scene.device)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<50 {
        group.addTask {
          let values = Task { for try await _ in peripheral.values(of: .measurement) { if index % 2 == 0 { break } } }
          let scan = Task { for try await _ in central.scan(timeout: nil) { if index % 2 == 0 { break } } }
          for _ in 0..<index { await Task.yield() }
          await radio.notify(Table.measurement, [1])
          await radio.hear(Scene.other, "Lamp")
          values.cancel()
          scan.cancel()
          _ = await (values.result, scan.result)
        }
      }
    }
    // What was left is submitted to the loop before this call.
    #expect(await radio.openSubscriptions == 0)
    #expect(await radio.runningScans == 0)
    await withCheckedContinuation { done in loop.stop { done.resume() } }
  }
}
