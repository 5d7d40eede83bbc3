/// What a scene says of a radio: one of the program's own, or the controller of another program.
struct SceneRadio: Sendable {
  /// What the world calls it.
  var name: String
  var faults: [Fault] = []

  init(_ node: JSONNode) throws(SceneError) {
    var object = try SceneObject(node, "a radio")
    name = try object.need("name").text("name")
    for node in try object.list("faults") {
      let fault = try Fault(scene: node)
      guard fault.isOfLinks else {
        throw node.place.error("a radio has no server and keeps its address; this fault is for devices")
      }
      faults.append(fault)
    }
    try object.finish()
  }
}

/// The radios that there are, and what scenes want to go wrong with those that there are or will be.
struct RadioRoster: Sendable {
  var wishes: [SceneRadio] = []
  /// By their names, as the world belongs to its radios and not they to it.
  var present: [(name: String, controller: ControllerID)] = []
}

extension World {
  /// Lets the faults of a scene's radio begin: now if it is there, else when it comes.
  func expect(_ radio: SceneRadio) {
    let present = roster.withLock { roster in
      roster.wishes.append(radio)
      return roster.present.filter { LinkPartner.covers(radio.name, $0.name) }.map(\.controller)
    }
    for controller in present { for fault in radio.faults { faults(of: controller).add(fault) } }
  }

  /// A radio has come.
  func radioCame(_ name: String, _ controller: ControllerID) {
    let wishes = roster.withLock { roster in
      roster.present.append((name, controller))
      return roster.wishes.filter { LinkPartner.covers($0.name, name) }.flatMap(\.faults)
    }
    for fault in wishes { faults(of: controller).add(fault) }
  }

  /// A radio has gone for good.
  func radioLeft(_ controller: ControllerID) {
    roster.withLock { $0.present.removeAll { $0.controller == controller } }
    faults(of: controller).removeAll()
    faultBook.withLock { $0.forget(controller) }
  }
}
