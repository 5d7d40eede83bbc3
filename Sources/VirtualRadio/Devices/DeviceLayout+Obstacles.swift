import BluetoothTypes

// What a description asks for and can not be.

extension DeviceLayout {
  /// What of a description can not be as it says, in words.
  func obstacles(to description: VirtualDevice.Description) -> [String] {
    let (_, leftOut) = Self.arrange(description)
    return leftOut.map { "there is no room to advertise \($0.type) of \(counted($0.data.count, "byte"))" }
      + obstacles(to: description.services)
  }

  /// What of services can not be as it says, in words.
  func obstacles(to services: [VirtualDevice.Service]) -> [String] {
    var obstacles: [String] = []
    for service in services {
      if isLeftOut(service) {
        obstacles.append("there are not enough handles for the service \(service.uuid)")
      }
      for characteristic in service.characteristics {
        for (name, count) in characteristic.lengths where count > VirtualDevice.longestValue {
          obstacles.append(
            "\(name) of \(characteristic.uuid) has \(counted(count, "byte")); an attribute has \(VirtualDevice.longestValue) at most"
          )
        }
        if characteristic.interval != nil, !characteristic.canBeSubscribed {
          obstacles.append("nobody can subscribe to \(characteristic.uuid), which neither notifies nor indicates")
        }
      }
    }
    return obstacles
  }

  /// Whether there were not enough handles for a service.
  func isLeftOut(_ service: VirtualDevice.Service) -> Bool { leftOut.contains(ObjectIdentifier(service.identity)) }
}

extension VirtualDevice.Characteristic {
  /// Whether its values can be asked for.
  var canBeSubscribed: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }

  /// How long its values are.
  fileprivate var lengths: [(name: String, count: Int)] {
    [("the value", value.count), ("the user description", userDescription?.utf8.count ?? 0)]
      + descriptors.map { ("the descriptor \($0.uuid)", $0.value.count) }
  }
}
