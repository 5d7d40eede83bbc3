import BluetoothTypes

extension AdvertisingRequest {
  /// What several owners ask for, put together into one advertisement.
  ///
  /// - Throws: `.busy` if two of them contradict each other.
  package static func combined(_ requests: [AdvertisingRequest]) throws(RadioFailure) -> AdvertisingRequest {
    guard var all = requests.first else { return AdvertisingRequest() }
    for request in requests.dropFirst() {
      guard all.kind == .undirected, request.kind == .undirected else { throw alone }
      if let name = request.name {
        guard all.name == nil || all.name == name else {
          throw contradiction("the name \(all.name ?? "")", "the name \(name)")
        }
        all.name = name
      }
      all.services += request.services.filter { !all.services.contains($0) }
      for structure in request.more where !all.more.contains(structure) {
        if !structure.type.mayRepeat, let other = all.more.first(where: { $0.type == structure.type }) {
          throw contradiction(other.type.name, structure.type.name)
        }
        all.more.append(structure)
      }
      all.isConnectable = all.isConnectable || request.isConnectable
      all.continuesWhileConnected = all.continuesWhileConnected || request.continuesWhileConnected
      if request.interval.lowerBound < all.interval.lowerBound { all.interval = request.interval }
      if request.overflow == .fail { all.overflow = .fail }
    }
    return all
  }

  private static let alone = RadioFailure(
    .busy,
    reason: "this radio has one advertisement for all owners, and one that is directed to a device or only answers "
      + "scanners can not be put together with another: stop the other, or advertise in the extended format"
  )

  private static func contradiction(_ there: String, _ new: String) -> RadioFailure {
    RadioFailure(
      .busy,
      reason: "another owner of this radio already advertises \(there), so that \(new) can not be advertised too; "
        + "stop the other, or leave this part out"
    )
  }
}

extension ADType {
  /// Whether an advertisement may have several structures of this type (Core Specification Supplement 11, Part A, 1).
  fileprivate var mayRepeat: Bool {
    [.manufacturerSpecificData, .serviceData16, .serviceData32, .serviceData128].contains(self)
  }
}
