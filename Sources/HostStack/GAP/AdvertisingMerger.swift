import BluetoothTypes
import RadioPort

/// Puts what several owners want to advertise by legacy packets into one advertisement. Those of several would come from
/// one address, and scanners would take them for changes of one.
enum AdvertisingMerger {
  /// What to advertise for all of them.
  ///
  /// - Throws: `.tooLong` if it does not fit; `.busy` if two of them contradict each other.
  static func configuration(
    for requests: [AdvertisingRequest]
  ) throws(RadioFailure) -> AdvertisingConfiguration {
    let request = try combine(requests)
    let packed = try request.packed()
    do throws(AdvertisingData.TooLong) {
      return AdvertisingConfiguration(
        data: try packed.advertisement.encoded(),
        scanResponse: try packed.scanResponse.encoded(),
        isConnectable: request.isConnectable,
        interval: request.interval,
        resumption: request.continuesWhileConnected ? .immediately : .whenDisconnected
      )
    } catch {
      throw RadioFailure(.tooLong, reason: error.description)
    }
  }

  /// What to advertise for the owner of an extended set.
  ///
  /// - Parameter capacity: How many bytes there is room for.
  /// - Throws: `.tooLong` if it does not fit.
  static func extended(
    _ request: AdvertisingRequest,
    capacity: Int
  ) throws(RadioFailure) -> AdvertisingConfiguration {
    let packed = try request.packedExtended(capacity: capacity)
    do throws(AdvertisingData.TooLong) {
      return AdvertisingConfiguration(
        data: try packed.encoded(fitting: capacity),
        isConnectable: request.isConnectable,
        interval: request.interval,
        resumption: request.continuesWhileConnected ? .immediately : .whenDisconnected,
        format: request.format
      )
    } catch {
      throw RadioFailure(.tooLong, reason: error.description)
    }
  }

  private static func combine(_ requests: [AdvertisingRequest]) throws(RadioFailure) -> AdvertisingRequest {
    guard var all = requests.first else { return AdvertisingRequest() }
    for request in requests.dropFirst() {
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
