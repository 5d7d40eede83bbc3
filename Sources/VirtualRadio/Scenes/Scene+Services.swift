import BluetoothTypes

extension VirtualDevice.Description {
  /// What a scene says of a device but for its place.
  init(scene object: inout SceneObject, name: String) throws(SceneError) {
    self.init(name: name)
    if let node = object.take("address") {
      let kind: BluetoothAddress.Kind
      switch try object.text("addressType") {
      case nil, "random": kind = .random
      case "public": kind = .public
      case .some: throw node.place.error("\"addressType\" is \"random\" or \"public\"")
      }
      address = try node.address("address", kind)
    }
    appearance = Appearance(rawValue: UInt16(try object.integer("appearance", 0...0xFFFF) ?? 0))
    transmitPower = Int8(try object.integer("power", -127...20) ?? 0)
    mtu = try object.integer("mtu", 23...517) ?? mtu
    requestsMTU = try object.bool("requestsMTU") ?? false
    hasDatabaseHash = try object.bool("hasDatabaseHash") ?? true
    if let node = object.take("advertising") { try readAdvertising(node) }
    for node in try object.list("services") { services.append(try VirtualDevice.Service(scene: node)) }
    for node in try object.list("channels") {
      let channel = try VirtualDevice.Channel(scene: node)
      guard !channels.contains(where: { $0.psm == channel.psm }) else {
        throw node.place.error("the device has a channel with the PSM \(channel.psm.rawValue) already")
      }
      channels.append(channel)
    }
  }

  private mutating func readAdvertising(_ node: JSONNode) throws(SceneError) {
    var object = try SceneObject(node, "advertising")
    advertisingInterval = try object.duration("interval", 0.02...10.24) ?? advertisingInterval
    for node in try object.list("services") { advertisedServices.append(ServiceID(try node.uuid("services"))) }
    if let company = try object.integer("company", 0...0xFFFF) {
      let data = try object.take("data").map { node throws(SceneError) in try node.bytes("data") } ?? []
      manufacturerData = ManufacturerData(CompanyID(UInt16(company)), data)
    }
    isConnectable = try object.bool("isConnectable") ?? true
    advertisesWhileConnected = try object.bool("whileConnected") ?? false
    try object.finish()
  }
}

extension VirtualDevice.Service {
  init(scene node: JSONNode) throws(SceneError) {
    var object = try SceneObject(node, "a service")
    self.init(ServiceID(try object.need("uuid").uuid("uuid")), isPrimary: try object.bool("isPrimary") ?? true)
    for node in try object.list("characteristics") {
      characteristics.append(try VirtualDevice.Characteristic(scene: node))
    }
    try object.finish()
  }
}

extension VirtualDevice.Characteristic {
  init(scene node: JSONNode) throws(SceneError) {
    var object = try SceneObject(node, "a characteristic")
    let uuid = try object.need("uuid").uuid("uuid")
    let properties = try CharacteristicProperties(scene: object.need("properties"))
    self.init(uuid, properties)
    permissions = try object.take("permissions").map { node throws(SceneError) in
      try VirtualDevice.Permissions(scene: node)
    }
    value = try object.take("value").map { node throws(SceneError) in try node.attributeValue("value") } ?? []
    if let node = object.take("description") {
      userDescription = try node.text("description")
      _ = try node.attributeValue("description")
    }
    for node in try object.list("descriptors") {
      var descriptor = try SceneObject(node, "a descriptor")
      descriptors.append(
        VirtualDevice.Descriptor(
          try descriptor.need("uuid").uuid("uuid"),
          value: try descriptor.need("value").attributeValue("value"),
          permissions: try descriptor.take("permissions").map { node throws(SceneError) in
            try VirtualDevice.Permissions(scene: node)
          } ?? .read
        )
      )
      try descriptor.finish()
    }
    if let every = object.take("every") {
      interval = .nanoseconds(Int64((try every.number("every", 0.001...1e6) * 1e9).rounded()))
      guard canBeSubscribed else {
        throw every.place.error("\"every\" needs the property \"notify\" or \"indicate\": nobody else can hear of it")
      }
    }
    let list = object.take("values")
    if let list {
      guard interval != nil else { throw list.place.error("\"values\" needs \"every\", the seconds between them") }
      var values: [[UInt8]] = []
      for node in try list.list("values") { values.append(try node.attributeValue("values")) }
      guard let first = values.first else { throw list.place.error("\"values\" needs a value at least") }
      if value.isEmpty { value = first }
      let series = values
      // By the time, so that all that look see the same one.
      let every = max(1, interval?.wholeNanoseconds ?? 1)
      next = { device in series[Int(device.world.now.nanoseconds / every % Int64(series.count))] }
    }
    try object.finish()
  }
}

extension CharacteristicProperties {
  private static let names: [(String, CharacteristicProperties)] = [
    ("read", .read), ("write", .write), ("writeWithoutResponse", .writeWithoutResponse), ("notify", .notify),
    ("indicate", .indicate), ("broadcast", .broadcast), ("authenticatedSignedWrites", .authenticatedSignedWrites),
    ("reliableWrite", .reliableWrite), ("writableAuxiliaries", .writableAuxiliaries),
  ]

  init(scene node: JSONNode) throws(SceneError) { self = try node.options("properties", Self.names) }
}

extension VirtualDevice.Permissions {
  private static let names: [(String, VirtualDevice.Permissions)] = [
    ("read", .read), ("write", .write), ("encryptedRead", .encryptedRead), ("encryptedWrite", .encryptedWrite),
    ("authenticatedRead", .authenticatedRead), ("authenticatedWrite", .authenticatedWrite),
  ]

  init(scene node: JSONNode) throws(SceneError) { self = try node.options("permissions", Self.names) }
}

extension JSONNode {
  func options<Options: OptionSet>(
    _ key: String,
    _ names: [(String, Options)]
  ) throws(SceneError) -> Options where Options.Element == Options {
    var options: Options = []
    for node in try list(key) {
      let name = try node.text(key)
      guard let option = names.first(where: { $0.0 == name }) else {
        let all = names.map(\.0).joined(separator: ", ")
        throw node.place.error("\"\(name)\" is none of the \(key): \(all)")
      }
      options.insert(option.1)
    }
    return options
  }

  func uuid(_ key: String) throws(SceneError) -> BluetoothUUID {
    let text = try text(key)
    guard let uuid = try? BluetoothUUID(text) else {
      throw place.error("\"\(text)\" is no UUID, such as 180D or 48A10000-5C1B-4C5A-9B1E-0C4A6C3F7D21")
    }
    return uuid
  }

  func address(_ key: String, _ kind: BluetoothAddress.Kind) throws(SceneError) -> BluetoothAddress {
    let text = try text(key)
    guard let address = BluetoothAddress(text, kind) else {
      throw place.error("\"\(text)\" is no address, such as C0:00:00:00:00:07")
    }
    // Core 5.4, Vol 6, Part B, 1.3.2.1.
    guard kind != .random || address.randomKind == .static && address.value & 0x3FFF_FFFF_FFFF != 0x3FFF_FFFF_FFFF
    else {
      throw place.error(
        "\"\(text)\" is no static random address: its first two digits are from C0 to FF, and not all of it is 1; "
          + "give \"addressType\": \"public\" for one that a maker has"
      )
    }
    return address
  }

  /// The value of an attribute, which is not longer than an attribute may be.
  func attributeValue(_ key: String) throws(SceneError) -> [UInt8] {
    let bytes = try bytes(key)
    guard bytes.count <= VirtualDevice.longestValue else {
      throw place.error(
        "\"\(key)\" has \(counted(bytes.count, "byte")); an attribute has \(VirtualDevice.longestValue) at most"
      )
    }
    return bytes
  }

  /// A value of a characteristic: bytes in one of several ways to write them.
  func bytes(_ key: String) throws(SceneError) -> [UInt8] {
    switch value {
    case .string(let text): return Array(text.utf8)
    case .array(let elements):
      var bytes: [UInt8] = []
      for element in elements { bytes.append(UInt8(try element.integer(key, 0...255))) }
      return bytes
    case .object(let members):
      guard members.count == 1, let member = members.first else { break }
      if member.key == "hex" { return try member.value.hexadecimalBytes() }
      guard let (size, range) = Self.integers[member.key] else { break }
      var numbers = [member.value]
      if case .array(let elements) = member.value.value { numbers = elements }
      var bytes: [UInt8] = []
      for number in numbers {
        let integer = try number.integer(member.key, range)
        for byte in 0..<size { bytes.append(UInt8(truncatingIfNeeded: integer &>> (8 &* byte))) }
      }
      return bytes
    case .null, .bool, .number: break
    }
    throw place.error(
      """
      "\(key)" is a text, a list of bytes, { "hex": "01 02" }, or an object with one of the keys \
      \(Self.integers.keys.sorted().joined(separator: ", "))
      """
    )
  }

  private static let integers: [String: (size: Int, range: ClosedRange<Int>)] = [
    "uint8": (1, 0...0xFF), "uint16": (2, 0...0xFFFF), "uint32": (4, 0...0xFFFF_FFFF),
    "int8": (1, -0x80...0x7F), "int16": (2, -0x8000...0x7FFF), "int32": (4, -0x8000_0000...0x7FFF_FFFF),
  ]

  private func hexadecimalBytes() throws(SceneError) -> [UInt8] {
    let digits = try text("hex").filter { $0 != " " }
    guard digits.allSatisfy(\.isHexDigit), digits.utf8.count == digits.count, digits.count % 2 == 0 else {
      throw place.error("\"hex\" has pairs of hexadecimal digits, such as \"01 A2\"")
    }
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count - 1, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
