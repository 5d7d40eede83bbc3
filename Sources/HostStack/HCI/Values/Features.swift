/// What the Low Energy part of a controller can do (Core 5.4, Vol 6, Part B, 4.6).
package struct LEFeatures: OptionSet, Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package static let encryption = LEFeatures(rawValue: 1 &<< 0)
  package static let connectionParametersRequest = LEFeatures(rawValue: 1 &<< 1)
  package static let extendedRejectIndication = LEFeatures(rawValue: 1 &<< 2)
  package static let peripheralInitiatedFeaturesExchange = LEFeatures(rawValue: 1 &<< 3)
  package static let ping = LEFeatures(rawValue: 1 &<< 4)
  package static let dataPacketLengthExtension = LEFeatures(rawValue: 1 &<< 5)
  package static let privacy = LEFeatures(rawValue: 1 &<< 6)
  package static let extendedScanningFilterPolicies = LEFeatures(rawValue: 1 &<< 7)
  package static let le2M = LEFeatures(rawValue: 1 &<< 8)
  package static let leCoded = LEFeatures(rawValue: 1 &<< 11)
  package static let extendedAdvertising = LEFeatures(rawValue: 1 &<< 12)
  package static let periodicAdvertising = LEFeatures(rawValue: 1 &<< 13)
  package static let channelSelectionAlgorithm2 = LEFeatures(rawValue: 1 &<< 14)
}

/// What the Classic part of a controller can do (Core 5.4, Vol 2, Part C, 3.3), as far as it touches Low Energy.
package struct LMPFeatures: OptionSet, Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The controller has no Classic radio.
  package static let classicNotSupported = LMPFeatures(rawValue: 1 &<< 37)
  /// The controller has a Low Energy radio.
  package static let lowEnergySupported = LMPFeatures(rawValue: 1 &<< 38)
}
