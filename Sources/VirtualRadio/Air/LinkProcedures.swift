import BluetoothTypes

/// The procedures of the link layer that an end has begun.
struct LinkProcedures: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let features = Self(rawValue: 1)
  static let version = Self(rawValue: 2)
  static let update = Self(rawValue: 4)
  static let length = Self(rawValue: 8)
  static let phy = Self(rawValue: 16)
  static let termination = Self(rawValue: 32)
  static let encryption = Self(rawValue: 64)

  /// Those that take effect at an instant, of which a link has one at a time (Core 5.4, Vol 6, Part B, 5.3).
  static let withInstant: LinkProcedures = [.update, .phy]
}

/// In which procedures an end waits for the other, and until when (Core 5.4, Vol 6, Part B, 5.2).
struct ProcedureWaits: Hashable, Sendable {
  private var waits: [Wait] = []
  /// When the end gives up, and with that the link; in nanoseconds.
  private(set) var deadline: Int64?

  private struct Wait: Hashable, Sendable {
    var procedure: LinkProcedures
    var deadline: Int64
  }

  /// The other end is to answer.
  mutating func begin(_ procedure: LinkProcedures, until deadline: Int64) {
    waits.removeAll { $0.procedure == procedure }
    waits.append(Wait(procedure: procedure, deadline: deadline))
    refresh()
  }

  /// The other end has answered.
  mutating func end(_ procedure: LinkProcedures) {
    guard !waits.isEmpty else { return }
    waits.removeAll { $0.procedure == procedure }
    refresh()
  }

  private mutating func refresh() { deadline = waits.map(\.deadline).min() }
}

/// What keeps procedures with an instant from getting in each other's way at one end (Core 5.4, Vol 6, Part B, 5.3).
struct InstantProcedures: Hashable, Sendable {
  /// Something that is not said before another procedure has come to its end.
  struct Held: Hashable, Sendable {
    var procedure: LinkProcedures
    var message: LinkControl
  }

  /// Those that the other end has begun and that have not ended, as far as this end knows.
  var ofOtherEnd: LinkProcedures = []
  /// What the host has asked for meanwhile.
  private(set) var held: [Held] = []

  /// The kinds of what is held.
  var heldProcedures: LinkProcedures { held.reduce(into: []) { $0.formUnion($1.procedure) } }

  mutating func hold(_ message: LinkControl, _ procedure: LinkProcedures) {
    held.append(Held(procedure: procedure, message: message))
  }

  /// Takes out what is next.
  mutating func release() -> Held? { held.isEmpty ? nil : held.removeFirst() }
}

extension LinkEnd {
  /// Procedures with an instant that this end has begun, the other end hears of, and that have not ended.
  var instantProcedures: LinkProcedures {
    procedures.intersection(.withInstant).subtracting(instants.heldProcedures)
  }
}

extension Air {
  /// How long an end waits for the other in a procedure (Core 5.4, Vol 6, Part B, 5.2).
  static let procedureTimeout: Int64 = 40_000_000_000

  /// Has one end say something that the other is to answer; without an answer the end gives up, and with it the link.
  mutating func ask(_ message: LinkControl, in procedure: LinkProcedures, from side: LinkSide, of position: Int) {
    say(message, from: side, of: position)
    links[position][side].waits.begin(procedure, until: time &+ Self.procedureTimeout)
  }

  /// Begins a procedure with an instant that the host has asked for, as soon as no other one is under way.
  mutating func beginInstant(
    _ message: LinkControl,
    in procedure: LinkProcedures,
    from side: LinkSide,
    of position: Int
  ) {
    links[position][side].instants.hold(message, procedure)
    beginHeld(side, of: position)
  }

  /// A procedure with an instant has ended at one end: it begins the next one, if its host has asked for one.
  mutating func beginHeld(_ side: LinkSide, of position: Int) {
    guard links[position][side].instants.ofOtherEnd.isEmpty, links[position][side].instantProcedures.isEmpty,
      let next = links[position][side].instants.release()
    else { return }
    switch next.message {
    // What needs no answer: the other end does as it hears.
    case .connectionUpdate: say(next.message, from: side, of: position)
    default: ask(next.message, in: next.procedure, from: side, of: position)
    }
  }

  /// The other end begins a procedure with an instant; `false` if it is refused, as this end has begun one of its own.
  ///
  /// Where both ends begin one at once that of the central goes on: the central refuses the peripheral's, and the
  /// peripheral does what it hears and waits for that refusal (5.3).
  mutating func takesInstant(_ procedure: LinkProcedures, at side: LinkSide, of position: Int) -> Bool {
    let own = links[position][side].instantProcedures
    guard side == .peripheral || own.isEmpty else {
      let reason: HCIStatus = own.contains(procedure) ? .llProcedureCollision : .differentTransactionCollision
      say(.reject(procedure, reason), from: side, of: position)
      return false
    }
    links[position][side].instants.ofOtherEnd.insert(procedure)
    return true
  }

  /// A procedure with an instant that the other end had begun is over.
  mutating func endInstant(_ procedure: LinkProcedures, at side: LinkSide, of position: Int) {
    links[position][side].instants.ofOtherEnd.remove(procedure)
    beginHeld(side, of: position)
  }
}
