import BluetoothTypes

extension VirtualDevice {
  // MARK: Handles

  /// The handles of all values with a UUID, in the order of the database.
  public nonisolated func handles(of characteristic: BluetoothUUID) -> [AttributeHandle] {
    layout.entries.filter { $0.characteristic.uuid == characteristic }.map(\.value)
  }

  /// The handle of the value of a characteristic of the description; `nil` if it is not a part of the device.
  public nonisolated func handle(of characteristic: Characteristic) -> AttributeHandle? {
    layout.entries.first { $0.characteristic.identity === characteristic.identity }?.value
  }

  // MARK: Values

  /// The value of the characteristic with a UUID, as it was last set, written or sent.
  ///
  /// - Throws: `DeviceError`, as for all calls that name a UUID, if there is none or more than one with it; those that
  ///   give a value also throw if it is longer than 512 bytes.
  public nonisolated func value(of characteristic: BluetoothUUID) throws(DeviceError) -> [UInt8] {
    try value(of: layout.handle(of: characteristic, on: name))
  }

  /// The value with a handle.
  ///
  /// - Throws: `DeviceError`, as for all calls that name a handle, if it is not that of a value.
  public nonisolated func value(of handle: AttributeHandle) throws(DeviceError) -> [UInt8] {
    try layout.check(handle, on: name)
    return board.withLock { $0.values[handle, default: []] }
  }

  /// Replaces the value of the characteristic with a UUID, without telling anybody.
  public nonisolated func set(_ value: [UInt8], of characteristic: BluetoothUUID) throws(DeviceError) {
    try set(value, of: layout.handle(of: characteristic, on: name))
  }

  /// Replaces the value with a handle, without telling anybody.
  public nonisolated func set(_ value: [UInt8], of handle: AttributeHandle) throws(DeviceError) {
    try layout.check(handle, on: name)
    try Self.checkLength(value, on: name)
    perform { $0.keep(value, handle) }
  }

  /// Replaces the value of the characteristic with a UUID and sends it to all who have subscribed: as notification or
  /// as indication, whatever each has asked for. If there is no room it waits.
  public nonisolated func notify(_ value: [UInt8], of characteristic: BluetoothUUID) throws(DeviceError) {
    try notify(value, of: layout.handle(of: characteristic, on: name))
  }

  /// Replaces the value with a handle and sends it to all who have subscribed.
  public nonisolated func notify(_ value: [UInt8], of handle: AttributeHandle) throws(DeviceError) {
    try layout.check(handle, on: name)
    try Self.checkLength(value, on: name)
    perform { $0.publish(value, handle) }
  }

  /// Sends the value of a characteristic at other intervals from now on, while somebody has subscribed; `nil`: no more
  /// by itself.
  public nonisolated func setInterval(_ interval: Duration?, of characteristic: BluetoothUUID) throws(DeviceError) {
    try setInterval(interval, of: layout.handle(of: characteristic, on: name))
  }

  /// Sends the value with a handle at other intervals from now on.
  public nonisolated func setInterval(_ interval: Duration?, of handle: AttributeHandle) throws(DeviceError) {
    try layout.check(handle, on: name)
    perform { $0.changeInterval(interval, handle) }
  }

  /// The longest value that an attribute may have, in bytes (Core 5.4, Vol 3, Part F, 3.2.9).
  static let longestValue = 512

  private static func checkLength(_ value: [UInt8], on name: String) throws(DeviceError) {
    guard value.count > longestValue else { return }
    throw DeviceError(
      .tooLong,
      "\(name) can not have a value of \(counted(value.count, "byte")); an attribute has \(longestValue) at most. To send what no "
        + "device may, use sendRaw(_:) or a fault."
    )
  }

  // MARK: Writes

  /// What clients have written and what was taken, in order: the last 10,000 writes. Client configurations are not among
  /// them.
  public nonisolated var written: [Write] { board.withLock { $0.written.elements } }

  /// How many such writes there were until now.
  public nonisolated var writeCount: Int { board.withLock { $0.written.count } }

  /// What clients have written to the characteristics with a UUID, in order.
  public nonisolated func written(to characteristic: BluetoothUUID) -> [[UInt8]] {
    let handles = handles(of: characteristic)
    return written.filter { handles.contains($0.handle) }.map(\.value)
  }

  /// How many clients have subscribed to the value with a handle.
  public nonisolated func subscriberCount(of handle: AttributeHandle) -> Int {
    board.withLock { $0.subscribers[handle, default: 0] }
  }

  /// The longest ATT PDU on the link to the central that has been connected for longest; `nil` while none is.
  public nonisolated var mtu: Int? {
    board.withLock { board in board.links.first.map { board.mtu[$0] ?? 23 } }
  }
}
