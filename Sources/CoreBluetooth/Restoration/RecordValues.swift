import BluetoothTypes
import Foundation
import RadioPort

// How the parts of records are written. Whatever a file holds, reading it can fail but not trap.

/// A UUID as text.
struct RecordedUUID: Codable, Hashable {
  let value: BluetoothUUID

  init(_ value: BluetoothUUID) { self.value = value }

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    do { value = try BluetoothUUID(text) } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "“\(text)” is no UUID")
      )
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value.description)
  }
}

/// The number of the form of records, to know those of later versions.
struct RecordVersion: Codable, Hashable {
  private static let current = 1

  init() {}

  init(from decoder: any Decoder) throws {
    let number = try decoder.singleValueContainer().decode(Int.self)
    guard number == Self.current else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "form \(number) is not known here, only \(Self.current)"
        )
      )
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Self.current)
  }
}
