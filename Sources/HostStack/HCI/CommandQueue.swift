import BluetoothTypes
import RadioPort

/// The host's half of HCI command flow control (Core 5.4, Vol 4, Part E, 4.4): sends no more commands than the
/// controller has room for, and finds the sender of each answer.
///
/// `Purpose` says who sent a command and why; it comes back with the answer.
package struct CommandQueue<Purpose: Sendable>: Sendable {
  private struct Waiting: Sendable {
    let opcode: HCIOpcode
    let packet: HCIPacket
    let purpose: Purpose
    /// The link that the command is about.
    let handle: UInt16?
  }

  private struct Sent: Sendable {
    let opcode: HCIOpcode
    let purpose: Purpose
    let deadline: RadioInstant
  }

  /// What an answer belongs to.
  package enum Match: Sendable {
    /// The command with this purpose was answered.
    case command(Purpose)
    /// The controller only told how many commands it takes (opcode 0).
    case none
    /// No command with this opcode is waiting for an answer.
    case unknown(HCIOpcode)
  }

  /// How long a controller may take to answer, or to take a command at all.
  package let timeout: Duration

  private var waiting: [Waiting] = []
  private var sent: [Sent] = []
  /// One command may go out before the controller has said anything.
  private var room = 1
  /// Since when commands wait with none under way; the controller then owes us a sign.
  private var starvedSince: RadioInstant?

  /// A queue for a controller that gets `timeout` for each answer.
  package init(timeout: Duration = .seconds(5)) { self.timeout = timeout }

  /// Whether nothing waits and nothing is under way.
  package var isIdle: Bool { waiting.isEmpty && sent.isEmpty }

  /// How many commands the controller would take now.
  package var availableRoom: Int { room }

  /// Puts a command at the end of the queue; with the handle of the link that it is about, if it is about one.
  package mutating func enqueue<Command: HCICommand>(
    _ command: Command,
    _ purpose: Purpose,
    about handle: UInt16? = nil
  ) {
    waiting.append(Waiting(opcode: Command.opcode, packet: command.packet, purpose: purpose, handle: handle))
  }

  /// Takes back what waits for the link with this handle, which is gone: the controller gives the handle to another one,
  /// and the commands would be taken for that one's.
  package mutating func withdraw(about handle: UInt16) { waiting.removeAll { $0.handle == handle } }

  /// Takes the next command that may be sent now.
  package mutating func nextPacket(now: RadioInstant) -> HCIPacket? {
    guard !waiting.isEmpty else {
      starvedSince = nil
      return nil
    }
    guard room > 0 else {
      if sent.isEmpty { if starvedSince == nil { starvedSince = now } } else { starvedSince = nil }
      return nil
    }
    starvedSince = nil
    room -= 1
    let next = waiting.removeFirst()
    sent.append(Sent(opcode: next.opcode, purpose: next.purpose, deadline: now.advanced(by: timeout)))
    return next.packet
  }

  /// A Command Complete or Command Status event came: the controller now takes `allowed` commands.
  package mutating func answered(_ opcode: HCIOpcode, allowed: UInt8) -> Match {
    room = Int(allowed)
    if opcode.rawValue == 0 { return .none }
    // Commands of one opcode are answered in the order in which they were sent.
    guard let index = sent.firstIndex(where: { $0.opcode == opcode }) else { return .unknown(opcode) }
    return .command(sent.remove(at: index).purpose)
  }

  /// When the controller counts as failed if it stays silent until then.
  package var deadline: RadioInstant? {
    // In the order in which they were sent, so the first is due first.
    let answer = sent.first?.deadline
    guard let starvedSince else { return answer }
    return min(answer ?? .distantFuture, starvedSince.advanced(by: timeout))
  }

  /// The command that the controller left unanswered for too long, in words; `nil` while all is well.
  package func overdue(now: RadioInstant) -> String? {
    if let late = sent.first(where: { $0.deadline <= now }) {
      return "command 0x\(hexadecimal(late.opcode.rawValue, digits: 4)) was not answered within \(timeout)"
    }
    if let starvedSince, let next = waiting.first, starvedSince.advanced(by: timeout) <= now {
      return "no room for command 0x\(hexadecimal(next.opcode.rawValue, digits: 4)) came within \(timeout)"
    }
    return nil
  }

  /// Forgets everything, as a reset of the controller does.
  package mutating func reset() { self = CommandQueue(timeout: timeout) }
}
