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
  /// The AD structures of the scan response, at most 31 bytes; empty for none. Of extended advertisements those that
  /// are scannable have one, of up to 1650 bytes, and no other data.
  package var scanResponse: [UInt8]
  /// Whether centrals may connect.
  package var isConnectable: Bool
  /// From one advertisement to the next.
  package var interval: ClosedRange<Duration>
  /// When to go on after a connection.
  package var resumption: Resumption
  /// By which packets.
  package var format: AdvertisingRequest.Format
  /// Whom it is for, and how it gives its data.
  package var kind: AdvertisingRequest.Kind
  /// Whether extended packets tell their power.
  package var includesTransmitPower: Bool

  package init(
    data: [UInt8],
    scanResponse: [UInt8] = [],
    isConnectable: Bool = true,
    interval: ClosedRange<Duration> = .milliseconds(100) ... .milliseconds(150),
    resumption: Resumption = .whenDisconnected,
    format: AdvertisingRequest.Format = .legacy,
    kind: AdvertisingRequest.Kind = .undirected,
    includesTransmitPower: Bool = false
  ) {
    self.data = data
    self.scanResponse = scanResponse
    self.isConnectable = isConnectable
    self.interval = interval
    self.resumption = resumption
    self.format = format
    self.kind = kind
    self.includesTransmitPower = includesTransmitPower
  }

  /// Whether it needs extended advertising.
  package var isExtended: Bool { format != .legacy }

  /// Whom a directed advertisement is for.
  package var target: BluetoothAddress? {
    if case .directed(let peer, _) = kind { peer.address } else { nil }
  }

  /// The failure of a controller that has legacy advertising alone.
  package static let notExtended = RadioFailure(
    .unsupported,
    reason: "the controller has no extended advertising: advertise in the legacy format"
  )

  /// Why a controller can not advertise it; `nil` if it can.
  package func obstacle(_ info: ControllerInfo) -> RadioFailure? {
    if let contradiction { return RadioFailure(.invalidArgument, reason: contradiction) }
    guard isExtended else {
      guard data.count > 31 || scanResponse.count > 31 else { return nil }
      return RadioFailure(
        .tooLong,
        reason: "legacy advertising takes 31 bytes; the advertisement has \(data.count) and the "
          + "scan response \(scanResponse.count)"
      )
    }
    guard info.hasExtendedAdvertising else { return Self.notExtended }
    let capacity = extendedCapacity(info)
    let (used, other) = kind == .scannable ? (scanResponse, data) : (data, scanResponse)
    guard used.count > capacity || !other.isEmpty else { return nil }
    return RadioFailure(
      .tooLong,
      reason: "this extended advertisement takes \(capacity) bytes, all in "
        + (kind == .scannable ? "its scan response" : "the advertisement")
        + "; there are \(data.count) in the advertisement and \(scanResponse.count) in the scan response"
    )
  }

  /// How many bytes of data it has room for in the extended format.
  package func extendedCapacity(_ info: ControllerInfo) -> Int {
    guard isConnectable else { return info.maximumAdvertisingData }
    // One packet without a chain: 255 bytes, less what its header holds (Core 5.4, Vol 6, Part B, 2.3.4).
    let header = 10 + (target == nil ? 0 : 6) + (includesTransmitPower ? 1 : 0)
    return min(info.maximumAdvertisingData, 255 - header)
  }

  /// What of it makes no sense together (Core 5.4, Vol 4, Part E, 7.8.53).
  private var contradiction: String? {
    switch kind {
    case .undirected: nil
    case .scannable: isConnectable ? "advertising that only answers scanners takes no connections" : nil
    case .anonymous where !isExtended: "anonymous advertising needs the extended format"
    case .anonymous: isConnectable ? "nobody can connect to an advertiser without an address" : nil
    case .directed(let peer, let isUrgent):
      if target == nil {
        "directed advertising needs the address of its device, and \(peer) was not made from one"
      } else if isExtended {
        isUrgent ? "urgent directed advertising needs the legacy format" : nil
      } else if !isConnectable {
        "directed advertising that takes no connections needs the extended format"
      } else {
        data.isEmpty && scanResponse.isEmpty ? nil : "directed advertising of the legacy format has no data"
      }
    }
  }
}
