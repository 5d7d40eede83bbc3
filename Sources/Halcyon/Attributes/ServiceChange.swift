import BluetoothTypes

/// A device's services are not what they were (Service Changed, Core 5.4, Vol 3, Part G, 7.1).
public struct ServiceChange: Hashable, Sendable {
  /// The handles between which something has changed.
  public let handles: ClosedRange<AttributeHandle>
  /// The services there that were known, and are to be forgotten. What stands there now is found by
  /// ``Peripheral/services(_:timeout:)``.
  public let invalidated: [Peripheral.Service]

  init(handles: ClosedRange<AttributeHandle>, known: [Peripheral.Service]) {
    self.handles = handles
    invalidated = known.filter { service in
      let last = service.characteristics.compactMap(\.handle).max() ?? service.handle
      return handles.overlaps(service.handle...max(service.handle, last))
    }
  }
}
