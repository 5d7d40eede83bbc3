import BluetoothTypes
import RadioPort

/// The way from a host to its virtual controller.
///
/// Whatever sits behind a controller uses it through such a channel: the world's radios, the devices, and what other
/// programs attach.
package final class VirtualChannel: HCIChannel {
  /// Which controller.
  package let controller: ControllerID
  /// The space that the controller is in, for what is not HCI: its place, and whether it is heard.
  package let space: AirSpace

  init(controller: ControllerID, space: AirSpace) {
    self.controller = controller
    self.space = space
  }

  /// Opens the channel; refused at once while the controller is switched off.
  package func open(
    receive: @escaping @Sendable (HCIPacket) -> Void,
    closed: @escaping @Sendable (HCIChannelFailure) -> Void
  ) {
    space.open(controller, receive: receive, closed: closed)
  }

  package func send(_ packet: HCIPacket) { space.send(packet, from: controller) }

  package func close() { space.close(controller) }
}
