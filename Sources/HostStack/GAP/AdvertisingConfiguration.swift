import BluetoothTypes
import RadioPort

/// What one advertising set is to advertise.
package struct AdvertisingConfiguration: Hashable, Sendable {
  /// When to advertise again after a central has connected, which ends advertising in the controller.
  package enum Resumption: Hashable, Sendable {
    /// Not until told.
    case never
    /// When no central is connected any more.
    case whenDisconnected
    /// At once, for the next central.
    case immediately
  }

  /// The AD structures of the advertisement: at most 31 bytes of a legacy one, 1650 of an extended one, 245 of an
  /// extended one that takes connections.
  package var data: [UInt8]
  /// The AD structures of the scan response, at most 31 bytes; empty for none. Extended advertisements have none.
  package var scanResponse: [UInt8]
  /// Whether centrals may connect.
  package var isConnectable: Bool
  /// From one advertisement to the next.
  package var interval: ClosedRange<Duration>
  /// When to go on after a connection.
  package var resumption: Resumption
  /// By which packets.
  package var format: AdvertisingRequest.Format

  package init(
    data: [UInt8],
    scanResponse: [UInt8] = [],
    isConnectable: Bool = true,
    interval: ClosedRange<Duration> = .milliseconds(100) ... .milliseconds(150),
    resumption: Resumption = .whenDisconnected,
    format: AdvertisingRequest.Format = .legacy
  ) {
    self.data = data
    self.scanResponse = scanResponse
    self.isConnectable = isConnectable
    self.interval = interval
    self.resumption = resumption
    self.format = format
  }

  /// Whether it needs extended advertising.
  package var isExtended: Bool { format != .legacy }

  /// How many bytes of data an extended advertisement that takes connections has room for: one packet without a chain.
  package static let connectableCapacity = 245

  /// The failure of a controller that has legacy advertising alone.
  package static let notExtended = RadioFailure(
    .unsupported,
    reason: "the controller has no extended advertising: advertise in the legacy format"
  )

  /// Why a controller can not advertise it; `nil` if it can.
  package func obstacle(_ info: ControllerInfo) -> RadioFailure? {
    guard isExtended else {
      guard data.count > 31 || scanResponse.count > 31 else { return nil }
      return RadioFailure(
        .tooLong,
        reason: "legacy advertising takes 31 bytes; the advertisement has \(data.count) and the "
          + "scan response \(scanResponse.count)"
      )
    }
    guard info.hasExtendedAdvertising else { return Self.notExtended }
    let capacity = info.extendedCapacity(isConnectable: isConnectable)
    guard data.count > capacity || !scanResponse.isEmpty else { return nil }
    return RadioFailure(
      .tooLong,
      reason: "this extended advertisement takes \(capacity) bytes and no scan response; there are \(data.count) and "
        + "\(scanResponse.count)"
    )
  }
}

extension ControllerInfo {
  /// How many bytes of data an extended advertisement takes.
  package func extendedCapacity(isConnectable: Bool) -> Int {
    isConnectable
      ? min(maximumAdvertisingData, AdvertisingConfiguration.connectableCapacity) : maximumAdvertisingData
  }
}
