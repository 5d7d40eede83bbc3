import BluetoothTypes

// What can be read and makes no sense all the same: things that do not fit, and names of what is not there.

extension SceneDevice {
  /// What a device of this kind is made of.
  private var description: VirtualDevice.Description {
    switch kind {
    case .heartRateBand: HeartRateBand.description(name: name)
    case .thermometer: Thermometer.description(name: name)
    case .lamp: Lamp.description(name: name)
    case .custom(let description): description
    }
  }

  /// - Parameter node: What the scene says of the device.
  func check(_ node: JSONNode) throws(SceneError) {
    let description = description
    try Self.checkAdvertising(description, node)
    try Self.checkHandles(DeviceLayout(description), description.services, node)
    var characteristics = Set(description.services.flatMap(\.characteristics).map(\.uuid))
    let faultNodes = node.member("faults")?.elements ?? []
    for (fault, node) in zip(faults, faultNodes) {
      guard case .database(let services, _) = fault.effect else { continue }
      characteristics.formUnion(services.flatMap(\.characteristics).map(\.uuid))
      var changed = description
      changed.services = services
      try Self.checkHandles(DeviceLayout(changed), services, node.member("changeDatabase"))
    }
    for (fault, node) in zip(faults, faultNodes) { try Self.check(fault, node, characteristics) }
  }

  private static func checkAdvertising(
    _ description: VirtualDevice.Description,
    _ node: JSONNode
  ) throws(SceneError) {
    guard let part = DeviceLayout.arrange(description).leftOut.first else { return }
    let advertising = node.member("advertising")
    let (key, culprit) =
      switch part.type {
      case .manufacturerSpecificData: ("data", advertising?.member("data") ?? advertising?.member("company"))
      case .appearance: ("appearance", node.member("appearance"))
      default: ("services", advertising?.member("services"))
      }
    throw (culprit ?? node).place.error(
      """
      there is no room to advertise all of "\(key)": an advertisement and its scan response have \
      \(AdvertisingData.legacyCapacity) bytes each, and the name is there too
      """
    )
  }

  private static func checkHandles(
    _ layout: DeviceLayout,
    _ services: [VirtualDevice.Service],
    _ node: JSONNode?
  ) throws(SceneError) {
    guard let node, !layout.leftOut.isEmpty else { return }
    for (service, place) in zip(services, node.member("services")?.elements ?? []) where layout.isLeftOut(service) {
      throw place.place.error("there are not enough handles for this service: a device has 65535 attributes at most")
    }
  }

  private static func check(
    _ fault: Fault,
    _ node: JSONNode,
    _ characteristics: Set<BluetoothUUID>
  ) throws(SceneError) {
    guard case .answer(let requests, _, _, _) = fault.effect, let uuid = requests.characteristic,
      !characteristics.contains(uuid)
    else { return }
    let keys = ["refuse", "delay", "garbage", "ignore", "disconnect", "notifyBeforeReply"]
    let culprit = keys.lazy.compactMap { node.member($0)?.member("characteristic") }.first ?? node
    throw culprit.place.error("the device has no characteristic \(uuid), so the fault would never happen")
  }
}

extension Scene {
  /// - Parameters:
  ///   - deviceNodes: What the text says of each device.
  ///   - radioNodes: What it says of each radio.
  func check(_ deviceNodes: [JSONNode], _ radioNodes: [JSONNode]) throws(SceneError) {
    var addresses: [BluetoothAddress: String] = [:]
    for (device, node) in zip(devices, deviceNodes) {
      guard case .custom(let description) = device.kind, let address = description.address else { continue }
      if let other = addresses.updateValue(device.name, forKey: address) {
        let place = (node.member("address") ?? node).place
        throw place.error("\"\(other)\" has the address \(address) too; nobody could tell the two devices apart")
      }
    }
    var names = Set(devices.map(\.name))
    for (radio, node) in zip(radios, radioNodes) where !names.insert(radio.name).inserted {
      throw (node.member("name") ?? node).place.error("there is a device or a radio \"\(radio.name)\" already")
    }
    for node in deviceNodes + radioNodes {
      for node in node.member("faults")?.elements ?? [] {
        guard let link = node.member("link"), case .string(let name) = link.value, !names.contains(name),
          !Self.isNameOfRadio(name)
        else { continue }
        throw link.place.error(
          """
          nobody is called "\(name)"; there are the devices and radios of the scene, "radio", "radio 2" and so on, \
          "program", "program 1" and so on
          """
        )
      }
    }
  }

  /// Whether a radio may get a name without that it stands in the scene.
  private static func isNameOfRadio(_ name: String) -> Bool {
    if name == "radio" || name == "program" { return true }
    for (prefix, least) in [("radio ", 2), ("program ", 1)] where name.hasPrefix(prefix) {
      if let number = Int(name.dropFirst(prefix.count)), number >= least { return true }
    }
    return false
  }
}
