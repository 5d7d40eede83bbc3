/// A value of a JSON text (RFC 8259) with the place where it stands.
struct JSONNode: Sendable {
  indirect enum Value: Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  struct Member: Sendable {
    var key: String
    /// Where the key stands.
    var place: JSONPlace
    var value: JSONNode
  }

  var value: Value
  var place: JSONPlace

  /// What kind of value it is, in words.
  var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension JSONNode {
  /// What stands under a key of an object.
  func member(_ key: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The elements of a list; none of anything else.
  var elements: [JSONNode] { if case .array(let elements) = value { elements } else { [] } }
}

/// The keys of an object, which must be different. However many there are, a look costs the same.
struct UniqueKeys<Key: Hashable> {
  private var keys: Set<Key> = []

  /// Adds a key; `false` if it is there already.
  mutating func insert(_ key: Key) -> Bool { keys.insert(key).inserted }
}

/// A place in a text, both from 1 on.
struct JSONPlace: Hashable, Sendable {
  var line: Int
  var column: Int

  func error(_ reason: String) -> SceneError { SceneError(line: line, column: column, reason) }
}

/// Reads JSON and keeps the places of all values, for messages that say where a mistake is.
struct JSONParser {
  /// Deeper than this nothing may be nested, so that no text can overflow the stack.
  static let deepest = 64

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var column = 1

  /// The one value that a text consists of.
  static func parse(_ bytes: [UInt8]) throws(SceneError) -> JSONNode {
    var parser = JSONParser(bytes)
    try parser.checkEncoding()
    let node = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.index == bytes.count else {
      throw parser.place.error("there is more behind the end of the outermost value")
    }
    return node
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var place: JSONPlace { JSONPlace(line: line, column: column) }
  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// All of it must be UTF-8, so that texts can be made of any part.
  private func checkEncoding() throws(SceneError) {
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    var line = 1
    for text in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if String(validating: text, as: UTF8.self) == nil { break }
      line += 1
    }
    throw SceneError(line: line, column: 1, "this line is not UTF-8")
  }

  private mutating func advance() {
    guard let byte = next else { return }
    index += 1
    if byte == 0x0A {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      // A character of several bytes is one column.
      column += 1
    }
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { advance() }
  }

  private mutating func value(depth: Int) throws(SceneError) -> JSONNode {
    skipSpace()
    let start = place
    guard depth <= Self.deepest else { throw start.error("this is nested deeper than \(Self.deepest) levels") }
    guard let byte = next else { throw start.error("the text ends where a value is expected") }
    let value: JSONNode.Value =
      switch byte {
      case UInt8(ascii: "{"): .object(try members(depth: depth))
      case UInt8(ascii: "["): .array(try elements(depth: depth))
      case UInt8(ascii: "\""): .string(try string())
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number(try number())
      default: try word()
      }
    return JSONNode(value: value, place: start)
  }

  private mutating func word() throws(SceneError) -> JSONNode.Value {
    let (start, from) = (place, index)
    while let byte = next, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) { advance() }
    let text = String(decoding: bytes[from..<index], as: UTF8.self)
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "": throw start.error("a value is expected: a text in \" \", a number, true, false, null, [ ] or { }")
    default: throw start.error("\"\(text)\" is no value; a text must stand in \" \"")
    }
  }

  private mutating func number() throws(SceneError) -> Double {
    let (start, from) = (place, index)
    while let byte = next,
      Self.isDigit(byte) || "+-.eE".utf8.contains(byte)
    {
      advance()
    }
    let text = String(decoding: bytes[from..<index], as: UTF8.self)
    // What Double takes and JSON does not: leading zeros and points without digits on both sides.
    let digits = Array(text.utf8.drop { $0 == UInt8(ascii: "-") })
    let hasLeadingZero = digits.count > 1 && digits[0] == UInt8(ascii: "0") && Self.isDigit(digits[1])
    let hasBarePoint = digits.indices.contains { index in
      digits[index] == UInt8(ascii: ".")
        && (index == 0 || index + 1 == digits.count || !Self.isDigit(digits[index + 1]))
    }
    guard let number = Double(text), number.isFinite, !hasLeadingZero, !hasBarePoint
    else { throw start.error("\"\(text)\" is no number") }
    return number
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private mutating func string() throws(SceneError) -> String {
    let start = place
    advance()
    var content: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        advance()
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): content += Array(String(try escape()).utf8)
      case 0..<0x20: throw place.error("a text may not go over the end of its line, and has no control characters")
      default:
        content.append(byte)
        advance()
      }
    }
    throw start.error("the text that begins here has no end")
  }

  private mutating func escape() throws(SceneError) -> Character {
    let start = place
    advance()
    guard let byte = next else { throw start.error("the text ends within \\") }
    advance()
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      var code = try hexadecimal(start)
      if (0xD800..<0xDC00).contains(code), next == UInt8(ascii: "\\") {
        advance()
        guard next == UInt8(ascii: "u") else { throw start.error("half of a surrogate pair") }
        advance()
        let low = try hexadecimal(start)
        guard (0xDC00..<0xE000).contains(low) else { throw start.error("half of a surrogate pair") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw start.error("half of a surrogate pair") }
      return Character(scalar)
    default: throw start.error("behind \\ one of \" \\ / b f n r t u is expected")
    }
  }

  private mutating func hexadecimal(_ start: JSONPlace) throws(SceneError) -> UInt32 {
    let end = index + 4
    guard end <= bytes.count, bytes[index..<end].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt32(String(decoding: bytes[index..<end], as: UTF8.self), radix: 16)
    else { throw start.error("behind \\u four hexadecimal digits are expected") }
    for _ in 0..<4 { advance() }
    return code
  }

  private mutating func elements(depth: Int) throws(SceneError) -> [JSONNode] {
    advance()
    var elements: [JSONNode] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return [] }
    while true {
      elements.append(try value(depth: depth + 1))
      if try endOfList(UInt8(ascii: "]"), "]") { return elements }
    }
  }

  private mutating func members(depth: Int) throws(SceneError) -> [JSONNode.Member] {
    advance()
    var members: [JSONNode.Member] = []
    var keys = UniqueKeys<String>()
    skipSpace()
    if take(UInt8(ascii: "}")) { return [] }
    while true {
      skipSpace()
      let start = place
      guard next == UInt8(ascii: "\"") else { throw start.error("a key in quotation marks is expected") }
      let key = try string()
      guard keys.insert(key) else {
        throw start.error("the key \"\(key)\" stands here twice")
      }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw place.error("a : is expected behind the key \"\(key)\"") }
      members.append(JSONNode.Member(key: key, place: start, value: try value(depth: depth + 1)))
      if try endOfList(UInt8(ascii: "}"), "}") { return members }
    }
  }

  private mutating func endOfList(_ end: UInt8, _ name: String) throws(SceneError) -> Bool {
    skipSpace()
    if take(end) { return true }
    guard take(UInt8(ascii: ",")) else { throw place.error("a , or \(name) is expected") }
    return false
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    advance()
    return true
  }
}
