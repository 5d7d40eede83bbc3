/// Which discoveries a scan lets through.
///
/// ```swift
/// central.scan(where: .named("Pulse") && .stronger(than: -70))
/// ```
public struct ScanFilter: Sendable {
  private let isMatch: @Sendable (Discovery) -> Bool

  /// Lets through what `isMatch` says. It is called on the radio's executor and must not block.
  public init(_ isMatch: @escaping @Sendable (Discovery) -> Bool) { self.isMatch = isMatch }

  /// Whether a discovery is let through.
  public func matches(_ discovery: Discovery) -> Bool { isMatch(discovery) }

  /// Everything.
  public static let any = ScanFilter { _ in true }
  /// Devices that take connections.
  public static let connectable = ScanFilter { $0.isConnectable }

  /// Devices with this name.
  public static func named(_ name: String) -> ScanFilter { ScanFilter { $0.name == name } }

  /// Devices whose name begins like this.
  public static func namePrefix(_ prefix: String) -> ScanFilter { ScanFilter { $0.name?.hasPrefix(prefix) == true } }

  /// Devices that advertise this service.
  public static func service(_ service: ServiceID) -> ScanFilter {
    ScanFilter { $0.advertisement.serviceUUIDs.contains(service.uuid) }
  }

  /// Devices that advertise data of this company, whose bytes begin like `prefix` and of which `isMatch` says yes.
  public static func manufacturer(
    _ company: CompanyID,
    beginningWith prefix: [UInt8] = [],
    where isMatch: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }
  ) -> ScanFilter {
    ScanFilter { discovery in
      discovery.advertisement.allManufacturerData.contains { part in
        part.company == company && part.data.starts(with: prefix) && isMatch(part.data)
      }
    }
  }

  /// Devices that advertise data of this service, whose bytes begin like `prefix`.
  public static func serviceData(_ service: ServiceID, beginningWith prefix: [UInt8] = []) -> ScanFilter {
    ScanFilter { $0.advertisement.serviceData[service.uuid]?.starts(with: prefix) == true }
  }

  /// Beacons: iBeacon and Eddystone.
  public static let beacons = ScanFilter { $0.beacon != nil }

  /// Devices whose name is known.
  public static let hasName = ScanFilter { $0.name?.isEmpty == false }

  /// Devices that are heard with more than `dBm`.
  public static func stronger(than dBm: Int) -> ScanFilter { ScanFilter { $0.rssi.map { $0 > dBm } ?? false } }

  /// These devices.
  public static func ids(_ ids: Set<Peripheral.ID>) -> ScanFilter { ScanFilter { ids.contains($0.id) } }

  /// What both let through.
  public static func && (left: ScanFilter, right: ScanFilter) -> ScanFilter {
    ScanFilter { left.matches($0) && right.matches($0) }
  }

  /// What at least one lets through.
  public static func || (left: ScanFilter, right: ScanFilter) -> ScanFilter {
    ScanFilter { left.matches($0) || right.matches($0) }
  }

  /// What the other does not let through.
  public static prefix func ! (filter: ScanFilter) -> ScanFilter { ScanFilter { !filter.matches($0) } }
}
