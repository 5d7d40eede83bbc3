/// The names that the Bluetooth SIG gives its numbers, for logs, tools and user interfaces.
///
/// The tables are open: a number that is not in them has no name here, but may have a meaning.
public enum AssignedNames {
  /// The name of a service, such as `Heart Rate`; `nil` if it has none.
  public static func service(_ uuid: BluetoothUUID) -> String? { uuid.uint16.flatMap(services.name(of:)) }

  /// The name of a service, such as `Heart Rate`; `nil` if it has none.
  public static func service(_ id: ServiceID) -> String? { service(id.uuid) }

  /// The name of a characteristic, such as `Heart Rate Measurement`; `nil` if it has none.
  public static func characteristic(_ uuid: BluetoothUUID) -> String? { uuid.uint16.flatMap(characteristics.name(of:)) }

  /// The name of a declaration or a descriptor, such as `Client Characteristic Configuration`; `nil` if it has none.
  public static func descriptor(_ uuid: BluetoothUUID) -> String? { uuid.uint16.flatMap(descriptors.name(of:)) }

  /// The name of whatever the UUID stands for: a service, a declaration, a descriptor or a characteristic.
  public static func any(_ uuid: BluetoothUUID) -> String? {
    service(uuid) ?? descriptor(uuid) ?? characteristic(uuid)
  }

  /// The name of the company that has the number, such as `Nordic Semiconductor ASA`; `nil` if it is not in the table.
  public static func company(_ id: UInt16) -> String? { companies(around: id)?.name(of: id) }

  /// The name of an appearance, such as `Heart Rate Belt`; that of its category where the subcategory has none, and
  /// `nil` where the category has none either.
  public static func appearance(_ value: UInt16) -> String? {
    appearances.name(of: value) ?? appearances.name(of: value & ~0x3F)
  }
}

/// Names by 16-bit number, kept as one text of the program: nothing is built at its start and nothing lies on the heap.
struct AssignedNameTable: Sendable {
  /// Lines in ascending order, each four hexadecimal digits, a blank and the name.
  private let lines: StaticString

  init(_ lines: StaticString) { self.lines = lines }

  /// The name of `number`, found by halving the text.
  func name(of number: UInt16) -> String? {
    lines.withUTF8Buffer { text in
      var low = 0
      var high = text.count
      while low < high {
        let line = Self.line(around: low + (high - low) / 2, in: text)
        let found = Self.number(at: line.lowerBound, in: text)
        if found == number {
          return String(decoding: text[min(line.lowerBound + 5, line.upperBound)..<line.upperBound], as: UTF8.self)
        }
        if found < number {
          low = line.upperBound + 1
        } else {
          high = line.lowerBound
        }
      }
      return nil
    }
  }

  /// The line in which the byte at `index` lies, without its line feed; a line feed belongs to the line before it.
  private static func line(around index: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let lineFeed = UInt8(ascii: "\n")
    let start = text[..<index].lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
    let end = text[index...].firstIndex(of: lineFeed) ?? text.count
    return start..<end
  }

  private static func number(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> UInt16 {
    text[start..<min(start + 4, text.count)].reduce(0) { number, digit in
      let value = digit < UInt8(ascii: "A") ? digit &- UInt8(ascii: "0") : digit &- UInt8(ascii: "A") &+ 10
      return number << 4 | UInt16(value & 0xF)
    }
  }
}

extension AssignedNameTable {
  /// Every entry, in order.
  var entries: [(number: UInt16, name: String)] {
    lines.description.split(separator: "\n").compactMap { line in
      UInt16(line.prefix(4), radix: 16).map { ($0, String(line.dropFirst(5))) }
    }
  }
}
