extension World {
  /// Adds a device to the world and switches it on; it advertises from then on, as real ones do.
  ///
  /// ```swift
  /// let band = world.add(.heartRateBand(name: "Pulse"))
  /// ```
  ///
  /// What the device does by chance depends on the world's seed and on the device's name alone, not on what else is in
  /// the world. It stays until the world ends, also if nobody keeps the handle.
  ///
  /// - Returns: The device's handle.
  @discardableResult
  public func add<Handle>(_ kind: DeviceKind<Handle>) -> Handle { kind.make(self) }

  /// Counts the devices of a name: 0 for the first one.
  func countDevice(named name: String) -> Int {
    deviceNames.withLock { names in
      defer { names[name, default: 0] += 1 }
      return names[name, default: 0]
    }
  }
}

extension DeviceKind where Handle == VirtualDevice {
  /// A device as it is described.
  public static func custom(_ description: VirtualDevice.Description) -> Self {
    Self { world in
      let device = VirtualDevice(description, in: world)
      device.powerOn()
      return device
    }
  }

  /// A device of this name with what `describe` adds to its description.
  public static func custom(
    name: String,
    _ describe: (inout VirtualDevice.Description) -> Void
  ) -> Self {
    var description = VirtualDevice.Description(name: name)
    describe(&description)
    return custom(description)
  }
}
