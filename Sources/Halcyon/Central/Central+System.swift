import RadioPort

extension Central {
  /// A central on the system's radio with the default configuration, made on first use.
  public static let shared = Central()

  /// A central on the system's radio, which all centrals of the process share: the one that `HALCYON_RADIO` names, such
  /// as `hci:tcp:HOST:PORT`, else what the system has, which on Apple's platforms is CoreBluetooth. Where there is none,
  /// ``state`` is `.unsupported` with a reason that says what to do.
  public convenience init(_ configuration: Configuration = .init()) {
    self.init(configuration, radio: ProcessRadio.shared)
  }
}
