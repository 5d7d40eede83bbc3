import BluetoothTypes
import RadioPort

// Where tests interfere between any two packets and any two jobs, and look at what is left behind.

extension World {
  /// Calls `watcher` for each HCI packet from now on, with how many have passed, this one included; `nil` for nobody.
  ///
  /// A packet to a controller has been taken by it; one to a host is lost if the watcher takes the host's channel away.
  package func watchPackets(_ watcher: (@Sendable (Int) -> Void)?) { space.watchPackets(watcher) }

  /// Calls `watcher` before each job of a simulated world's loop, with the number of the job from 1 on; `nil` for nobody.
  package func watchJobs(_ watcher: (@Sendable (Int) -> Void)?) { (executor as? SimulatedLoop)?.watchJobs(watcher) }

  /// Lets the host of one of this world's radios hear a packet that its controller never sent.
  package func inject(_ packet: HCIPacket, to radio: any Radio) {
    guard let entry = radios.withLock({ $0.all.first { $0.radio === radio } }) else { return }
    space.inject(packet, toHostOf: entry.channel.controller)
  }

  /// What the controller of one of this world's radios is doing; `nil` for other radios.
  package func activity(of radio: any Radio) -> ControllerActivity? {
    guard let entry = radios.withLock({ $0.all.first { $0.radio === radio } }) else { return nil }
    let id = entry.channel.controller
    return space.changeAir { air, _ in air.activity(of: id) }
  }
}
