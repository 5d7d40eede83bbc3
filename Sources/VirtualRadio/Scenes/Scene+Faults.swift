import BluetoothTypes

extension Fault {
  /// What a scene says of a fault.
  init(scene node: JSONNode) throws(SceneError) {
    var object = try SceneObject(node, "a fault")
    let moment = try Self.moment(&object)
    let duration = try object.duration("for", 0.001...1e9)
    let link = object.take("link")
    let made = try Self.make(&object, moment)
    try object.finish()
    if duration != nil, made.isMomentary {
      throw node.place.error("this fault has no length, so \"for\" means nothing")
    }
    let fault = Fault(made.effect, moment, lasting: duration, made.description)
    guard let link else {
      self = fault
      return
    }
    guard fault.canBeOfOneLink else {
      throw link.place.error("this fault strikes more than a link, so \"link\" means nothing")
    }
    self = fault.onLinks(named: try link.text("link"))
  }

  private static func moment(_ object: inout SceneObject) throws(SceneError) -> Moment {
    guard let node = object.take("at") else { return .now }
    if case .number = node.value {
      return .after(.nanoseconds(Int64((try node.number("at", 0...1e9) * 1e9).rounded())))
    }
    var moment = try SceneObject(node, "\"at\": seconds, or { \"packet\": … }")
    let number = try moment.need("packet").integer("packet", 1...1_000_000_000)
    try moment.finish()
    return .packet(number)
  }

  private static func make(_ object: inout SceneObject, _ moment: Moment) throws(SceneError) -> Fault {
    if let node = object.take("dropLink") {
      var drop = try SceneObject(node, "\"dropLink\"")
      let reason = try drop.integer("reason", 1...0xFF)
      try drop.finish()
      return .dropLink(reason: reason.map { HCIStatus(rawValue: UInt8($0)) }, at: moment)
    }
    if let share = try object.number("losePackets", 0...1) {
      return .losePackets(share, try direction(&object), from: moment)
    }
    if let delay = try object.duration("delayPackets", 0...1000) { return .delayPackets(by: delay, from: moment) }
    if try isTrue("outOfRange", &object) { return .outOfRange(from: moment) }
    if try isTrue("powerOff", &object) { return .powerOff(at: moment) }
    if try isTrue("stopAdvertising", &object) { return .stopAdvertising(at: moment) }
    if let node = object.take("changeAddress") {
      if case .bool(true) = node.value { return .changeAddress(at: moment) }
      return .changeAddress(to: try node.address("changeAddress", .random), at: moment)
    }
    if let node = object.take("changeDatabase") { return try database(node, moment) }
    for key in ["refuseChannel", "ignoreChannel"] {
      if let node = object.take(key) { return try channel(key, node, moment) }
    }
    if try isTrue("closeChannels", &object) { return .closeChannels(at: moment) }
    if try isTrue("stallChannels", &object) { return .stallChannels(from: moment) }
    return try request(&object, moment)
  }

  private static func isTrue(_ key: String, _ object: inout SceneObject) throws(SceneError) -> Bool {
    guard let node = object.take(key) else { return false }
    guard case .bool(true) = node.value else { throw node.place.error("\"\(key)\" is true") }
    return true
  }

  private static func direction(_ object: inout SceneObject) throws(SceneError) -> Direction {
    guard let node = object.take("direction") else { return .both }
    switch try node.text("direction") {
    case "sent": return .sent
    case "received": return .received
    case "both": return .both
    default: throw node.place.error("\"direction\" is \"sent\", \"received\" or \"both\"")
    }
  }

  private static func database(_ node: JSONNode, _ moment: Moment) throws(SceneError) -> Fault {
    var object = try SceneObject(node, "\"changeDatabase\"")
    var services: [VirtualDevice.Service] = []
    for node in try object.need("services").list("services") { services.append(try VirtualDevice.Service(scene: node)) }
    let isAnnounced = try object.bool("isAnnounced") ?? true
    try object.finish()
    return .changeDatabase(to: services, isAnnounced: isAnnounced, at: moment)
  }

  private static func channel(_ key: String, _ node: JSONNode, _ moment: Moment) throws(SceneError) -> Fault {
    var object = try SceneObject(node, "\"\(key)\"")
    let psm = try object.integer("psm", 1...0xFF).map { L2CAPPSM(rawValue: UInt16($0)) }
    let times = try object.integer("times", 1...1_000_000_000)
    let skipping = try object.integer("skipping", 0...1_000_000_000) ?? 0
    var result: L2CAPConnectionResult?
    if key == "refuseChannel" {
      let number = try object.integer("result", 1...0xFFFF)
      result = number.map { L2CAPConnectionResult(rawValue: UInt16($0)) } ?? .noResources
    }
    try object.finish()
    guard let result else { return .ignoreChannel(to: psm, times: times, skipping: skipping, from: moment) }
    return .refuseChannel(to: psm, with: result, times: times, skipping: skipping, from: moment)
  }

  // MARK: Requests

  private static func request(_ object: inout SceneObject, _ moment: Moment) throws(SceneError) -> Fault {
    for key in ["refuse", "delay", "garbage", "ignore", "disconnect", "notifyBeforeReply"] {
      guard let node = object.take(key) else { continue }
      var request = try SceneObject(node, "\"\(key)\"")
      var pattern = try requests(&request)
      let times = try request.integer("times", 1...1_000_000_000)
      let skipping = try request.integer("skipping", 0...1_000_000_000) ?? 0
      let answer: VirtualDevice.Answer
      switch key {
      case "refuse": answer = .error(ATTErrorCode(rawValue: UInt8(try request.need("error").integer("error", 1...255))))
      case "delay":
        let seconds = try request.need("by").number("by", 0...1e6)
        answer = .after(.nanoseconds(Int64((seconds * 1e9).rounded())))
      case "garbage": answer = .raw(try request.need("bytes").bytes("bytes"))
      case "ignore": answer = .never
      case "disconnect": answer = .disconnect
      default:
        answer = .notifyFirst(try request.need("value").bytes("value"))
        if pattern == RequestPattern(characteristic: pattern.characteristic) {
          pattern = .subscriptions(to: pattern.characteristic)
        }
      }
      try request.finish()
      return .answer(pattern, with: answer, times: times, skipping: skipping, from: moment)
    }
    throw object.place.error(
      """
      a fault has one of the keys dropLink, losePackets, delayPackets, outOfRange, powerOff, stopAdvertising, \
      changeAddress, changeDatabase, refuseChannel, ignoreChannel, closeChannels, stallChannels, refuse, delay, garbage, ignore, disconnect, notifyBeforeReply
      """
    )
  }

  private static func requests(_ object: inout SceneObject) throws(SceneError) -> RequestPattern {
    var pattern = RequestPattern.all
    if let node = object.take("kind") {
      switch try node.text("kind") {
      case "read": pattern = .reads
      case "write": pattern = .writes
      case "subscribe": pattern = .subscriptions
      case "any": break
      default: throw node.place.error("\"kind\" is \"read\", \"write\", \"subscribe\" or \"any\"")
      }
    }
    pattern.characteristic = try object.take("characteristic").map { node throws(SceneError) in
      try node.uuid("characteristic")
    }
    return pattern
  }
}
