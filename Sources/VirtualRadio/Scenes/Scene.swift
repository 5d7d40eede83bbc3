import BluetoothTypes
import RadioPort

/// Virtual devices and the space that they are in, as a JSON text describes them.
///
/// ```json
/// {
///   "propagation": { "exponent": 3, "shadowing": 4 },
///   "devices": [
///     { "name": "Pulse", "kind": "heartRateBand", "position": [3, 0] },
///     {
///       "name": "Door",
///       "address": "C0:00:00:00:00:07",
///       "position": [5, 2],
///       "movement": { "steps": [{ "to": [40, 2], "speed": 1.4 }, { "pause": 60 }, { "to": [5, 2] }], "repeats": true },
///       "advertising": { "interval": 0.25, "services": ["48A10000-5C1B-4C5A-9B1E-0C4A6C3F7D22"] },
///       "services": [
///         {
///           "uuid": "48A10000-5C1B-4C5A-9B1E-0C4A6C3F7D22",
///           "characteristics": [
///             { "uuid": "2A19", "properties": ["read", "notify"], "every": 10, "values": [{ "uint8": 80 }, { "uint8": 79 }] }
///           ]
///         }
///       ],
///       "channels": [{ "psm": 128, "behaviour": "echo" }],
///       "faults": [{ "dropLink": {}, "at": { "packet": 40 } }]
///     }
///   ]
/// }
/// ```
///
/// All times are seconds, all lengths metres, all powers dBm. A key that does not exist is a mistake, and so is what is out
/// of range; each error says the line, the column and what would be right.
///
/// | object | keys |
/// |---|---|
/// | scene | `propagation`, `devices`, `radios` |
/// | propagation | as in ``Propagation``: `range`, `strengthAtOneMetre`, `exponent`, `shadowing`, `coherence`, `fading`, `sensitivity`, `captureThreshold` |
/// | device | `name` (needed), `kind`, `address`, `addressType` (`random`, `public`), `appearance`, `position`, `power`, `movement`, `advertising`, `mtu`, `requestsMTU`, `hasDatabaseHash`, `services`, `channels`, `faults`; with a `kind` (`heartRateBand`, `thermometer`, `lamp`) only `name`, `position`, `movement` and `faults` |
/// | radio | `name` (needed), `faults` of links, `powerOff` and `stopAdvertising`, from when the radio comes; the names are `radio` for the program's own, `radio 2` and so on for others that it makes, `program 1` and so on for the controllers of `halcyon air` in the order in which programs come, `program` for each of them, or what the code has called it |
/// | position | `[x, y]` or `[x, y, z]` |
/// | movement | `steps`: each `{ "to": position, "speed": … }` or `{ "pause": … }`; `repeats` |
/// | advertising | `interval`, `services`, `company` with `data`, `isConnectable`, `whileConnected` |
/// | service | `uuid` (needed), `isPrimary`, `characteristics` |
/// | characteristic | `uuid`, `properties` (both needed), `permissions`, `value`, `description`, `every` with `values`, `descriptors` |
/// | descriptor | `uuid`, `value` (both needed), `permissions` |
/// | channel | `psm` (1 to 255), `behaviour` (both needed): `echo` gives each message back, `discard` takes all, `ignore` takes nothing; `requiresEncryption`, `mtu`, `mps`, `credits`, `every` with `values` |
/// | value | a text; a list of bytes; `{ "hex": "01 02" }`; `{ "uint8": … }`, also `uint16`, `uint32`, `int8`, `int16`, `int32`, with one number or a list |
/// | properties | `read`, `write`, `writeWithoutResponse`, `notify`, `indicate`, `broadcast`, `authenticatedSignedWrites`, `reliableWrite`, `writableAuxiliaries` |
/// | permissions | `read`, `write`, `encryptedRead`, `encryptedWrite`, `authenticatedRead`, `authenticatedWrite` |
/// | fault | one of the keys below; `at`: seconds or `{ "packet": … }`; `for` for those that last; `link` for those of links, of requests and of wishes for channels: the name of the device or radio at the other end, to strike the links to it alone |
/// | faults of links | `dropLink` `{ "reason": … }`, which the other end hears; without one both ends find out by the supervision timeout; `losePackets` (share) with `direction` (`sent`, `received`, `both`), `delayPackets`, `outOfRange` (`true`) |
/// | faults of devices | `powerOff` (`true`), `stopAdvertising` (`true`), `changeAddress` (`true` or the address), `changeDatabase` `{ "services": …, "isAnnounced": … }` |
/// | faults of channels | `refuseChannel` and `ignoreChannel`, each an object with `psm`, `times`, `skipping`, the first also with `result`; `closeChannels` (`true`), `stallChannels` (`true`) |
/// | faults of requests | `refuse` with `error`, `delay` with `by`, `garbage` with `bytes`, `ignore`, `disconnect`, `notifyBeforeReply` with `value`: each an object with `kind` (`read`, `write`, `subscribe`, `any`), `characteristic`, `times`, `skipping` |
public struct Scene: Sendable {
  var propagation: Propagation?
  var devices: [SceneDevice]
  var radios: [SceneRadio] = []

  /// Reads a scene.
  ///
  /// - Throws: ``SceneError`` with line, column and reason.
  public init(_ text: String) throws(SceneError) { try self.init(json: Array(text.utf8)) }

  /// Reads a scene from the bytes of its text, which are UTF-8.
  public init(json bytes: [UInt8]) throws(SceneError) {
    var object = try SceneObject(JSONParser.parse(bytes), "a scene")
    propagation = try object.take("propagation").map { node throws(SceneError) in try Self.propagation(node) }
    devices = []
    let deviceNodes = try object.list("devices")
    for node in deviceNodes { devices.append(try SceneDevice(node)) }
    let radioNodes = try object.list("radios")
    for node in radioNodes { radios.append(try SceneRadio(node)) }
    try object.finish()
    try check(deviceNodes, radioNodes)
  }

  private static func propagation(_ node: JSONNode) throws(SceneError) -> Propagation {
    var object = try SceneObject(node, "a propagation")
    var propagation = Propagation()
    propagation.range = try object.number("range", 0...1e9) ?? propagation.range
    propagation.strengthAtOneMetre =
      try object.number("strengthAtOneMetre", -200...50) ?? propagation.strengthAtOneMetre
    propagation.exponent = try object.number("exponent", 0...10) ?? propagation.exponent
    propagation.shadowing = try object.number("shadowing", 0...40) ?? propagation.shadowing
    propagation.coherence = try object.duration("coherence", 0.001...1e6) ?? propagation.coherence
    propagation.fading = try object.number("fading", 0...40) ?? propagation.fading
    propagation.sensitivity = try object.number("sensitivity", -300...50) ?? propagation.sensitivity
    propagation.captureThreshold = try object.number("captureThreshold", 0...100) ?? propagation.captureThreshold
    try object.finish()
    return propagation
  }
}

/// A device of a scene.
struct SceneDevice: Sendable {
  /// What it is.
  enum Kind: Sendable {
    case heartRateBand, thermometer, lamp
    case custom(VirtualDevice.Description)
  }

  var name: String
  var kind: Kind
  var position: RadioPosition?
  var movement: Movement?
  var faults: [Fault] = []

  init(_ node: JSONNode) throws(SceneError) {
    var object = try SceneObject(node, "a device")
    name = try object.need("name").text("name")
    position = try object.take("position").map { node throws(SceneError) in try Self.position(node) }
    movement = try object.take("movement").map { node throws(SceneError) in try Self.movement(node) }
    for node in try object.list("faults") { faults.append(try Fault(scene: node)) }
    if let node = object.take("kind") {
      switch try node.text("kind") {
      case "heartRateBand": kind = .heartRateBand
      case "thermometer": kind = .thermometer
      case "lamp": kind = .lamp
      case let other:
        throw node.place.error("there is no kind \"\(other)\"; the kinds are heartRateBand, lamp, thermometer")
      }
    } else {
      kind = .custom(try VirtualDevice.Description(scene: &object, name: name))
    }
    try object.finish()
    try check(node)
  }

  static func position(_ node: JSONNode) throws(SceneError) -> RadioPosition {
    let elements = try node.list("position")
    guard elements.count == 2 || elements.count == 3 else {
      throw node.place.error("a position is [x, y] or [x, y, z], in metres")
    }
    var numbers: [Double] = []
    for element in elements { numbers.append(try element.number("position", -1e6...1e6)) }
    return RadioPosition(x: numbers[0], y: numbers[1], z: numbers.count == 3 ? numbers[2] : 0)
  }

  private static func movement(_ node: JSONNode) throws(SceneError) -> Movement {
    var object = try SceneObject(node, "a movement")
    var steps: [Movement.Step] = []
    for node in try object.need("steps").list("steps") {
      var step = try SceneObject(node, "a step")
      if let pause = try step.duration("pause") {
        steps.append(.pause(pause))
      } else {
        let place = try position(step.need("to"))
        steps.append(.walk(to: place, speed: try step.number("speed", 0.001...100_000) ?? 1.4))
      }
      try step.finish()
    }
    let repeats = try object.bool("repeats") ?? false
    try object.finish()
    return Movement(steps, repeats: repeats)
  }
}
