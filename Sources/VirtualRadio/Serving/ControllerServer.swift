import BluetoothTypes
import HCITransport
import HostStack
import RadioPort
import Synchronization

/// Gives everyone who connects a controller of a live world's air: other programs, ours or not, whose hosts speak H4,
/// meet there with each other and with the world's devices.
///
/// The controller comes with the connection and goes with it, as if it was unplugged.
// Invariant of the unchecked conformance: `listeners`, `guests`, `count` and `addresses` are touched only on the loop.
package final class ControllerServer: @unchecked Sendable {
  /// What happens at the door. Told on the world's loop.
  package enum Event: Hashable, Sendable {
    /// A program has come; its controller has this address.
    case attached(Guest)
    /// A program has gone, and why.
    case detached(Guest, reason: String)
    /// All places are taken.
    case turnedAway(peer: String)
    /// The system ended the listening at one place.
    case failed(String)
  }

  /// A program that is attached.
  package struct Guest: Hashable, Sendable {
    /// Counts all that ever came, from 1.
    package let number: Int
    /// Where it comes from.
    package let peer: String
    /// The public address of its controller.
    package let address: BluetoothAddress
  }

  private struct Attachment {
    let guest: Guest
    let stream: H4Stream
    let channel: VirtualChannel
  }

  private let world: World
  private let loop: PollLoop
  private let limit: Int
  private let tell: @Sendable (Event) -> Void
  private var listeners: [H4Listener] = []
  private var guests: [Int: Attachment] = [:]
  private var count = 0
  private var addresses = GuestAddresses()
  private let features: LEFeatures

  /// - Parameters:
  ///   - world: A live world; `nil` comes back for one that is not.
  ///   - limit: How many may be attached at once.
  ///   - features: What the controllers have of the features that there are; without extended advertising, for example,
  ///     hosts speak of advertising in legacy commands.
  ///   - tell: Hears what happens, on the world's loop.
  package init?(
    in world: World,
    limit: Int = 64,
    features: LEFeatures = .all,
    tell: @escaping @Sendable (Event) -> Void
  ) {
    guard let loop = world.executor as? PollLoop else { return nil }
    self.world = world
    self.loop = loop
    self.limit = limit
    self.features = features
    self.tell = tell
  }

  /// Begins to listen at one more place.
  ///
  /// - Returns: Where it listens: with the port that was chosen, where that was left open.
  /// - Throws: ``H4Listener/Failure`` with what was tried, why it failed and what to do.
  package func listen(at address: ListenAddress) async throws -> ListenAddress {
    try await withCheckedThrowingContinuation { continuation in
      loop.submit { continuation.resume(with: self.open(address)) }
    }
  }

  /// Gives the host of the Linux kernel a controller too, as a new adapter there.
  ///
  /// - Returns: The kernel's name for it, such as `hci0`.
  /// - Throws: ``VirtualAdapter/Failure`` with what was tried, why it failed and what to do.
  package func attachToKernel() async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      loop.submit {
        continuation.resume(
          with: VirtualAdapter.open(watcher: self.loop).map { stream, index in
            self.attach(stream, "the Linux kernel's hci\(index)")
            return "hci\(index)"
          }
        )
      }
    }
  }

  /// Stops to listen and unplugs all controllers; nothing is told of that.
  package func stop() async {
    await withCheckedContinuation { continuation in
      loop.submit {
        for listener in self.listeners { listener.close() }
        self.listeners = []
        for number in self.guests.keys.sorted() { self.remove(number)?.stream.close() }
        continuation.resume()
      }
    }
  }

  private func open(_ address: ListenAddress) -> Result<ListenAddress, H4Listener.Failure> {
    let listener = H4Listener(watcher: loop)
    let result = listener.listen(
      at: address,
      accepted: { [weak self] stream, peer in self?.attach(stream, peer) },
      failed: { [weak self] failure in self?.tell(.failed(failure.description)) }
    )
    if case .success = result { listeners.append(listener) }
    return result
  }

  // MARK: Guests

  private func attach(_ stream: H4Stream, _ peer: String) {
    guard guests.count < limit else {
      // An unstarted stream is closed by starting and closing it.
      stream.start(receive: { _ in }, ended: { _ in })
      stream.close()
      return tell(.turnedAway(peer: peer))
    }
    count &+= 1
    let number = count
    let address = addresses.take()
    let configuration = ControllerConfiguration(address: address, features: features)
    let channel = world.space.addController(configuration, name: "program \(number)")
    let guest = Guest(number: number, peer: peer, address: address)
    guests[number] = Attachment(guest: guest, stream: stream, channel: channel)
    let space = world.space
    let controller = channel.controller
    channel.open(
      receive: { [weak stream] packet in stream?.send(packet) },
      closed: { [weak self] failure in self?.detach(number, failure.reason) }
    )
    stream.start(
      receive: { packet in channel.send(packet) },
      congestionChanged: { isCongested in
        space.changeAir { air, now in air.setStalled(isCongested, controller, now: now) }
      },
      ended: { [weak self] end in self?.detach(number, end.description) }
    )
    tell(.attached(guest))
    world.radioCame("program \(number)", channel.controller)
  }

  private func detach(_ number: Int, _ reason: String) {
    guard let attachment = remove(number) else { return }
    attachment.stream.close()
    tell(.detached(attachment.guest, reason: reason))
  }

  private func remove(_ number: Int) -> Attachment? {
    guard let attachment = guests.removeValue(forKey: number) else { return nil }
    attachment.channel.close()
    addresses.giveBack(attachment.guest.address)
    world.space.removeController(attachment.channel.controller)
    world.radioLeft(attachment.channel.controller)
    return attachment
  }
}
