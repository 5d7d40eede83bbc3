/// An object of a scene while it is read: keys are taken out one by one, and what is left at the end is a mistake.
struct SceneObject {
  let place: JSONPlace
  /// What the object describes, for messages.
  let what: String
  private var members: [JSONNode.Member]
  private var known: [String] = []

  init(_ node: JSONNode, _ what: String) throws(SceneError) {
    guard case .object(let members) = node.value else {
      throw node.place.error("\(what) is expected, in { }; this is \(node.kind)")
    }
    place = node.place
    self.what = what
    self.members = members
  }

  /// All keys must have been asked for.
  func finish() throws(SceneError) {
    guard let rest = members.first else { return }
    throw rest.place.error(
      "there is no key \"\(rest.key)\" in \(what); the keys are \(known.sorted().joined(separator: ", "))"
    )
  }

  mutating func take(_ key: String) -> JSONNode? {
    known.append(key)
    guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
    return members.remove(at: index).value
  }

  mutating func need(_ key: String) throws(SceneError) -> JSONNode {
    guard let node = take(key) else { throw place.error("\(what) needs the key \"\(key)\"") }
    return node
  }

  mutating func text(_ key: String) throws(SceneError) -> String? {
    guard let node = take(key) else { return nil }
    return try node.text(key)
  }

  mutating func bool(_ key: String) throws(SceneError) -> Bool? {
    guard let node = take(key) else { return nil }
    guard case .bool(let value) = node.value else {
      throw node.place.error("\"\(key)\" is true or false; this is \(node.kind)")
    }
    return value
  }

  mutating func number(_ key: String, _ range: ClosedRange<Double>) throws(SceneError) -> Double? {
    guard let node = take(key) else { return nil }
    return try node.number(key, range)
  }

  mutating func integer(_ key: String, _ range: ClosedRange<Int>) throws(SceneError) -> Int? {
    guard let node = take(key) else { return nil }
    return try node.integer(key, range)
  }

  /// A time in seconds.
  mutating func duration(_ key: String, _ range: ClosedRange<Double> = 0...1e9) throws(SceneError) -> Duration? {
    guard let seconds = try number(key, range) else { return nil }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }

  mutating func list(_ key: String) throws(SceneError) -> [JSONNode] {
    guard let node = take(key) else { return [] }
    return try node.list(key)
  }
}

extension JSONNode {
  func text(_ key: String) throws(SceneError) -> String {
    guard case .string(let text) = value else { throw place.error("\"\(key)\" is a text in \" \"; this is \(kind)") }
    return text
  }

  func number(_ key: String, _ range: ClosedRange<Double>) throws(SceneError) -> Double {
    guard case .number(let number) = value else { throw place.error("\"\(key)\" is a number; this is \(kind)") }
    guard range.contains(number) else {
      throw place.error("\"\(key)\" is from \(range.lowerBound) to \(range.upperBound); \(number) is not")
    }
    return number
  }

  func integer(_ key: String, _ range: ClosedRange<Int>) throws(SceneError) -> Int {
    guard case .number(let number) = value, let integer = Int(exactly: number), range.contains(integer) else {
      throw place.error("\"\(key)\" is a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  func list(_ key: String) throws(SceneError) -> [JSONNode] {
    guard case .array(let elements) = value else {
      throw place.error("\"\(key)\" is a list in [ ]; this is \(kind)")
    }
    return elements
  }
}
