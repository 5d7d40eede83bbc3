import BluetoothTypes
import HCITransport
import HostStack
import RadioPort

/// Our host on a real controller, with the loop that both run on.
package struct LiveRadio: Sendable {
  /// The radio; it is switched on as soon as its loop runs.
  package let radio: HostRadio
  /// Where it runs.
  package let loop: PollLoop

  /// Opens the controller behind a TCP port.
  ///
  /// - Parameters:
  ///   - connectTimeout: How long it may take until the connection is there.
  ///   - commandTimeout: How long the controller may take to answer a command; more than `connectTimeout`, as the first
  ///     command waits for the connection.
  package init(
    host: String,
    port: UInt16,
    connectTimeout: Duration = TCPChannel.standardTimeLimit,
    commandTimeout: Duration = .seconds(5)
  ) {
    self.init(commandTimeout: commandTimeout) { loop in
      TCPChannel(host: host, port: port, watcher: loop, timeLimit: connectTimeout)
    }
  }

  /// Opens a controller of this machine.
  package init(at place: LocalChannel.Place) {
    self.init(commandTimeout: .seconds(5)) { loop in LocalChannel(place, watcher: loop) }
  }

  /// Opens a controller. Whether one is there shows in the state of the radio. One that is not there yet, or is lost, is
  /// tried again after 1 s, 2 s, 4 s and then every 8 s, until the radio is closed.
  private init(commandTimeout: Duration, channel: (PollLoop) -> any HCIChannel) {
    let loop = PollLoop()
    let radio = HostRadio(
      executor: loop,
      channel: channel(loop),
      configuration: HostConfiguration(
        randomness: .random(in: .min ... .max),
        commandTimeout: commandTimeout
      )
    )
    self.loop = loop
    self.radio = radio
    let keeper = RadioKeeper(radio)
    loop.submit {
      keeper.begin()
      radio.assumeIsolated { $0.powerOn() }
    }
  }

  /// Switches the radio off and ends its loop.
  ///
  /// - Parameter ended: Called as the last thing that the loop's thread does.
  package func close(ended: @escaping @Sendable () -> Void = {}) {
    let (radio, loop) = (radio, loop)
    loop.submit {
      radio.assumeIsolated { $0.powerOff() }
      loop.stop(ended: ended)
    }
  }
}
