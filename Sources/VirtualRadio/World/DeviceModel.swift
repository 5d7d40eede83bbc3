/// A kind of device that can be put into a world, with what makes one differ from another, such as its name.
///
/// Models are found by their static members: `world.add(.heartRateBand(name: "Pulse"))`.
public protocol DeviceModel: Sendable {
  /// What a test holds of the device while the world runs.
  associatedtype Device: Sendable

  /// Puts one device of this model into `world` and switches it on. A device has a controller on the world's air, a host
  /// behind it, and takes all time from the world's clock.
  func makeDevice(in world: World) -> Device
}

extension World {
  /// Puts a device into the world, switched on.
  ///
  /// - Returns: The device, to be moved, changed and watched.
  @discardableResult
  public func add<Model: DeviceModel>(_ model: Model) -> Model.Device { model.makeDevice(in: self) }
}
