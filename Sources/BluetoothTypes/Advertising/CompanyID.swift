/// The number of a company (Assigned Numbers, 7.1): an open set.
public struct CompanyID: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: UInt16

  /// A company by its number.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A company by its number.
  @inlinable
  public init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// 0x0006: Microsoft.
  public static let microsoft = CompanyID(0x0006)
  /// 0x004C: Apple.
  public static let apple = CompanyID(0x004C)
  /// 0x0059: Nordic Semiconductor.
  public static let nordicSemiconductor = CompanyID(0x0059)
  /// 0x0075: Samsung Electronics.
  public static let samsung = CompanyID(0x0075)
  /// 0x00E0: Google.
  public static let google = CompanyID(0x00E0)
  /// 0x02E5: Espressif Systems.
  public static let espressif = CompanyID(0x02E5)
  /// 0xFFFF: nobody; for tests inside a company that has no number.
  public static let internalUse = CompanyID(0xFFFF)
}

extension CompanyID: CustomStringConvertible {
  /// The company's name as the SIG has it; `nil` if it is not in our table.
  public var name: String? { AssignedNames.company(rawValue) }

  /// The name, or the number where we have none.
  public var description: String { name ?? "0x\(hexadecimal(rawValue, digits: 4))" }
}

/// Data in an advertisement whose meaning a company defines (Core Specification Supplement 11, Part A, 1.4).
public struct ManufacturerData: Hashable, Sendable {
  /// The company.
  public var company: CompanyID
  /// What stands behind the company's number.
  public var data: [UInt8]

  /// Makes manufacturer data.
  public init(_ company: CompanyID, _ data: [UInt8]) {
    self.company = company
    self.data = data
  }
}
