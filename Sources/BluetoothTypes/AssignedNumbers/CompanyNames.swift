extension AssignedNames {
  /// The table in which a company is, by its number: one for each 512 numbers.
  static func companies(around id: UInt16) -> AssignedNameTable? {
    switch id >> 9 {
    case 0x0: companies0000
    case 0x1: companies0200
    case 0x2: companies0400
    case 0x3: companies0600
    case 0x4: companies0800
    case 0x5: companies0A00
    case 0x6: companies0C00
    case 0x7: companies0E00
    case 0x8: companies1000
    case 0x7F: companiesOfNobody
    default: nil
    }
  }

  /// What is no company (Core Specification Supplement 11, Part A, 1.4).
  private static let companiesOfNobody = AssignedNameTable("FFFF Internal use")
}
