import Halcyon

// readme: begin
/// What the motion sensor says: the type that is read.
struct Acceleration: Hashable, Sendable, ByteReadable {
  var time: Duration
  /// In m/s².
  var acceleration: SIMD3<Float>
  /// In degrees a second.
  var rotation: SIMD3<Float>

  init(reading reader: inout ByteReader) throws {
    time = .milliseconds(try reader.read(UInt32.self))
    acceleration = SIMD3(
      Float(try reader.read(Int16.self)) / 100,
      Float(try reader.read(Int16.self)) / 100,
      Float(try reader.read(Int16.self)) / 100
    )
    rotation = SIMD3(
      Float(try reader.read(Int32.self)) / 100,
      Float(try reader.read(Int32.self)) / 100,
      Float(try reader.read(Int32.self)) / 100
    )
  }
}

/// Whether the light is on: a type that is read and written. A plain `Bool` would do as well.
struct LedState: Hashable, Sendable, ByteReadable, ByteWritable {
  var isOn: Bool

  init(isOn: Bool) { self.isOn = isOn }
  init(reading reader: inout ByteReader) throws { isOn = try reader.readBool() }
  func write(to writer: inout ByteWriter) { writer.write(UInt8(isOn ? 1 : 0)) }
}

/// Whether the button is down.
enum ButtonState: UInt8, ByteReadable {
  case released
  case pressed
}

extension ServiceID {
  static let punch: ServiceID = "19B10010-E8F2-537E-4F6C-D104768A1214"
}

extension Characteristic where Value == LedState {
  static var led: Self { .init("19B10011-E8F2-537E-4F6C-D104768A1214", in: .punch) }
}

extension Characteristic where Value == ButtonState {
  static var button: Self { .init("19B10012-E8F2-537E-4F6C-D104768A1214", in: .punch) }
}

extension Characteristic where Value == Acceleration {
  static var acceleration: Self { .init("19B10013-E8F2-537E-4F6C-D104768A1214", in: .punch) }
}
// readme: end

extension LittleBlueTooth {
  /// "Read": a value of the type that the name stands for.
  @discardableResult
  static func readAcceleration(of punch: Peripheral) async throws -> Acceleration {
    let value = try await punch.read(.acceleration)
    print("after \(value.time):", value.acceleration, value.rotation)
    return value
  }

  /// "Write".
  static func write(to punch: Peripheral) async throws {
    try await punch.write(LedState(isOn: true), to: .led)
    print("the light is on:", try await punch.read(.led).isOn)
  }

  /// "Write and listen": subscribe, write the command, await the answer.
  @discardableResult
  static func writeAndListen(to punch: Peripheral) async throws -> LedState {
    let answer = try await punch.request(LedState(isOn: false), on: .led, answer: .led)
    print("the answer to a command: the light is on:", answer.isOn)
    return answer
  }
}
