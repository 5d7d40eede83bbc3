import BluetoothTypes
import HostStack

/// What is built into a virtual controller.
package struct ControllerConfiguration: Sendable {
  /// What it is called, in traces and by faults.
  package var name = ""
  /// The public device address; all zero means that there is none.
  package var address: BluetoothAddress
  /// Where the controller is at first.
  package var position: RadioPosition
  /// The power it sends with, in dBm.
  package var transmitPower: Int8
  /// How many ACL packets it holds for the host.
  package var aclBufferCount: UInt8
  /// The longest ACL packet it takes from the host, in bytes without the header.
  package var aclBufferLength: UInt16
  /// How many devices the filter accept list holds.
  package var acceptListSize: UInt8
  /// How many devices the resolving list holds.
  package var resolvingListSize: UInt8
  /// How many advertising sets there can be, beside the one of the legacy commands.
  package var advertisingSetLimit: UInt8
  /// How long the data of an advertising set can be, in bytes, 31 to 1650.
  package var advertisingDataLimit: UInt16
  /// Features of which these controllers have those that they know; commands that belong to others are unknown then.
  package var features: LEFeatures
  /// How many links there can be at once.
  package var linkLimit: Int
  /// How many advertisers the duplicate filter remembers; the oldest is forgotten first, and then reported again.
  package var duplicateFilterSize: Int

  package init(
    address: BluetoothAddress,
    position: RadioPosition = .origin,
    transmitPower: Int8 = 0,
    aclBufferCount: UInt8 = 8,
    aclBufferLength: UInt16 = 251,
    acceptListSize: UInt8 = 8,
    resolvingListSize: UInt8 = 8,
    advertisingSetLimit: UInt8 = 8,
    advertisingDataLimit: UInt16 = 1650,
    features: LEFeatures = .all,
    linkLimit: Int = 8,
    duplicateFilterSize: Int = 128
  ) {
    self.address = address
    self.position = position
    self.transmitPower = transmitPower
    self.aclBufferCount = max(1, aclBufferCount)
    self.aclBufferLength = max(27, aclBufferLength)
    self.acceptListSize = acceptListSize
    self.resolvingListSize = resolvingListSize
    self.advertisingSetLimit = max(1, advertisingSetLimit)
    self.advertisingDataLimit = min(max(31, advertisingDataLimit), 1650)
    self.features = features
    self.linkLimit = max(1, linkLimit)
    self.duplicateFilterSize = max(1, duplicateFilterSize)
  }
}

/// Names one controller of one air.
package struct ControllerID: Hashable, Comparable, Sendable {
  /// Given out by the air, never twice.
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static func < (left: ControllerID, right: ControllerID) -> Bool { left.rawValue < right.rawValue }
}

extension LEFeatures {
  /// Every feature.
  package static let all = LEFeatures(rawValue: .max)
  /// Those of controllers whose hosts speak of advertising in legacy commands.
  package static let legacy = all.subtracting(.extendedAdvertising)
}
