/// What a controller is doing at a moment, for tests of what must not be left behind.
package struct ControllerActivity: Hashable, Sendable {
  /// Whether it listens to advertisements for its host.
  package var isScanning = false
  /// Whether it waits for a device to connect to.
  package var isConnecting = false
  /// Whether it advertises.
  package var isAdvertising = false
  /// How many links it has.
  package var linkCount = 0
  /// How many of its host's packets it holds.
  package var buffersInUse = 0

  /// Nothing at all.
  package static let none = ControllerActivity()
}

extension VirtualController {
  var activity: ControllerActivity {
    ControllerActivity(
      isScanning: scanner.isEnabled,
      isConnecting: initiator != nil,
      isAdvertising: isAdvertising,
      linkCount: links.count,
      buffersInUse: buffersInUse
    )
  }
}

extension Air {
  /// What a controller is doing; `nil` if there is none of that name.
  package func activity(of id: ControllerID) -> ControllerActivity? {
    index(of: id).map { controllers[$0].activity }
  }
}
