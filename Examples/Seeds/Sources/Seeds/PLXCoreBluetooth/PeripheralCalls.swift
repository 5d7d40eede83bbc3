import Halcyon

// "API", the calls of the peripheral.
extension PLXCoreBluetooth {
  /// `rac_name`, `rac_peripheralDidUpdateName`: the name now, and then at each change.
  static func name(of meter: Peripheral) async {
    print("name now:", meter.name ?? "not known")
    for await name in meter.names.prefix(1) { print("name, in the stream:", name ?? "not known") }
  }

  /// `rac_peripheralDidModifyServices`: what is no longer there.
  @discardableResult
  static func serviceChange(of meter: Peripheral) async -> ServiceChange? {
    for await change in meter.serviceChanges {
      print("gone:", change.invalidated.map(\.uuid))
      return change
    }
    return nil
  }

  /// "Discovery": services, included services, characteristics, descriptors; all that there is in one call.
  @discardableResult
  static func discover(_ meter: Peripheral) async throws -> [Peripheral.Service] {
    let services = try await meter.services([special])  // without a list: all
    for service in services {
      print("service \(service.uuid), which includes", service.includedServices.map(\.uuid))
      for characteristic in service.characteristics {
        print("  characteristic \(characteristic.uuid), with", characteristic.descriptors.map(\.uuid))
      }
    }
    return services
  }

  /// "Reading": the signal strength, a characteristic, a descriptor.
  @discardableResult
  static func read(_ meter: Peripheral) async throws -> (rssi: Int, level: UInt8, description: String) {
    let rssi = try await meter.readRSSI()
    let level = try await meter.read(.level)
    let description = try await meter.read(.userDescription(of: .limit))
    print("heard with \(rssi) dBm; level \(level); FFF2 is the \(description)")
    return (rssi, level, description)
  }

  /// "Writing": with response, without, and a descriptor.
  static func write(_ meter: Peripheral) async throws {
    try await meter
      .write(80, to: .limit, type: .withResponse)
      .write(85, to: .limit, type: .withoutResponse)
      .write(UInt8(1), to: Descriptor("FFFA", of: .limit))
    print("limit now:", try await meter.read(.limit))
  }

  /// "Updating": notifications on and off, values as they come, and results, of which an error does not end the others.
  @discardableResult
  static func update(_ meter: Peripheral) async throws -> (values: [UInt8], results: Int, all: Int) {
    var values: [UInt8] = []
    for try await level in meter.values(of: .level).prefix(2) { values.append(level) }  // subscribes, and unsubscribes

    var results = 0
    for try await result in meter.results(of: .level).prefix(2) {
      if case .success = result { results += 1 }
    }

    var all = 0
    async let everything: Void = {
      try await meter.setNotifying(true, for: .level)
    }()
    for try await value in meter.notifications().prefix(2) {  // of every characteristic that is switched on
      print("sent by the device: \(value.characteristic.uuid):", value.bytes)
      all += 1
    }
    try await everything
    try await meter.setNotifying(false, for: .level)
    return (values, results, all)
  }
}
