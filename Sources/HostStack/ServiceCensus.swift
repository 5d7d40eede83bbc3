import RadioPort
import Synchronization

/// Gathers which of several links offer a service, and tells once, when all have answered.
final class ServiceCensus: Sendable {
  private struct State {
    var waiting: Set<LinkID>
    var offering: Set<LinkID> = []
  }

  private let links: [LinkID]
  private let completion: @Sendable ([KnownPeer]) -> Void
  private let state: Mutex<State>

  init(links: [LinkID], completion: @escaping @Sendable ([KnownPeer]) -> Void) {
    self.links = links
    self.completion = completion
    state = Mutex(State(waiting: Set(links)))
  }

  func answer(of link: LinkID, offers: Bool) {
    let offering: Set<LinkID>? = state.withLock { state in
      guard state.waiting.remove(link) != nil else { return nil }
      if offers { state.offering.insert(link) }
      return state.waiting.isEmpty ? state.offering : nil
    }
    guard let offering else { return }
    completion(links.filter { offering.contains($0) }.map { KnownPeer($0.peer) })
  }
}
