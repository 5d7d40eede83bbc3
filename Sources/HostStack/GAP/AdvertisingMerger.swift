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
    let request = try AdvertisingRequest.combined(requests)
    let packed = try pack(request)
    do throws(AdvertisingData.TooLong) {
      return AdvertisingConfiguration(
        data: try packed.advertisement.encoded(),
        scanResponse: try packed.scanResponse.encoded(),
        isConnectable: request.isConnectable,
        interval: request.interval,
        resumption: request.continuesWhileConnected ? .immediately : .whenDisconnected,
        kind: request.kind
      )
    } catch {
      throw RadioFailure(.tooLong, reason: error.description)
    }
  }

  /// - Throws: `.invalidArgument` for data that directed advertising has no room for.
  private static func pack(_ request: AdvertisingRequest) throws(RadioFailure) -> PackedAdvertisement {
    guard case .directed = request.kind else { return try request.packed() }
    guard request.name == nil, request.services.isEmpty, request.more.isEmpty else {
      throw RadioFailure(
        .invalidArgument,
        reason: "directed advertising of the legacy format has no data: leave out name and services"
      )
    }
    return PackedAdvertisement(advertisement: AdvertisingData(), scanResponse: AdvertisingData())
  }

  /// What to advertise for the owner of an extended set.
  ///
  /// - Throws: `.tooLong` if it does not fit.
  static func extended(
    _ request: AdvertisingRequest,
    _ info: ControllerInfo
  ) throws(RadioFailure) -> AdvertisingConfiguration {
    var configuration = AdvertisingConfiguration(
      data: [],
      isConnectable: request.isConnectable,
      interval: request.interval,
      resumption: request.continuesWhileConnected ? .immediately : .whenDisconnected,
      format: request.format,
      kind: request.kind,
      includesTransmitPower: request.includesTransmitPower
    )
    let capacity = max(31, configuration.extendedCapacity(info))
    let packed = try request.packedExtended(capacity: capacity)
    do throws(AdvertisingData.TooLong) {
      let bytes = try packed.encoded(fitting: capacity)
      if request.kind == .scannable { configuration.scanResponse = bytes } else { configuration.data = bytes }
    } catch {
      throw RadioFailure(.tooLong, reason: error.description)
    }
    return configuration
  }
}
