import Halcyon

/// What a device offers, drawn as a tree with the names of assigned numbers.
struct DeviceTree {
  let services: [Peripheral.Service]
  /// Names of a maker's own numbers.
  var vendorNames: [BluetoothUUID: String] = [:]

  var lines: [String] {
    services.flatMap { service in
      [title(service.uuid, AssignedNames.service(service.uuid))]
        + branches(service.characteristics.map(lines(of:)))
    }
  }

  private func lines(of characteristic: Characteristic<[UInt8]>) -> [String] {
    let title = title(characteristic.uuid, AssignedNames.characteristic(characteristic.uuid))
    let properties = characteristic.properties?.names.joined(separator: ", ") ?? ""
    return ["\(title.padded(to: 44))  \(properties)"]
      + branches(characteristic.descriptors.map { [self.title($0.uuid, AssignedNames.descriptor($0.uuid))] })
  }

  private func branches(_ children: [[String]]) -> [String] {
    children.enumerated().flatMap { index, lines in
      let isLast = index == children.count - 1
      return lines.enumerated().map { line, text in
        (line > 0 ? (isLast ? "   " : "│  ") : (isLast ? "└─ " : "├─ ")) + text
      }
    }
  }

  private func title(_ uuid: BluetoothUUID, _ name: String?) -> String {
    guard let name = name ?? vendorNames[uuid] else { return uuid.description }
    return uuid.uint16 == nil ? name : "\(uuid) \(name)"
  }
}
