import RadioPort
import Testing

@testable import Halcyon

@Suite("Which command a lock gets")
struct LockMachineTests {
  private func at(_ seconds: Double) -> RadioInstant { RadioInstant(nanoseconds: Int64(seconds * 1e9)) }

  @Test("OK-20: near disarms, far arms, each once, and nothing is sent while neither is known")
  func once() {
    var machine = LockMachine()
    machine.begin()
    machine.follow(.unknown)
    #expect(machine.due(at: at(0)) == nil)
    machine.follow(.near)
    #expect(machine.due(at: at(1)) == .disarm)
    machine.succeeded(.disarm)
    machine.follow(.near)
    #expect(machine.due(at: at(2)) == nil)
    machine.follow(.far)
    #expect(machine.due(at: at(3)) == .arm)
    machine.succeeded(.arm)
    #expect(machine.due(at: at(4)) == nil)
    #expect(machine.retry == nil)
  }

  @Test("OK-20: a command that was refused or failed is tried again after a second, for as long as it is wanted")
  func again() {
    var machine = LockMachine()
    machine.begin()
    machine.follow(.far)
    machine.postponed(at: at(1))
    #expect(machine.due(at: at(1.9)) == nil)
    #expect(machine.retry == at(2))
    #expect(machine.due(at: at(2)) == .arm)
    machine.postponed(at: at(2))
    // The other one does not wait for it.
    machine.follow(.near)
    #expect(machine.due(at: at(2.1)) == .disarm)
    machine.succeeded(.disarm)
    // What was put off is not made up for.
    #expect(machine.due(at: at(10)) == nil)
  }

  @Test("OK-20: on a new connection the command is sent again")
  func newConnection() {
    var machine = LockMachine()
    machine.begin()
    machine.follow(.near)
    machine.succeeded(.disarm)
    machine.end()
    #expect(machine.due(at: at(5)) == nil)
    machine.begin()
    #expect(machine.due(at: at(6)) == nil)
    machine.follow(.near)
    #expect(machine.due(at: at(6)) == .disarm)
    machine.begin(wanting: .disarm)
    #expect(machine.due(at: at(7)) == .disarm)
    machine.end(wanting: .arm)
    #expect(machine.due(at: at(8)) == .arm)
  }
}
