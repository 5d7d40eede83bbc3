import BluetoothTypes
import RadioPort

/// Makes one report of a device's advertisement and its scan response.
///
/// A radio hears the advertisement first. Who may still have more to say is held back for a moment, so that a scan
/// does not first tell of a device without its name.
struct SightingMerger {
  static let grace = Duration.milliseconds(100)

  private struct Device {
    var latest: Sighting
    var reported: AdvertisingData?
    var heldUntil: RadioInstant?
  }

  private var devices: [PeerID: Device] = [:]

  /// When `due` has something to tell, if nothing is heard until then.
  var deadline: RadioInstant? { devices.values.compactMap(\.heldUntil).min() }

  /// Returns whether the sighting is to be reported now.
  mutating func add(_ sighting: Sighting) -> Bool {
    guard var device = devices[sighting.peer] else {
      let isWhole = sighting.isScanResponse || !sighting.isConnectable || sighting.advertisement.localName != nil
      devices[sighting.peer] = Device(
        latest: sighting,
        reported: isWhole ? sighting.advertisement : nil,
        heldUntil: isWhole ? nil : sighting.time.advanced(by: Self.grace)
      )
      return isWhole
    }
    device.latest = sighting
    let isNew = device.heldUntil == nil ? device.reported != sighting.advertisement : sighting.isScanResponse
    if isNew {
      device.reported = sighting.advertisement
      device.heldUntil = nil
    }
    devices[sighting.peer] = device
    return isNew
  }

  /// The sightings that were held back long enough at `now`; all of them without a `now`. The oldest first.
  mutating func due(at now: RadioInstant?) -> [Sighting] {
    let due = devices.values.filter { device in
      device.heldUntil.map { held in now.map { held <= $0 } ?? true } ?? false
    }
    for device in due {
      devices[device.latest.peer]?.heldUntil = nil
      devices[device.latest.peer]?.reported = device.latest.advertisement
    }
    return due.map(\.latest).sorted {
      ($0.time, $0.peer.high, $0.peer.low) < ($1.time, $1.peer.high, $1.peer.low)
    }
  }
}
