/// What a beacon says of itself in its advertisement.
public enum Beacon: Hashable, Sendable {
  /// Apple's kind.
  case iBeacon(IBeacon)
  /// Google's kind.
  case eddystone(EddystoneFrame)

  /// How strongly the beacon is heard one metre away, in dBm, from which a distance can be estimated; `nil` if the frame
  /// does not say.
  public var powerAtOneMeter: Int? {
    switch self {
    case .iBeacon(let beacon): Int(beacon.powerAtOneMeter)
    case .eddystone(let frame): frame.powerAtOneMeter
    }
  }
}

extension Beacon: CustomStringConvertible {
  /// The kind of beacon and what it says.
  public var description: String {
    switch self {
    case .iBeacon(let beacon): beacon.description
    case .eddystone(let frame): frame.description
    }
  }
}

extension AdvertisingData {
  /// The beacon that advertises this; `nil` if it is none. Where there are several frames, the first one that says how
  /// strong the beacon is.
  public var beacon: Beacon? {
    let all = beacons
    return all.first { $0.powerAtOneMeter != nil } ?? all.first
  }

  /// Every beacon's frame in the data, in order; frames that are cut or unknown are left out.
  public var beacons: [Beacon] {
    structures.compactMap { structure in
      var reader = ByteReader(structure.data)
      switch structure.type {
      case .manufacturerSpecificData:
        guard let company = try? reader.read(UInt16.self), company == CompanyID.apple.rawValue else { return nil }
        return (try? IBeacon(reading: &reader)).map(Beacon.iBeacon)
      case .serviceData16:
        guard let service = try? reader.read(UInt16.self), BluetoothUUID(service) == EddystoneFrame.service else {
          return nil
        }
        return (try? EddystoneFrame(reading: &reader)).map(Beacon.eddystone)
      default: return nil
      }
    }
  }

  /// What to advertise to be the beacon: its frame with all that its specification wants beside it.
  ///
  /// Both kinds fit a legacy advertisement. An iBeacon is not connectable; send it every 100 ms.
  public init(_ beacon: Beacon) {
    let flags = ADStructure.flags([.generalDiscoverable, .brEDRNotSupported])
    switch beacon {
    case .iBeacon(let beacon): self.init([flags, .manufacturerData(.apple, beacon.bytes)])
    case .eddystone(let frame):
      let service = EddystoneFrame.service
      self.init([flags, .serviceUUIDs([service]), .serviceData(service, frame.bytes)])
    }
  }
}
