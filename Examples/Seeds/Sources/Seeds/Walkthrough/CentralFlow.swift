import Halcyon

// The central's flow in its seven steps.
extension Walkthrough {
  // readme: begin
  /// Finds a device by its name, looks at all that it has, reads, writes where it may, listens, and takes its leave.
  ///
  /// - Returns: What the device sent.
  static func visit(_ name: String, central: Central) async throws -> [String] {
    try await central.ready()  // 1: the manager, and its state
    let device = try await central.scan(where: .named(name))  // 2: scan
      .connect()  // 3: connect; the scan stops

    for service in try await device.services(["FFE0", "FFE4"]) {  // 4: what it offers, and all values
      print("service", service.uuid)
      for characteristic in service.characteristics {
        let properties = characteristic.properties ?? []
        let value = properties.contains(.read) ? try await device.read(characteristic.typed(as: String.self)) : nil
        print("  characteristic", characteristic.uuid, properties.names, value ?? "can not be read")
        for descriptor in characteristic.descriptors where descriptor.uuid != "2902" {
          print("    descriptor", descriptor.uuid, try await device.read(descriptor, as: String.self))
        }
        if properties.contains(.write) {  // 5: write, where that is allowed
          try await device.write("hello", to: characteristic.typed(as: String.self), type: .withResponse)
        }
      }
    }

    var told: [String] = []
    for try await time in device.values(of: .time).prefix(3) { told.append(time) }  // 6: subscribe
    await device.disconnect()  // 7: disconnect
    return told
  }
  // readme: end
}
