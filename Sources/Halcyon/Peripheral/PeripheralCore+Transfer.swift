import BluetoothTypes
import RadioPort

/// Where a transfer goes, once that is known.
struct TransferRoute: Sendable {
  let target: CharacteristicName.Instance
  let withResponse: Bool
}

extension PeripheralCore {
  /// Finds out where a transfer goes, and waits until it is its turn there.
  func beginTransfer(_ plan: TransferPlan) async throws -> TransferRoute {
    let attempt = attempt(.write, plan.name, limit: plan.limit)
    guard !plan.bytes.isEmpty else { throw attempt.error(.empty) }
    if let length = plan.partLength, length < 1 { throw attempt.error(.invalidArgument) }
    let target = try await resolveInTurn(plan.name, for: attempt, deadline: central.deadline(after: plan.limit))
    let properties = target.characteristic.properties
    let withResponse =
      switch plan.type {
      case .withResponse: true
      case .withoutResponse: false
      case .automatic: !properties.contains(.writeWithoutResponse)
      }
    try require(withResponse ? .write : .writeWithoutResponse, of: target, for: attempt)
    // How long the others take is theirs to bound.
    try await takeTurn(.transfer(target.characteristic.handle.rawValue), for: attempt, deadline: nil)
    return TransferRoute(target: target, withResponse: withResponse)
  }

  /// Sends the part that begins at `offset`, and returns its length.
  func sendPart(of plan: TransferPlan, from offset: Int, on route: TransferRoute) async throws -> Int {
    let attempt = attempt(.write, plan.name, limit: plan.limit)
    guard link == route.target.link else { throw attempt.error(lastLoss) }
    // Also with response no more than one packet takes: longer values would go in several, one by one, and are not
    // taken by all devices.
    let longest = Self.writeLength(mtu: access.mtu(of: route.target.link))
    let length = min(plan.bytes.count - offset, longest, plan.partLength ?? longest)
    let part = Array(plan.bytes[offset..<(offset + length)])
    let deadline = central.deadline(after: plan.limit)
    let ticket = enterOrder()
    defer { leaveOrder(ticket) }
    try await awaitOrder(ticket, for: attempt, deadline: deadline)
    try await request(attempt, on: route.target.link, deadline: deadline, leaving: ticket) { access, completion in
      access.write(part, to: route.target, route.withResponse, completion)
    }
    return length
  }
}
