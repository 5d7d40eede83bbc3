import BluetoothTypes
import Halcyon
import VirtualRadio

/// What the tests of values add to the counting device.
enum Tool {
  /// A control point that answers by indication, values that come to nothing, and a place for much data.
  static func describe(_ description: inout VirtualDevice.Description) {
    description.services.append(
      VirtualDevice.Service(
        "FFC0",
        characteristics: [
          // Answers each command with its double, before the command itself is confirmed.
          VirtualDevice.Characteristic(
            "FFC1",
            [.write, .indicate],
            onWrite: { (bytes, device) throws(ATTErrorCode) in
              guard let command = bytes.first, command != 0 else { throw .valueNotAllowed }
              if command != 0xFF { try? device.notify([command, command &* 2], of: "FFC1") }
            }
          ),
          VirtualDevice.Characteristic("FFC2", [.writeWithoutResponse, .write]),
          VirtualDevice.Characteristic("FFC3", .write),
          VirtualDevice.Characteristic("FFC4", [.notify, .read], value: [5]),
        ]
      )
    )
  }
}

/// The answer of the tool's control point.
struct ToolAnswer: Hashable, Sendable, ByteReadable {
  var command: UInt8
  var result: UInt8

  init(command: UInt8, result: UInt8) {
    self.command = command
    self.result = result
  }

  init(reading reader: inout ByteReader) throws {
    command = try reader.read()
    result = try reader.read()
  }
}

extension Characteristic where Value == UInt8 {
  static var toolCommand: Self { .init("FFC1", in: "FFC0") }
  static var toolState: Self { .init("FFC4", in: "FFC0") }
}

extension Characteristic where Value == ToolAnswer {
  static var toolAnswer: Self { .init("FFC1", in: "FFC0") }
}

extension Characteristic where Value == [UInt8] {
  static var toolUpload: Self { .init("FFC2", in: "FFC0") }
  static var toolSlowUpload: Self { .init("FFC3", in: "FFC0") }
}
