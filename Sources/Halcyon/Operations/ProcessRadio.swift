import RadioPort
import SystemRadio

#if canImport(Darwin)
  import CoreBluetoothRadio
#endif

/// The one radio that all centrals and peripheral servers of the process share if they name none.
enum ProcessRadio {
  /// What `HALCYON_RADIO` names, else what the system has; made at first use.
  static let shared: any Radio = {
    #if canImport(Darwin)
      if !SystemRadio.isNamed { return CoreBluetoothRadio() }
    #endif
    return SystemRadio.default
  }()
}
