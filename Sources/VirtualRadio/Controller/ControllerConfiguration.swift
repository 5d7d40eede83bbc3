import BluetoothTypes

/// What is built into a virtual controller.
package struct ControllerConfiguration: Sendable {
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
    linkLimit: Int = 8,
    duplicateFilterSize: Int = 128
  ) {
    self.address = address
    self.position = position
    self.transmitPower = transmitPower
    self.aclBufferCount = max(1, aclBufferCount)
    self.aclBufferLength = max(27, aclBufferLength)
    self.acceptListSize = acceptListSize
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
