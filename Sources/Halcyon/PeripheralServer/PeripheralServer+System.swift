import RadioPort

extension PeripheralServer {
  /// A server on the system's radio; see ``Central/init(_:)``.
  public convenience init(
    advertising: Advertising = .init(),
    _ configuration: Configuration = .init(),
    @ServiceBuilder services: () -> [Service]
  ) {
    self.init(advertising: advertising, configuration, radio: ProcessRadio.shared, services: services)
  }
}
