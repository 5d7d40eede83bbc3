import RadioPort

// Where the world's radios are, and how waves spread between them and the devices.

extension World {
  /// How waves spread: rooms of a house at first.
  public var propagation: Propagation { space.changeAir { air, _ in air.propagation } }

  /// Lets waves spread otherwise from now on; values out of their ranges are brought into them.
  public func setPropagation(_ propagation: Propagation) {
    space.changeAir { air, now in air.setPropagation(propagation, now: now) }
  }

  /// Puts a radio elsewhere; does nothing for radios that are not of this world.
  public func move(_ radio: any Radio, to position: RadioPosition) {
    guard let id = controller(of: radio) else { return }
    space.changeAir { air, now in air.setPosition(position, of: id, now: now) }
  }

  /// Sends a radio on a way that begins where it is; does nothing for radios that are not of this world.
  public func move(_ radio: any Radio, along movement: Movement) {
    guard let id = controller(of: radio) else { return }
    space.changeAir { air, now in air.move(id, along: movement, now: now) }
  }

  /// Where a radio is at this moment; `nil` for radios that are not of this world.
  public func position(of radio: any Radio) -> RadioPosition? {
    guard let id = controller(of: radio) else { return nil }
    return space.changeAir { air, now in air.position(of: id, now: now) }
  }
}
