import BluetoothTypes
import HostStack
import RadioPort

@testable import VirtualRadio

// Scenes in the words of extended commands.
extension AirBench {
  /// Sets a set up, fills it and switches it on.
  mutating func advertiseExtended(
    _ id: ControllerID,
    set handle: UInt8 = 0,
    _ properties: AdvertisingEventProperties = [],
    data: [UInt8] = [],
    response: [UInt8] = [],
    interval: UInt32 = 160,
    duration: UInt16 = 0,
    events: UInt8 = 0,
    _ change: (inout LESetExtendedAdvertisingParameters) -> Void = { _ in }
  ) {
    var parameters = LESetExtendedAdvertisingParameters(
      advertisingHandle: handle,
      advertisingEventProperties: properties,
      primaryAdvertisingIntervalMin: interval,
      primaryAdvertisingIntervalMax: interval
    )
    change(&parameters)
    send(parameters, to: id)
    fill(id, set: handle, data: data)
    fill(id, set: handle, response: response)
    send(
      LESetExtendedAdvertisingEnable(
        enable: true,
        sets: [.init(advertisingHandle: handle, duration: duration, maxExtendedAdvertisingEvents: events)]
      ),
      to: id
    )
  }

  /// Hands data over in as few fragments as there can be.
  mutating func fill(_ id: ControllerID, set handle: UInt8 = 0, data: [UInt8]) {
    for (operation, part) in Self.fragments(of: data) {
      send(
        LESetExtendedAdvertisingData(advertisingHandle: handle, operation: operation, advertisingData: part),
        to: id
      )
    }
  }

  mutating func fill(_ id: ControllerID, set handle: UInt8 = 0, response: [UInt8]) {
    for (operation, part) in Self.fragments(of: response) {
      send(
        LESetExtendedScanResponseData(advertisingHandle: handle, operation: operation, scanResponseData: part),
        to: id
      )
    }
  }

  private static func fragments(of bytes: [UInt8]) -> [(AdvertisingDataOperation, [UInt8])] {
    guard !bytes.isEmpty else { return [] }
    let parts = bytes.chunks(of: 251)
    return parts.enumerated().map { index, part in
      let isFirst = index == 0
      let isLast = index == parts.count - 1
      return (isFirst ? isLast ? .complete : .firstFragment : isLast ? .lastFragment : .intermediateFragment, part)
    }
  }

  mutating func scanExtended(
    _ id: ControllerID,
    _ type: LEScanType = .active,
    on phys: LEPHYs = .le1M,
    filter: DuplicateFiltering = .off,
    duration: UInt16 = 0,
    period: UInt16 = 0,
    _ change: (inout LESetExtendedScanParameters) -> Void = { _ in }
  ) {
    var parameters = LESetExtendedScanParameters(
      scanningPHYs: phys,
      parameters: Array(repeating: .init(scanType: type, scanInterval: 16, scanWindow: 16), count: phys.count)
    )
    change(&parameters)
    send(parameters, to: id)
    send(
      LESetExtendedScanEnable(enable: true, filterDuplicates: filter, duration: duration, period: period),
      to: id
    )
  }

  mutating func connectExtended(
    _ id: ControllerID,
    to peer: BluetoothAddress?,
    on phys: LEPHYs = .le1M,
    ownAddressType: OwnAddressType = .public
  ) {
    let block = LEExtendedCreateConnection.Parameters(
      scanInterval: 16,
      scanWindow: 16,
      connectionIntervalMin: 24,
      connectionIntervalMax: 24,
      supervisionTimeout: 100
    )
    send(
      LEExtendedCreateConnection(
        initiatorFilterPolicy: peer == nil ? .filterAcceptList : .peerAddress,
        ownAddressType: ownAddressType,
        peerAddress: peer ?? BluetoothAddress(0, .public),
        initiatingPHYs: phys,
        parameters: Array(repeating: block, count: phys.count)
      ),
      to: id
    )
  }

  /// Lets a controller send every event.
  mutating func unmask(_ id: ControllerID) { send(LESetEventMask(leEventMask: LEEventMask(rawValue: .max)), to: id) }

  /// The extended reports that a controller has sent.
  mutating func takeReports(from id: ControllerID) -> [LEExtendedAdvertisingReport.Report] {
    take(LEExtendedAdvertisingReport.self, from: id).flatMap(\.reports)
  }

  /// Data of a given length in which each byte tells where it belongs.
  static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251) } }
}
