/// Which events a controller may send (Core 5.4, Vol 4, Part E, 7.3.1).
package struct HCIEventMask: OptionSet, Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package static let disconnectionComplete = HCIEventMask(rawValue: 1 &<< 4)
  package static let encryptionChange = HCIEventMask(rawValue: 1 &<< 7)
  package static let readRemoteVersionInformationComplete = HCIEventMask(rawValue: 1 &<< 11)
  package static let hardwareError = HCIEventMask(rawValue: 1 &<< 15)
  package static let dataBufferOverflow = HCIEventMask(rawValue: 1 &<< 25)
  package static let encryptionKeyRefreshComplete = HCIEventMask(rawValue: 1 &<< 47)
  package static let leMeta = HCIEventMask(rawValue: 1 &<< 61)

  /// What a controller sends after a reset: no Low Energy event among them.
  package static let afterReset = HCIEventMask(rawValue: 0x0000_1FFF_FFFF_FFFF)
  /// All that a host for Low Energy understands.
  package static let standard: HCIEventMask = [
    .disconnectionComplete, .encryptionChange, .readRemoteVersionInformationComplete, .hardwareError,
    .dataBufferOverflow, .encryptionKeyRefreshComplete, .leMeta,
  ]
}

/// Which Low Energy events a controller may send (Core 5.4, Vol 4, Part E, 7.8.1): bit n for subevent n + 1.
package struct LEEventMask: OptionSet, Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The events with these codes.
  package init(_ subevents: [LESubevent]) {
    rawValue = subevents.reduce(0) { mask, subevent in
      subevent.rawValue == 0 || subevent.rawValue > 64 ? mask : mask | 1 &<< UInt64(subevent.rawValue &- 1)
    }
  }

  /// Whether the event with this code may be sent.
  package func contains(_ subevent: LESubevent) -> Bool {
    let wanted = LEEventMask([subevent])
    return !wanted.isEmpty && isSuperset(of: wanted)
  }

  /// What a controller sends after a reset.
  package static let afterReset = LEEventMask(rawValue: 0x1F)
  /// What a host without extended advertising and private addresses needs.
  package static let standard = LEEventMask([
    .leConnectionComplete, .leAdvertisingReport, .leConnectionUpdateComplete, .leReadRemoteFeaturesComplete,
    .leLongTermKeyRequest, .leRemoteConnectionParameterRequest, .leDataLengthChange,
    .leReadLocalP256PublicKeyComplete, .leGenerateDHKeyComplete, .lePHYUpdateComplete, .leChannelSelectionAlgorithm,
  ])
}
