import BluetoothTypes

/// Who made a product, which one it is, and its version (Device Information Service 1.2, 3.9).
public struct PnPID: Hashable, Sendable {
  /// Who gave the vendor its number: an open set.
  public struct VendorSource: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt8
    /// A source from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The Bluetooth SIG.
    public static let bluetoothSIG = VendorSource(rawValue: 1)
    /// The USB Implementer's Forum.
    public static let usb = VendorSource(rawValue: 2)
  }

  /// Who gave the vendor its number.
  public var vendorSource: VendorSource
  /// The vendor.
  public var vendor: UInt16
  /// The product, as the vendor counts.
  public var product: UInt16
  /// The version as 0xJJMN: major JJ, minor M, sub-minor N.
  public var version: UInt16

  /// Makes an identifier.
  public init(vendorSource: VendorSource, vendor: UInt16, product: UInt16, version: UInt16) {
    self.vendorSource = vendorSource
    self.vendor = vendor
    self.product = product
    self.version = version
  }

  /// The vendor, where the SIG gave the number.
  public var company: CompanyID? { vendorSource == .bluetoothSIG ? CompanyID(vendor) : nil }

  /// The version in words, such as `2.1.3` for 0x0213.
  public var versionText: String {
    "\(String(version &>> 8, radix: 16)).\(String(version &>> 4 & 0xF, radix: 16)).\(String(version & 0xF, radix: 16))"
  }
}

extension PnPID: ByteReadable, ByteWritable {
  /// Reads seven bytes.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(7)
    self.init(
      vendorSource: VendorSource(rawValue: try reader.read()),
      vendor: try reader.read(),
      product: try reader.read(),
      version: try reader.read()
    )
  }

  /// Appends seven bytes.
  public func write(to writer: inout ByteWriter) {
    writer.write(vendorSource.rawValue)
    writer.write(vendor)
    writer.write(product)
    writer.write(version)
  }
}
