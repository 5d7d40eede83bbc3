import RadioPort

/// Who waits for the results of requests. Their names grow, and seldom there are many, so that they are found faster by
/// their order than by hashing.
struct RequestTable: Sendable {
  private var entries: [(id: RequestID, completion: HostRadio.Completion)] = []

  /// Whether nobody waits.
  var isEmpty: Bool { entries.isEmpty }

  /// Takes note of who waits for the result of a request, whose name is greater than all before.
  mutating func note(_ completion: HostRadio.Completion, of id: RequestID) { entries.append((id, completion)) }

  /// Who waits for the result, and does no more.
  mutating func take(_ id: RequestID) -> HostRadio.Completion? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low &+ high) / 2
      if entries[middle].id.rawValue < id.rawValue { low = middle &+ 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].id == id else { return nil }
    if low &+ 1 == entries.count { return entries.popLast()?.completion }
    return entries.remove(at: low).completion
  }
}
