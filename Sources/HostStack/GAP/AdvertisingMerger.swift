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
}
