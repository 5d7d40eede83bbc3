import BluetoothTypes

extension VirtualDevice.Channel {
  init(scene node: JSONNode) throws(SceneError) {
    var object = try SceneObject(node, "a channel")
    let psm = L2CAPPSM(rawValue: UInt16(try object.need("psm").integer("psm", 1...0xFF)))
    let behaviour = try object.need("behaviour")
    switch try behaviour.text("behaviour") {
    case "echo": self = .echo(psm)
    case "discard": self = .discard(psm)
    case "ignore": self = .ignore(psm)
    case let other:
      throw behaviour.place.error("there is no behaviour \"\(other)\"; the behaviours are discard, echo, ignore")
    }
    requiresEncryption = try object.bool("requiresEncryption") ?? false
    options.mtu = try object.integer("mtu", 23...0xFFFF) ?? options.mtu
    options.mps = try object.integer("mps", 23...1024) ?? options.mps
    options.credits = try object.integer("credits", 1...0xFFFF) ?? options.credits
    interval = try object.duration("every", 0.001...1e6)
    if let list = object.take("values") {
      guard interval != nil else { throw list.place.error("\"values\" needs \"every\", the seconds between them") }
      var values: [[UInt8]] = []
      for node in try list.list("values") { values.append(try node.bytes("values")) }
      guard !values.isEmpty else { throw list.place.error("\"values\" needs a message at least") }
      let series = values
      // By the time, as with characteristics.
      let every = max(1, interval?.wholeNanoseconds ?? 1)
      next = { channel in series[Int(channel.device.world.now.nanoseconds / every % Int64(series.count))] }
    } else if interval != nil {
      throw node.place.error("\"every\" needs \"values\", the messages to send")
    }
    try object.finish()
  }
}
