import HostStack

extension HCIEventMask {
  /// Whether the host wants to hear of `event`; the events that carry flow control can not be masked
  /// (Core 5.4, Vol 4, Part E, 7.3.1 and 7.8.1).
  func allows<Event: HCIEvent>(_ event: Event, _ leMask: LEEventMask) -> Bool {
    switch Event.code {
    case .commandComplete, .commandStatus, .numberOfCompletedPackets: true
    case .disconnectionComplete: contains(.disconnectionComplete)
    case .readRemoteVersionInformationComplete: contains(.readRemoteVersionInformationComplete)
    case .encryptionChange: contains(.encryptionChange)
    case .encryptionKeyRefreshComplete: contains(.encryptionKeyRefreshComplete)
    case .hardwareError: contains(.hardwareError)
    case .dataBufferOverflow: contains(.dataBufferOverflow)
    case .leMeta: contains(.leMeta) && (Event.subevent.map { leMask.contains($0) } ?? false)
    default: false
    }
  }
}
